"""Receipts and prompts in one SQLite file, addressed by their content."""

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import RLock
from types import TracebackType

from ...state.errors import StoreError
from ...state.receipt import Receipt
from ..database import Connection, open_database, reading, shrink, writing
from ..secrets import mask as mask_secrets

VERSION = 1
LISTED = 200
"""Dropped candidates a stored receipt lists; the others are counted by rule."""
_SCHEMA = """
    CREATE TABLE receipt (id TEXT PRIMARY KEY, session TEXT, turn INTEGER, step INTEGER, at TEXT, body BLOB);
    CREATE INDEX receipt_turn ON receipt (session, turn, step);
    CREATE TABLE text (id TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A receipt as it is listed."""

    id: str
    session: str
    turn: int
    step: int
    at: str


class ReceiptStore:
    """Keeps receipts; the parts of a prompt that do not change from call to call are kept once.

    Secrets are masked before anything is stored. The file is opened at the first use.

    Args:
        folder: Where `receipts.db` is kept; made when missing. None keeps everything in memory.
        mask: Takes secrets out of a text.
    """

    def __init__(self, folder: Path | None, *, mask: Callable[[str], str] = mask_secrets) -> None:
        self._path = folder / "receipts.db" if folder is not None else None
        self._mask = mask
        self._lock = RLock()
        self._opened: Connection | None = None

    def __enter__(self) -> "ReceiptStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def save(self, receipt: Receipt) -> str:
        """Keep a receipt and return its id; one with the same content is kept once.

        Raises:
            StoreError: The file cannot be written.
        """
        kept = self._masked(receipt.shortened(LISTED))
        name = kept.digest()
        texts = {_digest(text): _packed(text) for text in kept.prompt.values()}
        body = replace(kept, prompt={part: _digest(text) for part, text in kept.prompt.items()}).to_dict()
        row = (
            name,
            kept.session,
            kept.turn,
            kept.step,
            kept.at,
            _packed(json.dumps(body, ensure_ascii=False, default=str)),
        )
        with self._lock, writing(self._db()):
            self._db().executemany("INSERT OR IGNORE INTO text VALUES (?,?)", texts.items())
            self._db().execute("INSERT OR IGNORE INTO receipt VALUES (?,?,?,?,?,?)", row)
        return name

    def load(self, name: str) -> Receipt:
        """Return the receipt with this id.

        Raises:
            StoreError: There is none, or its file is damaged.
        """
        with self._lock, reading(self._db()):
            found = self._db().execute("SELECT body FROM receipt WHERE id=?", (name,)).fetchone()
            if found is None:
                raise StoreError(f"no receipt {name!r} is kept here; `maintainer context --list` shows those that are")
            plain = json.loads(_unpacked(found[0]))
            plain["prompt"] = {part: self._text(digest) for part, digest in plain["prompt"].items()}
        return Receipt.from_dict(plain)

    def list(self, session: str | None = None, turn: int | None = None, limit: int = 50) -> "list[Stored]":
        """Return what is kept, newest first; of one session, or of one of its turns."""
        query = "SELECT id, session, turn, step, at FROM receipt WHERE (?1 IS NULL OR session=?1)"
        query += " AND (?2 IS NULL OR turn=?2) ORDER BY at DESC, turn DESC, step DESC, rowid DESC LIMIT ?3"
        with self._lock, reading(self._db()):
            rows = self._db().execute(query, (session, turn, max(limit, 0))).fetchall()
        return [Stored(id=name, session=of, turn=number, step=step, at=at) for name, of, number, step, at in rows]

    def last_prompt(self, session: str) -> str:
        """Return the text of a session's newest prompt, as it was stored; `""` where there is none."""
        newest = self.list(session, limit=1)
        return prompt_text(self.load(newest[0].id)) if newest else ""

    def forget(self, *, before: datetime | None = None, session: str | None = None) -> int:
        """Remove receipts older than a moment, or of one session, with the texts only they used; return how many."""
        if before is None and session is None:
            raise ValueError("say what to forget: before=..., session=..., or both")
        moment = before.isoformat() if before is not None else None
        with self._lock, writing(self._db()):
            gone = (
                self._db()
                .execute(
                    "DELETE FROM receipt WHERE (?1 IS NULL OR at < ?1) AND (?2 IS NULL OR session=?2)",
                    (moment, session),
                )
                .rowcount
            )
            used = {
                digest
                for (body,) in self._db().execute("SELECT body FROM receipt")
                for digest in json.loads(_unpacked(body))["prompt"].values()
            }
            known = [name for (name,) in self._db().execute("SELECT id FROM text")]
            self._db().executemany("DELETE FROM text WHERE id=?", ((name,) for name in known if name not in used))
        return gone

    def shrink(self) -> None:
        """Rewrite the file, so that nothing of what was forgotten is left in its free pages."""
        with self._lock:
            shrink(self._db())

    def _db(self) -> Connection:
        if self._opened is None:
            self._opened = open_database(self._path, _SCHEMA, version=VERSION)
        return self._opened

    def _text(self, digest: str) -> str:
        found = self._db().execute("SELECT body FROM text WHERE id=?", (digest,)).fetchone()
        if found is None:
            raise StoreError(f"the text {digest} of a prompt is missing from {self._path}")
        return _unpacked(found[0])

    def _masked(self, receipt: Receipt) -> Receipt:
        return replace(
            receipt,
            request=self._mask(receipt.request),
            prompt={part: self._mask(text) for part, text in receipt.prompt.items()},
            entries=tuple(replace(entry, title=self._mask(entry.title)) for entry in receipt.entries),
            removals=tuple(replace(removal, what=self._mask(removal.what)) for removal in receipt.removals),
            failures=tuple(map(self._mask, receipt.failures)),
        )


def prompt_text(receipt: Receipt) -> str:
    """Return the whole prompt of a receipt as one text."""
    return "\n\n".join(
        receipt.prompt[part] for part in ("text", "system", "user", "exchanges") if receipt.prompt.get(part)
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def _unpacked(body: bytes) -> str:
    return zlib.decompress(body).decode("utf-8", "surrogatepass")
