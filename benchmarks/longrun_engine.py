"""The product's memory behind the interface of long-session harnesses: `benchmarks.longrun_engine:Factory`.

Nothing here is special to a benchmark: turns go into the archive with what they change in the ledger, exactly as the
node `record` does it, and a context comes from `ContextBuilder` over the sources every session has.
"""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from maintainer.graph.builder import ContextBuilder
from maintainer.state.settings import ContextConfig
from maintainer.state.turns import Said, Turn
from maintainer.tools.archive import Archive
from maintainer.tools.embeddings import open_embedder
from maintainer.tools.fakes import FixedClock
from maintainer.tools.ledger import LedgerKeeper
from maintainer.tools.recall import TurnIndex, past_sources
from maintainer.tools.tokens import open_counter

WINDOW = 10
"""Newest messages handed over as history, as a session's state holds them."""
INSTRUCTIONS = "You look after this codebase."
SESSION = "long"


class Factory:
    """One session, fed message by message."""

    def __init__(self, workdir: Path | str | None = None) -> None:
        self._folder = Path(workdir) if workdir is not None else Path(tempfile.mkdtemp(prefix="longrun-"))
        self._embedder = open_embedder()
        self._counter = open_counter()
        self._open()

    def feed(self, turn: Mapping[str, Any]) -> None:
        """Keep one message."""
        said = Said(
            role=turn["role"],
            text=turn["content"],
            name=turn.get("name") or ("tool" if turn["role"] == "tool" else ""),
            command=turn.get("command") or "",
        )
        at = datetime.fromisoformat(turn["ts"])
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        new = Turn(id=f"{SESSION}-{turn['i']}", session=SESSION, at=at, said=(said,), parent=self._head)
        self._archive.append(replace(new, facts=tuple(self._keeper.changes(new))))
        self._head = new.id
        self._index.catch_up(self._head)

    def context_for(self, query: str, budget: int) -> str:
        """Return the context of a request, at most `budget` tokens."""
        newest = self._archive.turns(self._head, WINDOW) if self._head else []
        history = [
            {
                "role": each.said[0].role,
                "content": each.said[0].text,
                "turn": each.number,
                "timestamp": each.at,
                "name": each.said[0].name,
            }
            for each in newest
        ]
        builder = self._builder(budget, newest[-1].at if newest else datetime.now(UTC))
        text = builder.build(query, history, INSTRUCTIONS)
        self.receipt = builder.receipt
        return text

    def _builder(self, budget: int, now: datetime) -> ContextBuilder:
        """Return the builder of a budget, at the time of the newest message."""
        if budget not in self._builders:
            clock = FixedClock(now)
            builder = ContextBuilder(
                config=ContextConfig(max_tokens=budget),
                sources=past_sources(self._archive, self._keeper, self._index, lambda _: self._head),
                counter=self._counter,
                clock=clock,
                embedder=self._embedder,
                originals=self._archive,
            )
            self._builders[budget] = builder, clock
        builder, clock = self._builders[budget]
        clock.advance(seconds=(now - clock.now()).total_seconds())
        return builder

    def rank(self, query: str) -> list[int]:
        """Return the numbers of all messages recall finds, best first, from 0."""
        return [each.turn.number - 1 for each in self._index.search(query, self._head, limit=200)]

    def restart(self) -> None:
        """Close everything and open it again from what is on disk, as a new process would."""
        self._index.close()
        self._keeper.close()
        self._archive.close()
        self._embedder = open_embedder()
        self._open()

    def _open(self) -> None:
        self._archive = Archive(self._folder / "archive")
        self._keeper = LedgerKeeper(self._archive, self._embedder, folder=self._folder / "recall")
        self._index = TurnIndex(self._archive, self._folder / "recall", self._embedder)
        self._head = self._archive.newest(SESSION)
        self._builders: dict[int, tuple[ContextBuilder, FixedClock]] = {}
        self.receipt: Any = None
