import pytest
from langgraph.graph import END
from langgraph.types import Send
from maintainer.graph.routes import route_budget, route_calls, route_history, route_mode, route_reply
from maintainer.state.modes import MODE_NAMES, Mode
from maintainer.state.session import Message, Prompt, Reply, SessionState, ToolCall


def replied(*names: str) -> SessionState:
    calls = [ToolCall(id=f"c{number}", name=name) for number, name in enumerate(names)]
    return SessionState(request="?", reply=Reply(text="", calls=calls), step=1)


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_each_mode_has_its_own_first_look(mode: Mode) -> None:
    assert route_mode(SessionState(request="?", mode=mode)) == f"probe_{mode}"


@pytest.mark.parametrize(("tokens", "expected"), [(100, "llm_call"), (101, "compress")])
def test_only_a_prompt_over_the_ceiling_is_compressed(tokens: int, expected: str) -> None:
    state = SessionState(request="?", prompt=Prompt(system="", user="", tokens=tokens))
    assert route_budget(state, ceiling=lambda _: 100) == expected


def test_a_reply_without_calls_ends_the_loop() -> None:
    assert route_reply(replied(), undecided=lambda _: False) == "note_writer"


def test_a_request_too_long_for_the_model_is_built_again() -> None:
    assert route_reply(SessionState(request="?"), undecided=lambda _: False) == "gather"


def test_undecided_commands_are_put_to_the_user_before_anything_runs() -> None:
    assert route_reply(replied("terminal", "delegate"), undecided=lambda _: True) == "approve"


def test_tools_and_sub_agents_start_in_one_superstep() -> None:
    *sends, last = route_calls(replied("delegate", "terminal", "delegate"))
    assert [send.arg.call.id for send in sends if isinstance(send, Send)] == ["c0", "c2"]
    assert last == "act"
    assert all(isinstance(each, Send) for each in route_calls(replied("delegate")))


@pytest.mark.parametrize(("messages", "expected"), [(20, END), (21, "compact")])
def test_history_is_compacted_when_it_is_longer_than_the_window(messages: int, expected: str) -> None:
    history = [Message(role="user", content="x", turn=1, timestamp="2026-01-01T00:00:00Z")] * messages  # type: ignore[arg-type]
    assert route_history(SessionState(request="?", history=history), most=20) == expected
