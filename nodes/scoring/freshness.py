"""Freshness: how much a packet is worth for being recent, by what it is."""

import math
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

FLOOR = 0.1
DEFAULT_DECAY = 0.1
"""Per day; Hello-Agents, ch. 9.3."""
DECAY: Mapping[str, float] = MappingProxyType(
    {
        "conversation_history": 0.5,  # yesterday's talk is mostly settled
        "terminal": 0.5,
        "note": 0.03,  # a project remembers for months
        # what is true until somebody changes it does not age
        "blocker": 0.0,
        "task_state": 0.0,
        "plan": 0.0,
        "goal": 0.0,
        "fact": 0.0,
        "recalled": 0.0,
        "code": 0.0,
        "rag": 0.0,
        "rag_result": 0.0,
    }
)
"""Decay per day by packet type, or by a note's own type."""


def freshness(kind: str, created_at: datetime | None, now: datetime) -> float:
    """Return how fresh a packet is, from 0.1 (old) to 1.0 (just now, undated, or of a kind that does not age).

    exp(-decay x age in days), with the decay of its kind. A time in the future counts as now.
    """
    decay = DECAY.get(kind, DEFAULT_DECAY)
    if created_at is None or not decay or created_at >= now:
        return 1.0
    return max(FLOOR, math.exp(-decay * (now - created_at).total_seconds() / 86_400))
