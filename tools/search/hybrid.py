"""Words and meaning together: each signal divided by its best, weighted, summed."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from .protocol import Document, Hit, SearchIndex, VectorIndex

VECTOR_WEIGHT = 0.3
"""Of meaning against words for texts. Sums beat reciprocal ranks by .02 to .13 MRR (benchmarks/retrieval.py)."""
_POOL = 5
"""How many times more candidates than wanted are taken from each signal."""


def fuse(signals: Mapping[str, Mapping[str, float]], weights: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Return the parts of the score by id: each signal divided by its maximum, times its weight; values > 0 only."""
    parts: dict[str, dict[str, float]] = {}
    for name, scores in signals.items():
        best = max(scores.values(), default=0.0)
        for key, score in scores.items():
            if score > 0 and weights[name] > 0:
                parts.setdefault(key, {})[name] = weights[name] * score / best
    return parts


def spread(scores: Mapping[str, float], neighbours: Callable[[str], Sequence[str]], share: float) -> dict[str, float]:
    """Return what each id gets from its neighbours: the largest of their scores, times `share`."""
    received: dict[str, float] = {}
    for key, score in scores.items():
        for neighbour in neighbours(key):
            received[neighbour] = max(received.get(neighbour, 0.0), share * score)
    return received


class HybridIndex:
    """A `SearchIndex` over a word index and, where there is one, a vector index.

    Args:
        words: Finds by words; also knows ids and filters.
        vectors: Finds by meaning; None: words alone.
        vector_weight: Of meaning against words, which weigh 1; >= 0.
        neighbours: Ids next to an id, for example the turns before and after; they share in a hit's score.
        share: How much of a score neighbours get, in [0, 1].
    """

    def __init__(
        self,
        words: SearchIndex,
        vectors: VectorIndex | None = None,
        *,
        vector_weight: float = VECTOR_WEIGHT,
        neighbours: Callable[[str], Sequence[str]] | None = None,
        share: float = 0.3,
    ) -> None:
        self._words, self._vectors = words, vectors
        self._vector_weight = vector_weight
        self._neighbours, self._share = neighbours, share

    def put(self, documents: Iterable[Document]) -> None:
        """Add documents to both indexes; words first, so that a failing embedder costs meaning only."""
        documents = list(documents)
        self._words.put(documents)
        if self._vectors is not None:
            self._vectors.put({document.id: "\n".join(document.fields.values()) for document in documents})

    def remove(self, ids: Iterable[str]) -> None:
        """Forget documents; unknown ids are no error."""
        ids = list(ids)
        self._words.remove(ids)
        if self._vectors is not None:
            self._vectors.remove(ids)

    def ids(self) -> set[str]:
        """Return the ids of all documents."""
        return self._words.ids()

    def passing(self, ids: Iterable[str], among: Mapping[str, str | Collection[str]] | None = None) -> set[str]:
        """Return which of the ids are in the index and pass the filters."""
        return self._words.passing(ids, among)

    def search(
        self, query: str, limit: int = 10, among: Mapping[str, str | Collection[str]] | None = None
    ) -> list[Hit]:
        """Return the best documents, best first; each hit's parts are ``words``, ``vectors`` and ``neighbours``."""
        found = {hit.id: hit for hit in self._words.search(query, limit * _POOL, among)}
        signals: dict[str, Mapping[str, float]] = {"words": {key: hit.score for key, hit in found.items()}}
        if self._vectors is not None and self._vector_weight > 0:
            signals["vectors"] = self._vectors.nearest(query, limit * _POOL)
        parts = fuse(signals, {"words": 1.0, "vectors": self._vector_weight})
        if self._neighbours is not None:
            totals = {key: sum(part.values()) for key, part in parts.items()}
            for key, score in spread(totals, self._neighbours, self._share).items():
                parts.setdefault(key, {})["neighbours"] = score
        allowed = self._words.passing(parts.keys() - found.keys(), among) | found.keys()
        ranked = sorted((key for key in parts if key in allowed), key=lambda key: (-sum(parts[key].values()), key))
        return [
            Hit(key, sum(parts[key].values()), parts[key], found[key].matched if key in found else ())
            for key in ranked[: max(limit, 0)]
        ]
