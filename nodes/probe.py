"""Probe: choose the mode where it is left open, and take the mode's first look."""

from collections.abc import Callable, Mapping
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


Meaning = Callable[[str], Mapping[str, float]]
"""Scores what a request means, by mode; see `ModeMeaning`."""


def nothing(_: str) -> Mapping[str, float]:
    """Say nothing about what a request means: its words decide alone."""
    return {}


def probe(state: SessionState, *, mode: Mode, looks: Mapping[Mode, Look], meaning: Meaning = nothing) -> ProbeUpdate:
    """Read `request`, `language` and the `active_mode` of the turn before; write the mode at work and `first_look`.

    What stands in `first_look` already, the changes since the last turn, stays in front. A look that fails costs what
    it would have shown, not the turn.
    """
    chosen, reason, missed = mode_of(state, mode, meaning)
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
            "failures": [*missed, failure],
        }
    return {
        "active_mode": chosen,
        "mode_reason": reason,
        "first_look": [*state.first_look, *found.packets],
        "stats": dict(found.stats),
        "failures": [*missed, *found.failures],
    }


def mode_of(state: SessionState, asked: Mode, meaning: Meaning = nothing) -> tuple[Mode, str, list[Failure]]:
    """Return the mode to work in, for auto the reason in the request's language, and what could not be asked."""
    if asked != "auto":
        return asked, "", []
    missed: list[Failure] = []
    try:
        scores = meaning(state.request)
    except MaintainerError as error:
        scores, missed = {}, [Failure(where="probe_auto", reason=f"the mode was chosen by words alone: {error}")]
    before = state.active_mode if state.turn > 1 else None
    choice = pick_mode(state.request, language=state.language, previous=before, meaning=scores)
    return choice.mode, choice.reason, missed
