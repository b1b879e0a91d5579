"""The model's tools over real things: a repository, notes, memory, an archive, a terminal."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from maintainer.state.notes import NoteSource
from maintainer.state.session import Decision, ToolCall
from maintainer.tools.archive import Archive
from maintainer.tools.fakes import FixedClock
from maintainer.tools.ledger import LedgerKeeper
from maintainer.tools.memory import MemoryTool
from maintainer.tools.notes import NoteTool
from maintainer.tools.places import Places
from maintainer.tools.rag import RAGTool
from maintainer.tools.terminal import TerminalTool
from maintainer.tools.toolset.delegate import delegate_tool
from maintainer.tools.toolset.expand import expand_tool
from maintainer.tools.toolset.facts import facts_tool
from maintainer.tools.toolset.notes import note_write_tool, notes_search_tool
from maintainer.tools.toolset.plan import plan_update_tool
from maintainer.tools.toolset.read_lines import read_lines_tool
from maintainer.tools.toolset.recall import recall_tool
from maintainer.tools.toolset.search_code import search_code_tool
from maintainer.tools.toolset.terminal import Terminals, terminal_tool
from maintainer.tools.toolset.tool import Caller, Outcome, Tool, call_tool

CALLER = Caller(session="main", turn=1, turn_id="t1", started_at=datetime(2026, 1, 5, 9, tzinfo=UTC))


@dataclass
class Kit:
    """Tools and what stands behind them."""

    repo: Path
    notes: NoteTool
    memory: MemoryTool
    archive: Archive
    tools: dict[str, Tool]

    def call(
        self, name: str, decision: Decision | None = None, remark: str = "", caller: Caller = CALLER, **arguments: Any
    ) -> Outcome:
        call = ToolCall(id="c", name=name, arguments=arguments)
        return call_tool(self.tools, call, caller, decision=decision, remark=remark)


def bind(place: str) -> NoteSource:
    path, _, lines = place.partition(":")
    return NoteSource(path=path, lines=lines)


@pytest.fixture
def open_kit(tmp_path: Path) -> Iterator[Callable[..., Kit]]:
    repo = tmp_path / "repo"
    (repo / "shop").mkdir(parents=True)
    (repo / "shop" / "cart.py").write_text("def total(items):\n    return sum(items)\n", "utf-8")
    (repo / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 1001)), "utf-8")
    with ExitStack() as opened:

        def open_all(*, approvals: bool = False) -> Kit:
            clock = FixedClock()
            notes = opened.enter_context(NoteTool(tmp_path / "notes", clock=clock, embedder=None))
            memory = MemoryTool(tmp_path / "memory", clock=clock)
            opened.callback(memory.close)
            archive = Archive(tmp_path / "archive")
            opened.callback(archive.close)
            keeper = LedgerKeeper(archive)
            opened.callback(keeper.close)
            code = opened.enter_context(RAGTool(repo, home=tmp_path / "index", embedder=None))
            terminals = Terminals(lambda _: TerminalTool(repo, archive=archive, approvals=approvals))
            opened.callback(terminals.close)
            tools = [
                terminal_tool(terminals),
                read_lines_tool(Places(repo)),
                expand_tool(archive),
                notes_search_tool(notes),
                note_write_tool(notes, bind, approvals=approvals),
                plan_update_tool(notes, approvals=approvals),
                facts_tool(keeper),
                recall_tool(memory),
                search_code_tool(code),
                delegate_tool(),
            ]
            return Kit(repo, notes, memory, archive, {tool.name: tool for tool in tools})

        yield open_all


@pytest.fixture
def kit(open_kit: Callable[..., Kit]) -> Kit:
    return open_kit()


@pytest.fixture
def another_caller() -> Callable[..., Caller]:
    return lambda **changes: replace(CALLER, **changes)
