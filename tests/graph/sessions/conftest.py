"""A small graph over the real state, and a home folder to keep its sessions in."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from maintainer.graph.checkpoints import Checkpointer, open_checkpointer
from maintainer.graph.sessions import Sessions
from maintainer.state.session import SCHEMA_VERSION, Message, Reply, SessionInput, SessionState, Usage
from maintainer.tools.fakes import FixedClock


class Journal:
    """Counts what the nodes did, and lets a test hook into one of them."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.hooks: dict[str, Callable[[SessionState], None]] = {}

    def visit(self, node: str, state: SessionState) -> None:
        self.calls.append(node)
        if hook := self.hooks.get(node):
            hook(state)


def build(saver: Checkpointer, journal: Journal, *, names: tuple[str, str, str] = ("begin", "think", "close")) -> Any:
    """Compile begin -> think -> close; `think` asks for permission where the request says so."""

    def begin(state: SessionState, config: RunnableConfig) -> dict[str, Any]:
        journal.visit("begin", state)
        name = config["configurable"].get("session", "")
        return {
            "schema_version": SCHEMA_VERSION,
            "session": name,
            "turn": state.turn + 1,
            "goal": state.goal or state.request,
        }

    def think(state: SessionState) -> dict[str, Any]:
        if "ask" in state.request:
            return {"answer": f"you said {interrupt('may I?')}"}
        journal.visit("think", state)
        return {"answer": f"{state.request}!", "reply": Reply(text="ok"), "spent": Usage(input_tokens=100)}

    def close(state: SessionState) -> dict[str, Any]:
        journal.visit("close", state)
        said = Message(role="user", content=state.request, turn=state.turn, timestamp=datetime(2026, 1, 1, tzinfo=UTC))
        return {"history": [*state.history, said]}

    builder = StateGraph(SessionState, input_schema=SessionInput)
    for name, node in zip(names, (begin, think, close), strict=True):
        builder.add_node(name, node)
    builder.add_edge(START, names[0])
    builder.add_edge(names[0], names[1])
    builder.add_edge(names[1], names[2])
    builder.add_edge(names[2], END)
    return builder.compile(checkpointer=saver)


@pytest.fixture
def saver(tmp_path: Path) -> Iterator[Checkpointer]:
    opened = open_checkpointer(tmp_path / "home" / "checkpoints.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest.fixture
def app(saver: Checkpointer, journal: Journal) -> Any:
    return build(saver, journal)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def sessions(tmp_path: Path, saver: Checkpointer, clock: FixedClock) -> Sessions:
    return Sessions(tmp_path / "home", saver, clock=clock)


@pytest.fixture
def rebuild() -> Callable[..., Any]:
    """Give the builder of the small graph, for tests that rename nodes or open the store again."""
    return build
