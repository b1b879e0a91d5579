"""Whatever a model answers, made fit to be stored, shown and sent back."""

import json
from collections.abc import Mapping
from typing import Any

from ...state.session import Reply, ToolCall
from ..repair import INVALID_JSON
from ..secrets import mask

MOST_CALLS = 40
"""Calls of one reply that are looked at; a model that asks for more has lost its way."""
MOST_ARGUMENT_CHARS = 20_000
MOST_TEXT_CHARS = 200_000
_DEEPEST = 20
_INT64 = 2**63


def sound(reply: Reply, step: int) -> Reply:
    """Return the reply with what checkpoints, providers and approvals rely on.

    Every call gets an id that is unique in the turn: providers and small models number anew in every reply, and a
    "yes" to one call must never be a yes to a later one. (Nine letters and digits: the strictest provider's rule.)
    Texts have no lone surrogates and an end; arguments no numbers over 64 bits, no depth without bottom. Secrets are
    masked here, because the reply and its arguments go into checkpoints and the archive.
    """
    calls = [_call(call, f"c{step:04d}{place:04d}") for place, call in enumerate(reply.calls[:MOST_CALLS])]
    notices = list(reply.notices)
    if len(reply.calls) > MOST_CALLS:
        notices.append(f"{reply.model} made {len(reply.calls)} calls at once: only {MOST_CALLS} were looked at")
    return reply.model_copy(
        update={"text": _text(reply.text, MOST_TEXT_CHARS), "calls": calls, "notices": [*map(_clean, notices)]}
    )


def _call(call: ToolCall, new_id: str) -> ToolCall:
    try:
        size = len(json.dumps(call.arguments, default=str))
        arguments = _plain(call.arguments, 0) if size <= MOST_ARGUMENT_CHARS else None
    except (ValueError, RecursionError):  # deeper or more tangled than any schema
        arguments = None
    if not isinstance(arguments, dict):
        arguments = {INVALID_JSON: f"over {MOST_ARGUMENT_CHARS} characters, or nested over {_DEEPEST} deep"}
    return ToolCall(id=new_id, name=_text(call.name, 64) or "?", arguments=arguments)


def _plain(value: Any, depth: int) -> Any:
    """Return a JSON value as any store can hold it.

    Raises:
        ValueError: It is nested too deeply.
    """
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, Mapping):
        return {_clean(str(key)): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, depth + 1) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -_INT64 <= value < _INT64:
        return str(value)
    return mask(_clean(value)) if isinstance(value, str) else value


def _text(text: str, most: int) -> str:
    return mask(_clean(text if len(text) <= most else f"{text[:most]} [...]"))


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
