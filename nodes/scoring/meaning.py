"""Closeness of meaning, for few candidates: what words alone miss, above all across languages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...tools.embeddings import Embedder

UNRELATED = 0.3
"""Cosine up to which two texts are as close as any two; 95 of 100 unrelated pairs are below 0.27 (measured)."""
SPAN = 0.5
"""From unrelated to saying the same."""
TRUST = 0.6
"""Most that meaning alone can give: a sentence encoder of this size errs more often than shared rare words."""
_LONGEST = 2_000
"""Characters embedded: a sentence encoder averages, so more of a long text says less."""
_MOST = 5_000


class Meaning:
    """An embedder that remembers the vectors of texts."""

    def __init__(self, embedder: "Embedder") -> None:
        self._embedder = embedder
        self._vectors: dict[str, Any] = {}

    def cosines(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of each text with the question, in [-1, 1].

        Raises:
            SearchError: The embedder cannot be used.
        """
        wanted = [question[:_LONGEST], *(text[:_LONGEST] for text in texts)]
        missing = [text for text in dict.fromkeys(wanted) if text not in self._vectors]
        if len(self._vectors) + len(missing) > _MOST:
            self._vectors, missing = {}, list(dict.fromkeys(wanted))
        if missing:
            self._vectors |= zip(missing, self._embedder.embed(missing), strict=True)
        asked = self._vectors[wanted[0]]
        return [float(self._vectors[text] @ asked) for text in wanted[1:]]


def closeness(meaning: Meaning | None, question: str, texts: Sequence[str]) -> list[float]:
    """Return for each text how close its meaning is, in [0, 0.6]; 0 without an embedder.

    Raises:
        SearchError: The embedder cannot be used.
    """
    if meaning is None or not texts:
        return [0.0] * len(texts)
    return [TRUST * min(1.0, max(0.0, (cosine - UNRELATED) / SPAN)) for cosine in meaning.cosines(question, texts)]
