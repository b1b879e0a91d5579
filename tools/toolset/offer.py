"""Which tools a model is offered: definitions are part of every request, and a small window cannot hold them all."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..tokens import TokenCounter
from .tool import Tool

BY_WORTH = (
    "terminal",
    "read_lines",
    "search_code",
    "expand",
    "notes_search",
    "note_write",
    "plan_update",
    "facts",
    "recall",
    "delegate",
)
"""What a model misses most stands first."""
PER_TOOL = 8
"""Tokens a provider adds around each definition."""


def offered(tools: Mapping[str, Tool], room: int, counter: TokenCounter) -> Sequence[Mapping[str, Any]]:
    """Return the definitions of as many tools as fit into `room` tokens, those of most use first.

    Args:
        tools: By name; names not in `BY_WORTH` come last.
        room: Most tokens of all definitions together.
        counter: Counts tokens.
    """
    names = [*(name for name in BY_WORTH if name in tools), *(name for name in tools if name not in BY_WORTH)]
    chosen: list[Mapping[str, Any]] = []
    for name in names:
        definition = tools[name].definition()
        size = PER_TOOL + counter.count(json.dumps(definition, ensure_ascii=False))
        if size <= room:
            chosen.append(definition)
            room -= size
    return chosen
