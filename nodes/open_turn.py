"""Open a turn: a clean desk, a number, and a look at what has changed since the last one."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Overwrite

from ..state.errors import ConfigError
from ..state.session import SCHEMA_VERSION, Failure, Language, SessionState, Usage
from ..state.situation import Since, Situation, changes, drift_packets
from ..tools.clock import Clock
from ..tools.secrets import mask
from .prompts.request import language_of

_LOST = "what was said before can no longer be read from the archive: the session goes on with what its window holds"


def open_turn(
    state: SessionState,
    config: RunnableConfig,
    *,
    clock: Clock,
    observe: Callable[[Situation | None], Situation],
    last_seen: Callable[[str], Situation | None],
    see: Callable[[str, Situation], None],
    happened: Callable[[str, str, Language, bool], Since],
    edited: Callable[[], list[str]],
    holds: Callable[[str], bool],
    repo: str,
    language: Language | None = None,
) -> dict[str, Any]:
    """Read the input; write everything that belongs to this turn, empty, with the drift as its first packets.

    Args:
        observe: Looks at the world as it is now, given how the turn before saw it.
        last_seen: Returns the world as the last session before the named one left it.
        see: Remembers what a session sees, for the next one.
        happened: Tells what happened since a commit, for a session and in a language, with findings or without.
        edited: Names what was changed and not committed since the last session looked.
        holds: Says whether the archive can still give a turn; a session outlives an archive that was lost or damaged.
        language: Of the answer; None means that of the request.

    Raises:
        ConfigError: The request is empty.
    """
    if not state.request.strip():
        raise ConfigError("request", state.request, "must say what you want to know, for example 'how is this built?'")
    request = mask(state.request)  # masked already where it came by the command line, not where a server sent it
    named = config.get("configurable", {})
    spoken = language or language_of(state.request)
    session = state.session or str(named.get("session") or named.get("thread_id") or "session")
    then = state.situation or last_seen(session)
    now = observe(then)
    edits = edited() if then is not None and state.situation is None else []
    see(session, now)
    drifts = changes(then, now)
    moved = then is not None and any(drift.what == "head" for drift in drifts)
    since = happened(then.head, session, spoken, state.situation is None) if moved and then else None
    since = replace(since or Since(), edited=edits) if edits else since
    lost = bool(state.head) and not holds(state.head)
    return {
        **_clean_desk(),
        "failures": Overwrite([Failure(where="archive", reason=_LOST)] if lost else []),
        "head": "" if lost else state.head,
        "schema_version": SCHEMA_VERSION,
        "session": session,
        "repo": repo,
        "request": request,
        "goal": state.goal or request,
        "turn": state.turn + 1,
        # A server's caller gives no id, and the last turn's must not stand for this one.
        "turn_id": state.turn_id if state.turn_id not in ("", state.head) else uuid.uuid4().hex,
        "started_at": clock.now(),
        "language": spoken,
        "situation": now,
        "first_look": drift_packets(drifts, since=since, language=spoken),
    }


def _clean_desk() -> dict[str, Any]:
    return {
        "exchanges": Overwrite([]),
        "candidates": [],
        "sources": [],
        "selected": [],
        "dropped": [],
        "prompt": None,
        "receipt": "",
        "shrink": 1.0,
        "step": 0,
        "used": Overwrite(Usage()),
        "reply": None,
        "answer": "",
        "citations": [],
        "notes": [],
        "approvals": {},
        "remarks": {},
        "outcome": "",
        "stats": Overwrite({}),
    }
