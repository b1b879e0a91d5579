"""The other stores a session leaves something in: they travel with it and are erased with it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from ...state.turns import Said, Turn
from ...tools.archive import Archive
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
    """Open the stores, beside the checkpoints, out of which a deleted session is erased."""
    del home
    yield ()


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
