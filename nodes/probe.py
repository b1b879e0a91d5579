"""Probe: choose the mode where it is left open, and take the mode's first look."""

from collections.abc import Mapping
from typing import TypedDict

from ..state.errors import MaintainerError
from ..state.modes import Mode
from ..state.packet import ContextPacket, Need
from ..state.session import Failure, SessionState
from ..tools.first_look import Look
from ..tools.mode_choice import pick_mode


class ProbeUpdate(TypedDict):
    """What `probe` writes."""

    active_mode: Mode
    mode_reason: str
    first_look: list[ContextPacket]
    stats: dict[str, int]
    failures: list[Failure]


def probe(state: SessionState, *, mode: Mode, looks: Mapping[Mode, Look]) -> ProbeUpdate:
    """Read `request`, `language` and the `active_mode` of the turn before; write the mode at work and `first_look`.

    What stands in `first_look` already, the changes since the last turn, stays in front. A look that fails costs what
    it would have shown, not the turn.
    """
    chosen, reason = mode_of(state, mode)
    need = Need(text=state.request, mode=chosen, session=state.session, turn=state.turn, goal=state.goal)
    try:
        found = looks[chosen](need, state.language)
    except (MaintainerError, OSError) as error:
        failure = Failure(where=f"probe_{chosen}", reason=str(error))
        return {
            "active_mode": chosen,
            "mode_reason": reason,
            "first_look": state.first_look,
            "stats": {},
            "failures": [failure],
        }
    return {
        "active_mode": chosen,
        "mode_reason": reason,
        "first_look": [*state.first_look, *found.packets],
        "stats": dict(found.stats),
        "failures": list(found.failures),
    }


def mode_of(state: SessionState, asked: Mode) -> tuple[Mode, str]:
    """Return the mode to work in, and for auto the reason in the request's language."""
    if asked != "auto":
        return asked, ""
    choice = pick_mode(state.request, language=state.language, previous=state.active_mode if state.turn > 1 else None)
    return choice.mode, choice.reason
