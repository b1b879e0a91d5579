"""A tool call seen from the session: on whose behalf it is made, and what the user decided on it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from ...state.session import Decision, SessionState, ToolCall
from .tool import Asked, Caller, Tool, to_ask

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def caller_of(state: SessionState) -> Caller:
    """Return on whose behalf the tools of a turn work."""
    return Caller(
        session=state.session,
        turn=state.turn,
        started_at=state.started_at or _EPOCH,
        turn_id=state.turn_id,
        head=state.head,
    )


def decision_on(state: SessionState, tools: Mapping[str, Tool], call: ToolCall, caller: Caller) -> Decision | None:
    """Return what the user said to a call, now or for the whole session; None where they have not been asked."""
    if call.id in state.approvals:
        return state.approvals[call.id]
    asked = to_ask(tools, call, caller) if state.agreed else None
    return state.agreed.get(asked.what) if asked else None


def undecided(state: SessionState, tools: Mapping[str, Tool]) -> Sequence[tuple[ToolCall, Asked]]:
    """Return the calls of the reply that the user must agree to first and has not been asked about."""
    caller = caller_of(state)
    found = []
    for call in state.reply.calls if state.reply else []:
        asked = to_ask(tools, call, caller)
        if asked is not None and call.id not in state.approvals and asked.what not in state.agreed:
            found.append((call, asked))
    return found
