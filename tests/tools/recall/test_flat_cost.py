"""What a turn costs does not grow with the session: counted in records read, packets offered and bytes, not in time."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from maintainer.state.packet import Need
from maintainer.state.turns import Said, Turn
from maintainer.tools.archive import Archive, Log
from maintainer.tools.ledger import LedgerKeeper
from maintainer.tools.recall import TurnIndex, past_sources

SHORT, LONG = 200, 600
"""Turns; at the shorter length everything that is bounded has reached its bound."""
NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


def messages(number: int) -> tuple[str, str]:
    """Return what is said in a turn: now and then a decision that replaces an older one, else everyday work."""
    if number % 6 == 0:
        file, seconds = f"core/part_{number % 30}.py", 100 + number
        return f"`{file}` caches for {seconds} seconds from now on, because the tills are offline.", "Noted."
    return f"Please look at line {number} of `core/part_{number % 30}.py`.", f"Line {number} is fine."


class Session:
    """A session that is told turn by turn, with what each of the newest turns cost."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.archive = Archive(folder / "archive")
        self.keeper = LedgerKeeper(self.archive)
        self.index = TurnIndex(self.archive, folder / "recall")
        self.reads = 0
        read = Log.read

        def counted(log: Log, position: object) -> object:
            self.reads += 1
            return read(log, position)  # type: ignore[arg-type]

        monkeypatch.setattr(Log, "read", counted)
        self.head, self.told = "", 0

    def tell(self, turns: int) -> None:
        """Go on until the session has so many turns."""
        while self.told < turns:
            self.told += 1
            user, assistant = messages(self.told)
            said = (Said(role="user", text=user), Said(role="assistant", text=assistant))
            turn = Turn(id=f"t{self.told}", session="s", at=NOON, said=said, parent=self.head)
            self.archive.append(replace(turn, facts=tuple(self.keeper.changes(turn))))
            self.head = turn.id
            self.index.catch_up(self.head)

    def cost_of_turn(self) -> int:
        """Return how many records the archive reads while one more turn is kept."""
        self.reads = 0
        self.tell(self.told + 1)
        return self.reads

    def cost_of_context(self) -> tuple[int, int]:
        """Return how many records are read for one context, and how many packets are offered to it."""
        self.reads = 0
        need = Need(text=f"How long does `core/part_6.py` cache? ({self.told})", head=self.head)
        sources = past_sources(self.archive, self.keeper, self.index)
        return self.reads, sum(len(source.packets(need)) for source in sources)

    def close(self) -> None:
        for part in (self.index, self.keeper, self.archive):
            part.close()


def test_a_turn_and_a_context_cost_the_same_after_600_turns_as_after_200(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(tmp_path, monkeypatch)
    session.tell(SHORT)
    turn, (reads, offered), size = session.cost_of_turn(), session.cost_of_context(), session.archive.bytes()
    session.tell(LONG)
    later_turn, (later_reads, later_offered) = session.cost_of_turn(), session.cost_of_context()
    per_turn, later_per_turn = size / SHORT, session.archive.bytes() / LONG
    session.close()
    assert later_turn <= turn
    assert later_reads <= 1.2 * reads
    assert later_offered <= 1.2 * offered
    assert later_per_turn <= 1.2 * per_turn
