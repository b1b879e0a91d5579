"""Put what needs a yes to the user: a node of its own, because an interrupt runs its node again."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, get_args

from langgraph.types import interrupt

from ..state.session import Decision, SessionState, ToolCall
from ..tools.toolset.calling import undecided
from ..tools.toolset.tool import Asked, Tool

YES_OR_NO: tuple[Decision, ...] = get_args(Decision)


class ApproveUpdate(TypedDict):
    """What `approve` writes."""

    approvals: dict[str, Decision]
    agreed: dict[str, Decision]
    remarks: dict[str, str]


class Question(TypedDict):
    """What the user is asked."""

    call: str
    """Id of the tool call: the key of the answer."""
    tool: str
    what: str
    """The command, the plan or the note, whole."""
    reason: str
    """Why it is not done without asking."""
    risk: str


def approve(state: SessionState, *, tools: Mapping[str, Tool]) -> ApproveUpdate:
    """Read `reply`; interrupt with the calls that need a yes; write `approvals`, `agreed` and `remarks`.

    The answer is `once`, `session` or `never` for all of them, or a mapping of call ids to these. Any other text is a
    no that the model gets to read: so a plan is sent back with what should change.
    """
    asked = undecided(state, tools)
    if not asked:  # edited away in Studio
        return {"approvals": state.approvals, "agreed": state.agreed, "remarks": state.remarks}
    answer = interrupt({"kind": "approval", "questions": questions(asked), "answers": list(YES_OR_NO)})
    return decided(state, asked, answer)


def questions(asked: Sequence[tuple[ToolCall, Asked]]) -> list[Question]:
    """Return what the user is shown."""
    return [
        {"call": call.id, "tool": call.name, "what": each.what, "reason": each.reason, "risk": each.risk}
        for call, each in asked
    ]


def decided(state: SessionState, asked: Sequence[tuple[ToolCall, Asked]], answer: Any) -> ApproveUpdate:
    """Return the answer as decisions; whatever is not a clear yes is a no."""
    by_call = answer if isinstance(answer, dict) else {call.id: answer for call, _ in asked}
    approvals, agreed, remarks = dict(state.approvals), dict(state.agreed), dict(state.remarks)
    for call, each in asked:
        said = by_call.get(call.id)
        clear: Decision | None = next((decision for decision in YES_OR_NO if decision == said), None)
        approvals[call.id] = clear or "never"
        if clear in ("session", "never"):
            agreed[each.what] = clear
        elif clear is None and isinstance(said, str) and said.strip():
            remarks[call.id] = said.strip()
    return {"approvals": approvals, "agreed": agreed, "remarks": remarks}
