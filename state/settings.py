"""Settings: frozen, checked once, in their own constructors."""

import math
from dataclasses import dataclass

from .errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class ContextConfig:
    """How one context is built (defaults: Hello-Agents, ch. 9.3)."""

    max_tokens: int = 3000
    """Ceiling of the whole request, in tokens of the session's tokenizer; > 0."""
    reserve_ratio: float = 0.2
    """Share of `max_tokens` reserved for system instructions, in [0, 1]."""
    min_relevance: float = 0.1
    """Packets less relevant than this are dropped, in [0, 1]."""
    enable_compression: bool = True
    recency_weight: float = 0.3
    relevance_weight: float = 0.7
    """The two weights are in [0, 1] and add up to 1."""

    def __post_init__(self) -> None:
        if isinstance(self.max_tokens, bool) or not isinstance(self.max_tokens, int) or self.max_tokens <= 0:
            raise ConfigError("max_tokens", self.max_tokens, "must be a whole number above 0")
        for name in ("reserve_ratio", "min_relevance", "recency_weight", "relevance_weight"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
                raise ConfigError(name, value, "must be a number in [0, 1]")
        total = self.recency_weight + self.relevance_weight
        if not math.isclose(total, 1.0, abs_tol=1e-9):
            raise ConfigError("recency_weight + relevance_weight", total, "must add up to 1.0")


MAINTAINER_CONTEXT = ContextConfig(max_tokens=4000, reserve_ratio=0.15, min_relevance=0.2)
"""The graph's own defaults: a little more room, a stricter threshold."""
