"""Readable names and the thread ids behind them."""

import re
import uuid

from ...state.errors import SessionError

NAMESPACE = uuid.UUID("6f4dbb4e-3d0e-5b0e-9d53-1f6a0a4f6f11")
"""Fixed for ever: all thread ids follow from it."""
MAX_LENGTH = 100


def thread_id(name: str) -> str:
    """Return the thread id of a session: a UUID, as Studio demands, and the same on every machine.

    Raises:
        SessionError: The name is empty, longer than 100 characters, or holds a line break or a control character.
    """
    if not name.strip() or len(name) > MAX_LENGTH or not name.isprintable():
        raise SessionError(
            f"session name {name[:MAX_LENGTH]!r}: must have 1 to {MAX_LENGTH} printable characters; choose another name"
        )
    return str(uuid.uuid5(NAMESPACE, name.strip()))


def label(text: str) -> str:
    """Return the label of a mark, without blanks at its ends.

    Raises:
        SessionError: It is empty, longer than 100 characters, holds a line break or a control character, or reads as a
            step number or a turn, by which it could never be found.
    """
    found = text.strip()
    if not found or len(found) > MAX_LENGTH or not found.isprintable() or re.fullmatch(r"[t-]?[0-9]+", found):
        raise SessionError(
            f"mark {text[:MAX_LENGTH]!r}: must have 1 to {MAX_LENGTH} printable characters and be no number or turn "
            "(t3); choose another label"
        )
    return found
