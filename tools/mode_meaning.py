"""What a request means to auto, by the sentence encoder that searches use: it adds to what the words say."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any

from .embeddings import Embedder
from .mode_choice import MOST_CHARS


class ModeMeaning:
    """Scores requests with weights that `python -m benchmarks modes --write` has learnt.

    The weights are of one encoder; any other one, and none, says nothing.
    """

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder

    def __call__(self, request: str) -> Mapping[str, float]:
        """Return how much a request's meaning speaks for explore, analyze and plan: logits, that of unclear is 0.

        Empty where there is no encoder the weights are for.

        Raises:
            SearchError: The encoder cannot be loaded.
        """
        if self._embedder is None or self._embedder.name != self._learnt["embedder"]:
            return {}
        vector = [*map(float, self._embedder.embed([request[:MOST_CHARS]])[0]), 1.0]
        return {mode: _dot(vector, weights) for mode, weights in self._learnt["weights"].items()}

    @cached_property
    def _learnt(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads((files("maintainer.tools") / "mode_weights.json").read_text("utf-8"))
        return found


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(left * right for left, right in zip(one, other, strict=True))
