"""The other stores a session leaves something in: they travel with it and are erased with it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from ...state.delegation import is_of
from ...state.turns import Said, Turn
from ...tools.archive import Archive
from ...tools.clock import SystemClock
from ...tools.mailbox import Mailbox
from ...tools.memory import MemoryTool
from ...tools.recall import TurnIndex
from ...tools.receipts import ReceiptStore
from ...tools.terminal.audit import blank, path_in, read
from .catalogue import SessionRecord
from .deletion import SessionStore
from .transfer import PortableStore


@contextmanager
def portable_stores(home: Path) -> Iterator[Sequence[PortableStore]]:
    """Open the stores whose part of a session goes into its file."""
    archive = Archive(home / "archive")
    try:
        yield (ArchivedTurns(archive),)
    finally:
        archive.close()


@contextmanager
def session_stores(home: Path) -> Iterator[Sequence[SessionStore]]:
    """Open the stores, beside the checkpoints, out of which a deleted session is erased.

    Notes are none of them: they belong to the repository.
    """
    with ExitStack() as opened:
        archive = Archive(home / "archive")
        opened.callback(archive.close)
        memory = MemoryTool(home / "memory")
        opened.callback(memory.close)
        turns = TurnIndex(archive, home / "index" / "turns")
        opened.callback(turns.close)
        receipts = opened.enter_context(ReceiptStore(home / "receipts"))
        mail = Mailbox(home / "mail", SystemClock())
        yield (
            Named("archive", archive),
            Named("recall", turns),
            Named("memory", memory),
            Named("mail", mail),
            KeptReceipts(receipts),
            Commands(path_in(home)),
        )


class Erasable(Protocol):
    """What a store of sessions offers."""

    def count(self, session: str) -> int:
        """Return how many entries belong to a session."""
        ...

    def erase(self, session: str) -> None:
        """Remove them for good."""
        ...


class Named:
    """A store that counts and erases by itself, under the name a proof calls it."""

    def __init__(self, name: str, store: Erasable) -> None:
        self.name, self._store = name, store

    def count(self, session: str) -> int:
        """Return how many entries belong to a session."""
        return self._store.count(session)

    def erase(self, session: str) -> None:
        """Remove them for good."""
        self._store.erase(session)


class KeptReceipts:
    """The receipts of a session and of the sub-agents it sent out."""

    name = "receipts"

    def __init__(self, receipts: ReceiptStore) -> None:
        self._receipts = receipts

    def count(self, session: str) -> int:
        """Return how many receipts belong to a session."""
        return sum(is_of(each.session, session) for each in self._receipts.list(limit=2**31))

    def erase(self, session: str) -> None:
        """Remove them with the texts only they used."""
        for name in {each.session for each in self._receipts.list(limit=2**31)}:
            if is_of(name, session):
                self._receipts.forget(session=name)
        self._receipts.shrink()


class Commands:
    """The lines of the audit log that a session and its sub-agents left."""

    name = "audit"

    def __init__(self, log: Path) -> None:
        self._log = log

    def count(self, session: str) -> int:
        """Return how many commands of a session are written down."""
        return sum(is_of(entry.session, session) for entry in read(self._log))

    def erase(self, session: str) -> None:
        """Blank their lines; no other line moves."""
        blank(self._log, lambda name: is_of(name, session))


class ArchivedTurns:
    """The turns of a session's own line, those before a fork included, as whole texts."""

    name = "turns"

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def lines(self, record: SessionRecord) -> Iterable[str]:
        """Yield the turns, oldest first."""
        for turn in self._archive.turns(self._archive.newest(record.name)):
            said = [[each.role, each.text, each.name, each.command] for each in turn.said]
            plain = {
                "id": turn.id,
                "session": turn.session,
                "at": turn.at.isoformat(),
                "parent": turn.parent,
                "said": said,
                "facts": [dict(fact) for fact in turn.facts],
            }
            yield json.dumps(plain, ensure_ascii=False)

    def take(self, record: SessionRecord, lines: Sequence[str]) -> None:
        """Keep the turns; one that is known already is not kept twice. The session's own take its new name."""
        turns = [json.loads(line) for line in lines]
        own = turns[-1]["session"] if turns else ""
        for plain in turns:
            self._archive.append(
                Turn(
                    id=plain["id"],
                    session=record.name if plain["session"] == own else plain["session"],
                    at=datetime.fromisoformat(plain["at"]),
                    said=tuple(Said(role=r, text=t, name=n, command=c) for r, t, n, c in plain["said"]),
                    parent=plain["parent"],
                    facts=tuple(plain["facts"]),
                )
            )
