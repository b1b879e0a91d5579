"""Memories counted and listed, as plain data."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...state.memories import MEMORY_TYPES, Memory
from .records import plain


def summary_of(memories: Sequence[Memory], limit: int) -> dict[str, Any]:
    """Return counts by type and the `limit` strongest and newest memories."""
    newest = sorted(memories, key=lambda each: each.updated_at, reverse=True)
    strongest = sorted(memories, key=lambda each: (-each.importance, -each.updated_at.timestamp()))
    return {
        "total": len(memories),
        "by_type": dict(Counter(each.type for each in memories)),
        "important": [plain(each) for each in strongest[:limit]],
        "recent": [plain(each) for each in newest[:limit]],
    }


def stats_of(memories: Sequence[Memory]) -> dict[str, Any]:
    """Return how many memories there are, their mean importance in [0, 1] and their age range, by type."""
    by_type = {name: [each for each in memories if each.type == name] for name in MEMORY_TYPES}
    return {
        name: {
            "count": len(group),
            "mean_importance": round(sum(each.importance for each in group) / len(group), 3) if group else None,
            "oldest": min(each.created_at for each in group).isoformat() if group else None,
            "newest": max(each.updated_at for each in group).isoformat() if group else None,
        }
        for name, group in by_type.items()
    }
