"""Ranking memories: closeness first, then how strong they still are."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from ...state.memories import Memory
from ..search import Document, WordIndex
from .forgetting import strength

_STRENGTH_SHARE = 0.2
"""Of importance and freshness in a score; closeness to the query makes the rest."""


class Recall:
    """A word index that follows a store: it is told all memories at each search and takes in what changed."""

    def __init__(self) -> None:
        self._index = WordIndex(None, {"content": 1.0})
        self._known: dict[str, datetime] = {}

    def rank(self, query: str, memories: Mapping[str, Memory], now: datetime) -> list[Memory]:
        """Return the memories that share something with the query, best first, scored in [0, 1]."""
        self._follow(memories)
        hits = self._index.search(query, limit=max(1, len(self._known)), among=None)
        hits = [hit for hit in hits if hit.id in memories]
        best = max((hit.score for hit in hits), default=1.0)
        scored = [
            replace(
                memories[hit.id],
                score=(1 - _STRENGTH_SHARE) * hit.score / best + _STRENGTH_SHARE * strength(memories[hit.id], now),
            )
            for hit in hits
        ]
        return sorted(scored, key=lambda each: (-each.score, each.id))

    def _follow(self, memories: Mapping[str, Memory]) -> None:
        changed = [each for each in memories.values() if self._known.get(each.id) != each.updated_at]
        self._index.put(Document(each.id, {"content": each.content}) for each in changed)
        self._known.update((each.id, each.updated_at) for each in changed)
