"""Texts and turns as they stand in the log."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ...state.turns import Said, Turn
from .log import Record

_HANDLE_DIGITS = 16
"""64 bits: among a million texts the chance that two share a handle is 3 in 10^8, and that is detected."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of an archived text, by lines."""

    text: str
    first: int
    """Number of its first line, from 1."""
    last: int
    total: int
    """Lines of the whole text."""


def excerpt(text: str, first: int, lines: int) -> Excerpt:
    """Return up to `lines` lines of a text from line `first` (from 1) on, at least one."""
    parts = text.split("\n")
    first = max(1, min(first, len(parts)))
    chosen = parts[first - 1 : first - 1 + max(1, lines)]
    return Excerpt("\n".join(chosen), first, first + len(chosen) - 1, len(parts))


def handle_of(text: str) -> str:
    """Return the handle of a text: the beginning of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HANDLE_DIGITS]


def text_record(handle: str, text: str) -> Record:
    """Return a text as a record."""
    return {"t": "object", "handle": handle, "text": text}


def turn_record(turn: Turn) -> Record:
    """Return a turn as a record; its texts are named by their handles."""
    return {
        "t": "turn",
        "id": turn.id,
        "session": turn.session,
        "parent": turn.parent,
        "at": turn.at.isoformat(),
        "said": [[each.role, each.handle, each.name, each.command] for each in turn.said],
        "prompts": list(turn.prompts),
        "facts": [dict(fact) for fact in turn.facts],
    }


def turn_of(record: Record, number: int, text: Callable[[str], str]) -> Turn:
    """Return the turn of a record; `text` gives a text by its handle."""
    said = tuple(
        Said(role=role, text=text(handle), name=name, command=command, handle=handle)
        for role, handle, name, command in record["said"]
    )
    return Turn(
        id=record["id"],
        session=record["session"],
        at=datetime.fromisoformat(record["at"]),
        said=said,
        parent=record["parent"],
        prompts=tuple(record["prompts"]),
        number=number,
        facts=tuple(record["facts"]),
    )
