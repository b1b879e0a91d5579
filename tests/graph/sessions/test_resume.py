"""An unfinished turn is finished first, nothing runs twice, and every stop has a name."""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import pytest
from langgraph.runtime import RunControl
from langgraph.types import Command
from maintainer.graph.sessions import Limits, continue_thread
from maintainer.state.errors import ConfigError, SessionError
from maintainer.state.session import SessionInput


@pytest.fixture
def config() -> dict[str, Any]:
    return {"configurable": {"thread_id": str(uuid4())}}


def ask(request: str, turn_id: str = "") -> SessionInput:
    return SessionInput(request=request, mode="explore", turn_id=turn_id or uuid4().hex)


def fail_once(journal: Any, node: str) -> None:
    def hook(_: object) -> None:
        del journal.hooks[node]
        raise RuntimeError("the power went")

    journal.hooks[node] = hook


def test_a_new_request_runs(app: Any, config: dict[str, Any]) -> None:
    turn = continue_thread(app, config, ask("one"), None)
    assert (turn.status, turn.state.answer, turn.state.turn, turn.resumed) == ("finished", "one!", 1, ())


def test_nothing_to_do_is_a_harmless_look(app: Any, config: dict[str, Any], journal: Any) -> None:
    continue_thread(app, config, ask("one"), None)
    before = [*journal.calls]

    turn = continue_thread(app, config, None, None)

    assert (turn.status, turn.state.answer) == ("finished", "one!")
    assert journal.calls == before


@pytest.mark.parametrize("node", ["begin", "think", "close"])
def test_the_same_input_sent_again_after_a_failure_goes_on_where_it_stopped(
    app: Any, config: dict[str, Any], journal: Any, node: str
) -> None:
    fail_once(journal, node)
    request = ask("one")
    with pytest.raises(RuntimeError):
        continue_thread(app, config, request, None)

    turn = continue_thread(app, config, request, None)

    assert (turn.resumed, turn.state.turn, turn.state.answer) == ((node,), 1, "one!")
    assert [call for call in journal.calls if call != node] == [n for n in ("begin", "think", "close") if n != node]


def test_a_new_request_waits_until_the_unfinished_one_is_done(app: Any, config: dict[str, Any], journal: Any) -> None:
    fail_once(journal, "close")
    with pytest.raises(RuntimeError):
        continue_thread(app, config, ask("one"), None)

    turn = continue_thread(app, config, ask("two"), None)

    assert turn.resumed == ("close",)
    assert [message.content for message in turn.state.history] == ["one", "two"]
    assert journal.calls.count("think") == 2


def test_a_finished_turn_sent_again_is_not_run_again(app: Any, config: dict[str, Any], journal: Any) -> None:
    request = ask("one")
    continue_thread(app, config, request, None)

    turn = continue_thread(app, config, request, None)

    assert (turn.status, turn.state.answer, turn.state.turn) == ("finished", "one!", 1)
    assert journal.calls == ["begin", "think", "close"]


def test_an_omitted_mode_is_auto_and_not_the_last_turns(app: Any, config: dict[str, Any]) -> None:
    continue_thread(app, config, ask("one"), None)
    assert continue_thread(app, config, SessionInput(request="two"), None).state.mode == "auto"


def test_a_key_in_a_request_is_never_stored(app: Any, config: dict[str, Any], tmp_path: Path) -> None:
    turn = continue_thread(app, config, ask("why does AKIAIOSFODNN7EXAMPLE not work?"), None)
    assert "[masked" in turn.state.request
    stored = [path.read_bytes() for path in (tmp_path / "home").iterdir()]
    assert sum(data.count(b"AKIAIOSFODNN7EXAMPLE") for data in stored) == 0
    assert sum(data.count(b"not work?") for data in stored) > 0


def test_a_question_is_answered_and_a_request_does_not_drop_it(app: Any, config: dict[str, Any]) -> None:
    waiting = continue_thread(app, config, ask("ask me"), None)
    assert (waiting.status, waiting.interrupts[0].value) == ("interrupted", "may I?")

    pushed = continue_thread(app, config, ask("something else"), None)
    assert (pushed.status, pushed.state.request) == ("interrupted", "ask me")

    answered = continue_thread(app, config, Command(resume="yes"), None)
    assert (answered.status, answered.state.answer) == ("finished", "you said yes")


