"""Okapi BM25 over postings: how telling the terms are that a document holds."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .postings import Corpus, Posting

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


def bm25(
    postings: Iterable[Posting], corpus: Corpus, weights: Mapping[str, float], *, k1: float, b: float
) -> "NDArray[float32]":
    """Return Okapi BM25 by field and document, shape (fields, n), every value >= 0.

    `weights` are the query's terms. The idf is ln(1 + (N - df + 0.5) / (df + 0.5)) with df counted in the field
    (Robertson and Zaragoza 2009, in the variant of Lucene, which is never negative).
    """
    import numpy as np

    n = len(corpus.numbers)
    scores = np.zeros((corpus.lengths.shape[0], n), dtype="f4")
    damping: dict[int, NDArray[float32]] = {}
    for posting in postings:
        field = posting.field
        if field not in damping:
            average = max(float(corpus.lengths[field].mean(dtype="f8")), 1e-9)
            damping[field] = np.float32(k1 * (1 - b)) + corpus.lengths[field] * np.float32(k1 * b / average)
        df = len(posting.documents)
        worth = weights[posting.term] * np.log1p((n - df + 0.5) / (df + 0.5)) * (k1 + 1)
        counts = posting.counts
        scores[field, posting.documents] += np.float32(worth) * counts / (counts + damping[field][posting.documents])
    return scores
