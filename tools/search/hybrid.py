"""Words and meaning together: each signal divided by its best, weighted, summed."""

from collections.abc import Mapping

VECTOR_WEIGHT = 0.3
"""Of meaning against words, for texts. Sums keep how much better the best is; fusing ranks would lose it."""


def fuse(signals: Mapping[str, Mapping[str, float]], weights: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Return the parts of the score by id: each signal divided by its maximum, times its weight; values > 0 only."""
    parts: dict[str, dict[str, float]] = {}
    for name, scores in signals.items():
        best = max(scores.values(), default=0.0)
        for key, score in scores.items():
            if score > 0 and weights[name] > 0:
                parts.setdefault(key, {})[name] = weights[name] * score / best
    return parts
