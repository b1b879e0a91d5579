"""A conversation in any of the usual forms, as our messages."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import ValidationError

from ..state.errors import ConfigError
from ..state.session import Message

_RULE = "must be a Message, a LangChain message, {'role': ..., 'content': ...} or (role, content)"
_USER = frozenset({"user", "human"})


def read_conversation(items: Iterable[Any], now: datetime) -> list[Message]:
    """Return the messages of a conversation, oldest first; undated ones get `now`.

    Every role but `user` and `human` counts as the assistant's side. Messages without text are left out.

    Raises:
        ConfigError: An item has none of the usual forms.
    """
    messages = []
    for place, item in enumerate(items):
        role, content, when = _parts(item, place)
        text = _text(content)
        if text.strip():
            said_by: Literal["user", "assistant"] = "user" if str(role).lower() in _USER else "assistant"
            messages.append(_message(said_by, text, place, when, now))
    return messages


def _parts(item: Any, place: int) -> tuple[Any, Any, Any]:
    if isinstance(item, Mapping) and "content" in item:
        return item.get("role") or item.get("type") or "user", item["content"], item.get("timestamp")
    if isinstance(item, tuple | list) and len(item) == 2:
        return item[0], item[1], None
    if hasattr(item, "content") and not isinstance(item, Mapping | tuple | list):
        role = getattr(item, "role", None) or getattr(item, "type", None) or "user"
        return role, item.content, getattr(item, "timestamp", None)
    raise ConfigError(f"conversation_history[{place}]", item, _RULE)


def _text(content: Any) -> str:
    """Return the text of a message's content, which LangChain may give as a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part if isinstance(part, str) else str(part.get("text") or "") for part in content if part)
        return "\n".join(part for part in parts if part)
    return "" if content is None else str(content)


def _message(role: Literal["user", "assistant"], text: str, place: int, when: Any, now: datetime) -> Message:
    try:
        return Message(role=role, content=text, turn=place, timestamp=when or now)
    except ValidationError:
        return Message(role=role, content=text, turn=place, timestamp=now)
