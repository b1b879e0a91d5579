"""Every conditional edge of the graph: pure functions from the state to the next node's name."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from langgraph.graph import END
from langgraph.types import Send

from ..state.session import Message, SessionState, Task, ToolCall
from ..tools.toolset.calling import undecided
from ..tools.toolset.delegate import delegated
from ..tools.toolset.tool import Tool

Probe = Literal["probe_explore", "probe_analyze", "probe_plan", "probe_auto"]
PROBES: dict[str, Probe] = {
    "explore": "probe_explore",
    "analyze": "probe_analyze",
    "plan": "probe_plan",
    "auto": "probe_auto",
}


def route_mode(state: SessionState) -> Probe:
    """Return the probe of the mode that was asked for."""
    return PROBES[state.mode]


def route_budget(state: SessionState, *, ceiling: Callable[[SessionState], int]) -> Literal["compress", "llm_call"]:
    """Return `compress` when the prompt is over the budget."""
    assert state.prompt is not None, "structure has made it"
    return "compress" if state.prompt.tokens > ceiling(state) else "llm_call"


def route_reply(state: SessionState, *, tools: Mapping[str, Tool]) -> str | Sequence[str | Send]:
    """Return where a reply leads: its tool calls, the user's approval, a new context, or the notes."""
    if state.reply is None:
        return "gather"  # the provider found the request too long: once more, smaller
    if not state.reply.calls:
        return "note_writer"
    return "approve" if undecided(state, tools) else route_calls(state, tools=tools)


def route_calls(state: SessionState, *, tools: Mapping[str, Tool]) -> Sequence[str | Send]:
    """Return `act` for tool calls, and one `delegate` per sub-agent asked for: all in one superstep."""
    calls = state.reply.calls if state.reply else []
    tasks = delegated(calls, tools)
    sends: list[str | Send] = [Send("delegate", task_of(state, call)) for call in tasks]
    return [*sends, "act"] if len(tasks) < len(calls) else sends


def task_of(state: SessionState, call: ToolCall) -> Task:
    """Return a call as a sub-agent gets it: with all it needs to know, because it sees nothing else."""
    return Task(
        call=call,
        step=state.step,
        session=state.session,
        turn=state.turn,
        turn_id=state.turn_id,
        model=state.reply.model if state.reply else "",
    )


def route_history(state: SessionState, *, is_full: Callable[[Sequence[Message]], bool]) -> str:
    """Return `compact` when the window of earlier messages is full."""
    return "compact" if is_full(state.history) else END
