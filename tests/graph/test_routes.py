from dataclasses import replace

import pytest
from langgraph.graph import END
from langgraph.types import Send
from maintainer.graph.routes import route_budget, route_calls, route_history, route_mode, route_reply
from maintainer.state.modes import MODE_NAMES, Mode
from maintainer.state.session import Message, Prompt, Reply, SessionState, ToolCall
from maintainer.tools.toolset.delegate import delegate_tool
from maintainer.tools.toolset.tool import Asked

TASK = {"kind": "explorer", "task": "Find where prices are made"}
TOOLS = {"delegate": delegate_tool()}


def replied(*names: str) -> SessionState:
    calls = [
        ToolCall(id=f"c{number}", name=name, arguments=TASK if name == "delegate" else {})
        for number, name in enumerate(names)
    ]
    return SessionState(request="?", session="s", turn_id="t", reply=Reply(text="", calls=calls, model="m"), step=1)


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_each_mode_has_its_own_first_look(mode: Mode) -> None:
    assert route_mode(SessionState(request="?", mode=mode)) == f"probe_{mode}"


@pytest.mark.parametrize(("tokens", "expected"), [(100, "llm_call"), (101, "compress")])
def test_only_a_prompt_over_the_ceiling_is_compressed(tokens: int, expected: str) -> None:
    state = SessionState(request="?", prompt=Prompt(system="", user="", tokens=tokens))
    assert route_budget(state, ceiling=lambda _: 100) == expected


def test_a_reply_without_calls_ends_the_loop() -> None:
    assert route_reply(replied(), tools=TOOLS) == "note_writer"


def test_a_request_too_long_for_the_model_is_built_again() -> None:
    assert route_reply(SessionState(request="?"), tools=TOOLS) == "gather"


def test_undecided_commands_are_put_to_the_user_before_anything_runs() -> None:
    asking = replace(TOOLS["delegate"], ask=lambda *_: Asked(what="it", reason="why"))
    state = replied("terminal", "delegate")
    assert route_reply(state, tools={"delegate": asking}) == "approve"
    decided = state.model_copy(update={"approvals": {"c1": "never"}})
    assert route_reply(decided, tools={"delegate": asking}) != "approve"
    remembered = state.model_copy(update={"agreed": {"it": "session"}})
    assert route_reply(remembered, tools={"delegate": asking}) != "approve"


def test_tools_and_sub_agents_start_in_one_superstep() -> None:
    *sends, last = route_calls(replied("delegate", "terminal", "delegate"), tools=TOOLS)
    tasks = [send.arg for send in sends if isinstance(send, Send)]
    assert [(task.call.id, task.session, task.turn_id, task.model) for task in tasks] == [
        ("c0", "s", "t", "m"),
        ("c2", "s", "t", "m"),
    ]
    assert last == "act"
    assert all(isinstance(each, Send) for each in route_calls(replied("delegate"), tools=TOOLS))


def test_tasks_beyond_the_limit_are_answered_and_not_run() -> None:
    *sends, last = route_calls(replied(*["delegate"] * 30), tools=TOOLS)
    assert (len(sends), last) == (4, "act")


@pytest.mark.parametrize(("messages", "expected"), [(20, END), (21, "compact")])
def test_history_is_compacted_when_it_is_longer_than_the_window(messages: int, expected: str) -> None:
    history = [Message(role="user", content="x", turn=1, timestamp="2026-01-01T00:00:00Z")] * messages  # type: ignore[arg-type]
    state = SessionState(request="?", history=history)
    assert route_history(state, is_full=lambda each: len(each) > 20) == expected
