"""Do what the reply asks for: run the tool calls, in parallel, each result through one gate."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

from ..state.session import Decision, Exchange, SessionState, ToolCall
from ..tools.toolset.calling import caller_of, decision_on
from ..tools.toolset.delegate import delegated
from ..tools.toolset.gate import Gate
from ..tools.toolset.learned import NO_RESULT
from ..tools.toolset.tool import Outcome, Tool, call_tool

SAME_RESULTS = 3
"""The same call with the same result this often is a loop: the model is told, and stopped when it goes on."""
TOLD = f"{NO_RESULT} has now given the same result {SAME_RESULTS} times: do something else, or answer.]"
MOST_HEARD = 50
"""Ids of messages that are remembered."""
Mail = Callable[[str, Collection[str]], Mapping[str, str]]
"""Returns, by id, what was said to a session and is not yet heard."""
MOST_CALLS = 8
"""Calls of one reply that are run; the others are answered with this rule."""


class ActUpdate(TypedDict, total=False):
    """What `act` writes."""

    exchanges: list[Exchange]
    outcome: str
    stats: dict[str, int]
    notes: list[str]
    request: str
    heard: list[str]


def act(
    state: SessionState,
    *,
    tools: Mapping[str, Tool],
    gate: Gate,
    mail: Mail = lambda *_: {},
    workers: int = 4,
) -> ActUpdate:
    """Read `reply`, `exchanges` and decisions; write the new `exchanges`, `stats`, `notes`, and `request` with mail.

    Args:
        state: The session.
        tools: By name.
        gate: What every result passes.
        mail: Where the user adds something between steps.
        workers: Calls run at the same time.
    """
    assert state.reply is not None, "route_reply sends only replies with calls here"
    for_agents = {call.id for call in delegated(state.reply.calls, tools)}
    mine = [call for call in state.reply.calls if call.id not in for_agents]
    outcomes = run_calls(state, mine, tools, workers)
    exchanges: list[Exchange] = []
    stop = state.outcome
    for call, outcome in zip(mine, outcomes, strict=True):
        text, handle = gate.admit(outcome.text)
        if repeats(state.exchanges, call, text) + 1 >= SAME_RESULTS:
            if told(state.exchanges, call):
                stop = f"stopped: {call.name} was called the same way again after {SAME_RESULTS} equal results"
            text = TOLD
        exchanges.append(
            Exchange(
                call=call,
                result=text,
                handle=handle,
                failed=outcome.failed,
                step=state.step,
                reasoning=state.reply.text,
                thinking=state.reply.thinking,
                model=state.reply.model,
            )
        )
    noted = list(dict.fromkeys([*state.notes, *(note for outcome in outcomes for note in outcome.notes)]))
    update: ActUpdate = {"exchanges": exchanges, "outcome": stop, "stats": _added(outcomes), "notes": noted}
    if said := mail(state.session, state.heard):
        update["request"] = "\n\n".join([state.request, *said.values()])
        update["heard"] = [*state.heard, *said][-MOST_HEARD:]
    return update


def run_calls(state: SessionState, calls: Sequence[ToolCall], tools: Mapping[str, Tool], workers: int) -> list[Outcome]:
    """Return one outcome per call, in their order; calls that ask for the same thing are run once."""
    caller = caller_of(state)
    decisions: dict[str, Decision | None] = {
        call.id: decision_on(state, tools, call, caller) for call in calls[:MOST_CALLS]
    }
    first = {_key(call): call for call in reversed(calls[:MOST_CALLS])}

    def run(call: ToolCall) -> Outcome:
        remark = state.remarks.get(call.id, "")
        return call_tool(tools, call, caller, decision=decisions[call.id], remark=remark)

    with ThreadPoolExecutor(max_workers=workers) as pool:
        done = dict(zip(first, pool.map(run, first.values()), strict=True))
    return [done[_key(call)] for call in calls[:MOST_CALLS]] + [_too_many(len(calls)) for _ in calls[MOST_CALLS:]]


def repeats(exchanges: Sequence[Exchange], call: ToolCall, result: str) -> int:
    """Return how often exactly this call has given exactly this result in earlier steps of this turn."""
    key = _key(call)
    return len({each.step for each in exchanges if each.result == result and _key(each.call) == key})


def told(exchanges: Sequence[Exchange], call: ToolCall) -> bool:
    """Return whether the model was told before that this call leads nowhere."""
    return repeats(exchanges, call, TOLD) > 0


def _key(call: ToolCall) -> str:
    return f"{call.name} {json.dumps(call.arguments, sort_keys=True, default=str)}"


def _too_many(asked: int) -> Outcome:
    return Outcome(text=f"Not run: {asked} calls in one reply, at most {MOST_CALLS} are run. Ask again.", failed=True)


def _added(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Return the statistics of distinct outcomes."""
    total: dict[str, Any] = {"tool_calls": len(outcomes)}
    for outcome in {id(each): each for each in outcomes}.values():
        for name, count in outcome.counts.items():
            total[name] = total.get(name, 0) + count
    return total
