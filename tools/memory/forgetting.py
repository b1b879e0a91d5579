"""What may be forgotten: pure arithmetic over memories."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, get_args

from ...state.memories import Memory

Forgetting = Literal["importance", "age", "capacity"]
FORGETTING: tuple[Forgetting, ...] = get_args(Forgetting)

_DAYS_TO_FADE = 30.0
"""A memory nobody touched keeps 1/e of its strength after this many days."""


def age_days(memory: Memory, now: datetime) -> float:
    """Return how long a memory was not touched, in days, never below 0."""
    return max(0.0, (now - memory.updated_at).total_seconds() / 86_400)


def strength(memory: Memory, now: datetime) -> float:
    """Return importance x exp(-age / 30 days), in [0, 1]; facts (semantic) do not fade."""
    if memory.type == "semantic":
        return memory.importance
    return memory.importance * math.exp(-age_days(memory, now) / _DAYS_TO_FADE)


def forgettable(
    memories: Sequence[Memory],
    strategy: Forgetting,
    now: datetime,
    threshold: float = 0.1,
    max_age_days: float = 30.0,
    capacity: int = 1000,
) -> list[Memory]:
    """Return what a strategy would remove, weakest first."""
    weakest = sorted(memories, key=lambda each: (strength(each, now), each.updated_at, each.id))
    if strategy == "importance":
        return [each for each in weakest if each.importance < threshold]
    if strategy == "age":
        return [each for each in weakest if age_days(each, now) > max_age_days]
    return weakest[: max(0, len(weakest) - max(0, capacity))]
