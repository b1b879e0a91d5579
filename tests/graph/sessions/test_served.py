"""What a server stores goes by the same rules as the command line's: no secret on disk, one writer at a time."""

import asyncio
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from maintainer.graph.checkpoints import Checkpointer
from maintainer.graph.sessions import Sessions, thread_id
from maintainer.graph.sessions.served import ServedStore
from maintainer.state.errors import SessionBusy
from maintainer.tools.fakes import FixedClock

KEY = "AKIAIOSFODNN7EXAMPLE"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def served(home: Path, saver: Checkpointer, rebuild: Any, journal: Any) -> Any:
    """The small graph as a server runs it: the input is a bare dictionary, every call is asynchronous."""
    app = rebuild(ServedStore(saver, home, FixedClock()), journal)

    def run(request: str, thread: str = "") -> Any:
        config = {"configurable": {"thread_id": thread or str(uuid4())}}
        return asyncio.run(app.ainvoke({"request": request}, config))

    return run


def test_the_request_is_masked_before_the_first_step_is_stored(served: Any, saver: Checkpointer) -> None:
    thread = thread_id("studio")
    served(f"why does {KEY} fail?", thread)
    steps = [*saver.list({"configurable": {"thread_id": thread}})]
    assert len(steps) == 5
    for step in steps:
        asked = {name: step.checkpoint["channel_values"].get(name) for name in ("__start__", "request")}
        assert KEY not in str(asked)
    assert "why does" in str(steps[-1].checkpoint["channel_values"]["__start__"])


def test_a_session_another_process_writes_is_refused_and_left_as_it_was(
    served: Any, sessions: Sessions, saver: Checkpointer
) -> None:
    served("one", thread_id("main"))
    before = saver.rows(thread_id("main"))
    with sessions.writing("main", repo="/repo"), pytest.raises(SessionBusy, match="being written by process"):
        served("two", thread_id("main"))
    assert saver.rows(thread_id("main")) == before
    assert served("three", thread_id("main"))["turn"] == 2


def test_the_servers_own_runs_do_not_refuse_each_other(served: Any, saver: Checkpointer) -> None:
    for number in range(3):
        assert served(f"request {number}")["answer"] == f"request {number}!"
    assert len(saver.threads()) == 3


def test_a_session_of_the_server_goes_on_on_the_command_line(served: Any, app: Any, sessions: Sessions) -> None:
    served("one", thread_id("main"))
    with sessions.writing("main", repo="/repo") as session:
        assert session.run(app, None, None).state.turn == 1
