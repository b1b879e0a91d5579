"""Put commands outside the list to the user: a node of its own, because an interrupt runs its node again."""

from collections.abc import Callable, Sequence
from typing import TypedDict, get_args

from langgraph.types import interrupt

from ..state.session import Decision, SessionState, ToolCall


class ApproveUpdate(TypedDict):
    """What `approve` writes."""

    approvals: dict[str, Decision]


class Proposal(TypedDict):
    """What the user is asked."""

    call: str
    """Id of the tool call: the key of the answer."""
    command: str
    reason: str
    """Why it is not run without asking."""


def approve(state: SessionState, *, propose: Callable[[ToolCall], Proposal | None]) -> ApproveUpdate:
    """Read `reply`; interrupt with the commands that need a yes; write `approvals`.

    The answer is a mapping of call id to `once`, `session` or `never`, or one of these for all.
    """
    asked = proposals(state, propose)
    answer = interrupt({"kind": "approval", "commands": asked})
    return {"approvals": {**state.approvals, **decisions(asked, answer)}}


def proposals(state: SessionState, propose: Callable[[ToolCall], Proposal | None]) -> list[Proposal]:
    """Return the calls of the reply that nobody has decided on and that need a decision."""
    calls = state.reply.calls if state.reply else []
    found = [propose(call) for call in calls if call.id not in state.approvals]
    return [each for each in found if each is not None]


def decisions(asked: Sequence[Proposal], answer: object) -> dict[str, Decision]:
    """Return a decision for every proposal; whatever is not a clear yes is a no."""
    by_call = answer if isinstance(answer, dict) else {each["call"]: answer for each in asked}
    return {each["call"]: _decision(by_call.get(each["call"])) for each in asked}


def _decision(value: object) -> Decision:
    return next((each for each in get_args(Decision) if each == value), "never")
