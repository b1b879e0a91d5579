"""The catalogue of sessions: one small JSON file for each, readable by people, rebuilt from checkpoints if lost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ...state.errors import SessionError, StoreError, UnknownSession
from ...tools.clock import Clock
from ...tools.files import explained, make_folder, remove, write_atomic
from .names import thread_id

FORMAT = 1


@dataclass(frozen=True, kw_only=True)
class SessionRecord:
    """What is known of a session without opening it."""

    name: str
    thread_id: str
    repo: str
    created_at: datetime
    updated_at: datetime
    turns: int = 0
    """The newest turn that was acknowledged to the user."""
    checkpoint_id: str = ""
    """The checkpoint that turn ended, or stopped, at."""
    status: str = "new"
    """How the last run ended: `finished`, another outcome of `Turn`, `failed`, or `new`."""
    detail: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)
    """Named checkpoints that are never pruned: label to checkpoint id."""
    parent: str = ""
    """Name of the session this one was forked from."""
    parent_turn: int = 0
    """The last turn it shares with its parent."""
    forked_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON values."""
        plain = asdict(self)
        for name in ("created_at", "updated_at", "forked_at"):
            plain[name] = plain[name].isoformat() if plain[name] else None
        return plain


def record_from(plain: Mapping[str, Any]) -> SessionRecord:
    """Return the record that `to_dict` gave; keys of newer versions are left out.

    Raises:
        ValueError, KeyError, TypeError: It is no record.
    """
    known = {name: plain[name] for name in SessionRecord.__dataclass_fields__ if name in plain}
    for name in ("created_at", "updated_at", "forked_at"):
        if known.get(name):
            known[name] = datetime.fromisoformat(known[name])
    record = SessionRecord(**known)
    if record.thread_id != thread_id(record.name):
        raise ValueError(f"thread id {record.thread_id} does not belong to the name {record.name!r}")
    return record


class SessionCatalogue:
    """The records of one home folder. Readers need no lock; writers hold the session's writer lock."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = make_folder(folder)
        self._clock = clock

    def get(self, name: str) -> SessionRecord:
        """Return the record of a session.

        Raises:
            UnknownSession: No session has this name; says which names come close.
            StoreError: Its file cannot be read.
        """
        record = self.find(name)
        if record is None:
            known = ", ".join(repr(record.name) for record in self.list()[:5])
            raise UnknownSession(f"no session {name!r}: " + (f"there are {known}" if known else "there are none yet"))
        return record

    def find(self, name: str) -> SessionRecord | None:
        """Return the record of a session, or None where there is none."""
        return self.read_if_there(self._path(thread_id(name)))

    def list(self) -> Sequence[SessionRecord]:
        """Return all records, the one used last first."""
        records = [record for path in self.folder.glob("*.json") if (record := self.read_if_there(path))]
        return sorted(records, key=lambda record: (record.updated_at, record.name), reverse=True)

    def create(self, name: str, repo: str, **fields: Any) -> SessionRecord:
        """Make and store the record of a new session.

        Raises:
            SessionError: The name is taken.
        """
        if self.find(name):
            raise SessionError(f"a session {name!r} exists: choose another name, or delete it first")
        now = self._clock.now()
        record = SessionRecord(
            name=name.strip(), thread_id=thread_id(name), repo=repo, created_at=now, updated_at=now, **fields
        )
        self.save(record)
        return record

    def save(self, record: SessionRecord) -> None:
        """Store a record, whole or not at all."""
        text = json.dumps({"format": FORMAT, **record.to_dict()}, ensure_ascii=False, indent=1)
        write_atomic(self._path(record.thread_id), text.encode(), mode=0o600)

    def touch(self, record: SessionRecord, **changes: Any) -> SessionRecord:
        """Store a record with some fields changed and the time of now; return it."""
        changed = replace(record, updated_at=self._clock.now(), **changes)
        self.save(changed)
        return changed

    def remove(self, record: SessionRecord) -> None:
        """Remove a record."""
        remove(self._path(record.thread_id))

    def lineage(self, name: str) -> Sequence[tuple[str, int | None]]:
        """Return the sessions a session's past lies in, newest first, each with its last turn that belongs to it.

        The session itself comes first with None: all its own turns belong to it.
        """
        record: SessionRecord | None = self.get(name)
        line: Sequence[tuple[str, int | None]] = [(name, None)]
        while record and record.parent and record.parent not in {known for known, _ in line}:
            line = [*line, (record.parent, record.parent_turn)]
            record = self.find(record.parent)
        return line

    def _path(self, id_: str) -> Path:
        return self.folder / f"{id_}.json"

    def read_if_there(self, path: Path) -> SessionRecord | None:
        """Return the record in a file; None where it is gone: another process may delete a session at any moment.

        Raises:
            StoreError: It cannot be read or is damaged.
        """
        try:
            return self.read(path)
        except StoreError:
            if path.exists():
                raise
            return None

    def read(self, path: Path) -> SessionRecord:
        """Return the record in a file.

        Raises:
            StoreError: It cannot be read or is damaged.
        """
        with explained("read", path):
            text = path.read_bytes()
        try:
            return record_from(json.loads(text))
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{path} is damaged ({error}): run `maintainer doctor --repair`") from error
