"""Do what the reply asks for: run the tool calls, in parallel, each result through one gate."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

from ..state.session import Exchange, SessionState, ToolCall
from ..tools.toolset.tool import Gate, Outcome, Tool, call_tool

SAME_RESULTS = 3
"""The same call with the same result this often is a loop: the model is told."""
TOLD = f"[The same call has now given the same result {SAME_RESULTS} times: do something else, or answer.]"
MOST_CALLS = 8
"""Calls of one reply that are run; the others are answered with this rule."""


class ActUpdate(TypedDict):
    """What `act` writes."""

    exchanges: list[Exchange]
    outcome: str
    stats: dict[str, int]
    notes: list[str]


def act(state: SessionState, *, tools: Mapping[str, Tool], gate: Gate, workers: int = 4) -> ActUpdate:
    """Read `reply`, `exchanges` and `approvals`; write the new `exchanges`, `stats` and `notes`."""
    assert state.reply is not None, "route_reply sends only replies with calls here"
    mine = [call for call in state.reply.calls if call.name != "delegate"]
    with ThreadPoolExecutor(max_workers=workers) as pool:
        outcomes = list(pool.map(lambda call: call_tool(tools, call), mine[:MOST_CALLS]))
    outcomes += [_too_many(len(mine)) for _ in mine[MOST_CALLS:]]
    exchanges = []
    stop = state.outcome
    for call, outcome in zip(mine, outcomes, strict=True):
        text, handle = gate.admit(outcome.text)
        if told(state.exchanges, call):
            stop = f"stopped: {call.name} was called the same way again after {SAME_RESULTS} equal results"
        if repeats(state.exchanges, call, text) + 1 >= SAME_RESULTS:
            text = TOLD
        exchange = Exchange(call=call, result=text, handle=handle, failed=outcome.failed, step=state.step)
        exchanges.append(exchange.model_copy(update={"reasoning": state.reply.text}))
    noted = list(dict.fromkeys([*state.notes, *(note for outcome in outcomes for note in outcome.notes)]))
    return {"exchanges": exchanges, "outcome": stop, "stats": _added(outcomes), "notes": noted}


def repeats(exchanges: Sequence[Exchange], call: ToolCall, result: str) -> int:
    """Return how often exactly this call has given exactly this result in this turn."""
    return sum(same_call(each.call, call) and each.result == result for each in exchanges)


def told(exchanges: Sequence[Exchange], call: ToolCall) -> bool:
    """Return whether the model was told before that this call leads nowhere."""
    return any(same_call(each.call, call) and each.result == TOLD for each in exchanges)


def same_call(one: ToolCall, other: ToolCall) -> bool:
    """Return whether two calls ask for the same thing."""
    return one.name == other.name and _canonical(one.arguments) == _canonical(other.arguments)


def _canonical(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True, default=str)


def _too_many(asked: int) -> Outcome:
    return Outcome(text=f"Not run: {asked} calls in one reply, at most {MOST_CALLS} are run. Ask again.", failed=True)


def _added(outcomes: Sequence[Outcome]) -> dict[str, int]:
    total = {"tool_calls": len(outcomes)}
    for outcome in outcomes:
        for name, count in outcome.counts.items():
            total[name] = total.get(name, 0) + count
    return total