def test_an_answer_nobody_asked_for_is_refused(app: Any, config: dict[str, Any]) -> None:
    continue_thread(app, config, ask("one"), None)
    with pytest.raises(SessionError, match="nothing waits for an answer"):
        continue_thread(app, config, Command(resume="yes"), None)


def test_the_step_limit_stops_by_name_and_resuming_gives_as_many_again(app: Any, config: dict[str, Any]) -> None:
    stopped = continue_thread(app, config, ask("one"), None, limits=Limits(steps=2))
    assert stopped.status == "step_limit"
    assert "2 steps before close" in stopped.detail

    turn = continue_thread(app, config, None, None, limits=Limits(steps=2))
    assert (turn.status, turn.state.turn, turn.state.answer) == ("finished", 1, "one!")


def is_over(_: float, then: Callable[..., None], given: Sequence[Any]) -> None:
    then(*given)


def test_the_time_limit_stops_at_the_next_step_border(
    app: Any, config: dict[str, Any], journal: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    timer = Mock()
    with monkeypatch.context() as patched:
        patched.setattr(threading, "Timer", timer)
        journal.hooks["think"] = lambda _: is_over(*timer.call_args.args)  # in the middle of a step
        stopped = continue_thread(app, config, ask("one"), None, limits=Limits(turn_s=0.05))
    assert (stopped.status, stopped.state.answer) == ("time_limit", "one!")

    turn = continue_thread(app, config, None, None, limits=Limits(turn_s=60))
    assert (turn.status, journal.calls) == ("finished", ["begin", "think", "close"])


def test_the_token_limit_stops_after_the_call_that_crossed_it(app: Any, config: dict[str, Any]) -> None:
    limits = Limits(session_tokens=150)
    assert continue_thread(app, config, ask("one"), None, limits=limits).status == "finished"

    stopped = continue_thread(app, config, ask("two"), None, limits=limits)
    assert stopped.status == "token_limit"
    assert "200 of 150 tokens" in stopped.detail

    turn = continue_thread(app, config, None, None, limits=Limits(session_tokens=1000))
    assert (turn.status, turn.state.answer, turn.state.spent.input_tokens) == ("finished", "two!", 200)


def test_a_request_beyond_the_token_limit_is_stored_and_waits(app: Any, config: dict[str, Any], journal: Any) -> None:
    continue_thread(app, config, ask("one"), None)

    stopped = continue_thread(app, config, ask("two"), None, limits=Limits(session_tokens=50))
    assert stopped.status == "token_limit"
    assert journal.calls.count("think") == 1

    turn = continue_thread(app, config, None, None)
    assert (turn.status, turn.state.answer, turn.state.turn) == ("finished", "two!", 2)


def test_a_drain_asked_from_outside_stops_at_the_next_step_border(
    app: Any, config: dict[str, Any], journal: Any
) -> None:
    control = RunControl()
    journal.hooks["begin"] = lambda _: control.request_drain("closing time")

    stopped = continue_thread(app, config, ask("one"), None, control=control)

    assert (stopped.status, journal.calls) == ("drained", ["begin"])
    assert "closing time" in stopped.detail
    assert continue_thread(app, config, None, None).state.answer == "one!"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_drains_the_turn_and_the_usual_handler_is_back(
    sessions: Any, app: Any, journal: Any, number: signal.Signals
) -> None:
    before = signal.getsignal(number)
    journal.hooks["think"] = lambda _: os.kill(os.getpid(), number)
    with sessions.writing("main", repo="/repo") as session:
        stopped = session.run(app, ask("one"), None)
    assert (stopped.status, "close" in journal.calls) == ("drained", False)
    assert sessions.catalogue.get("main").status == "drained"
    assert signal.getsignal(number) is before


def test_a_second_ctrl_c_stops_at_once(sessions: Any, app: Any, journal: Any) -> None:
    control = RunControl()

    def twice(_: object) -> None:
        while not control.drain_requested:  # a signal that comes before the main thread waits is seen late
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.05)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.05)

    journal.hooks["think"] = twice
    with pytest.raises(KeyboardInterrupt), sessions.writing("main", repo="/repo") as session:
        session.run(app, ask("one"), None, control=control)

    with sessions.writing("main", repo="/repo") as session:
        turn = session.run(app, None, None)
    assert (turn.status, turn.state.answer, turn.state.turn) == ("finished", "one!", 1)


@pytest.mark.parametrize("wrong", [{"steps": 0}, {"turn_s": -1}, {"session_tokens": -5}])
def test_a_senseless_limit_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        Limits(**wrong)
