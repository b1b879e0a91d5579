"""Settings: frozen, checked once, in their own constructors."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .errors import ConfigError

TYPE_WEIGHTS: Mapping[str, float] = MappingProxyType({"evidence": 1.1, "memory": 1.0, "history": 0.8})
"""Published weights by kind of packet, to be used as `ContextConfig.type_weights`."""


@dataclass(frozen=True, kw_only=True)
class ContextConfig:
    """How one context is built (defaults: Hello-Agents, ch. 9.3)."""

    max_tokens: int = 3000
    """Ceiling of the whole request, in tokens of the session's tokenizer; > 0."""
    reserve_ratio: float = 0.2
    """Share of `max_tokens` meant for system instructions, in [0, 1]. Classic keeps it free in any case; by default
    what the instructions leave of it is lent to evidence, and a receipt says when they are longer."""
    min_relevance: float = 0.1
    """Packets less relevant than this are dropped, in [0, 1]."""
    enable_compression: bool = True
    """Whether a text may be shortened to fit; without it, what does not fit whole is left out."""
    recency_weight: float = 0.3
    relevance_weight: float = 0.7
    """The two weights are in [0, 1] and add up to 1."""
    reply_reserve: int = 0
    """Tokens of `max_tokens` kept free for the reply, in [0, max_tokens)."""
    type_weights: Mapping[str, float] = field(default_factory=dict)
    """Factors on the score by kind (`evidence`, `memory`, `history`, `note` or a packet type), each > 0."""
    adaptive: bool = False
    """Whether easy requests and a loaded session get less than `max_tokens`."""

    def __post_init__(self) -> None:
        if isinstance(self.max_tokens, bool) or not isinstance(self.max_tokens, int) or self.max_tokens <= 0:
            raise ConfigError("max_tokens", self.max_tokens, "must be a whole number above 0")
        reserve = self.reply_reserve
        if isinstance(reserve, bool) or not isinstance(reserve, int) or not 0 <= reserve < self.max_tokens:
            raise ConfigError("reply_reserve", reserve, f"must be a whole number in [0, {self.max_tokens})")
        for name in ("reserve_ratio", "min_relevance", "recency_weight", "relevance_weight"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
                raise ConfigError(name, value, "must be a number in [0, 1]")
        total = self.recency_weight + self.relevance_weight
        if not math.isclose(total, 1.0, abs_tol=1e-9):
            raise ConfigError("recency_weight + relevance_weight", total, "must add up to 1.0")
        for kind, weight in self.type_weights.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
                raise ConfigError(f"type_weights[{kind!r}]", weight, "must be a number above 0")

    @property
    def ceiling(self) -> int:
        """Return the most tokens a request may have: `max_tokens` without the reply's reserve."""
        return self.max_tokens - self.reply_reserve


MAINTAINER_CONTEXT = ContextConfig(max_tokens=4000, reserve_ratio=0.15, min_relevance=0.2)
"""The graph's own defaults: a little more room, a stricter threshold."""

PRESETS: Mapping[str, ContextConfig] = MappingProxyType(
    {
        # looks at much code: breadth, a low threshold, age hardly counts
        "explorer": replace(MAINTAINER_CONTEXT, min_relevance=0.15, recency_weight=0.15, relevance_weight=0.85),
        # few strong findings: room for long evidence, a high threshold
        "analyst": replace(
            MAINTAINER_CONTEXT, max_tokens=6000, min_relevance=0.25, recency_weight=0.2, relevance_weight=0.8
        ),
        # what was decided last counts most
        "planner": replace(MAINTAINER_CONTEXT, recency_weight=0.4, relevance_weight=0.6),
        # short conversations: small, fresh, forgiving
        "support": ContextConfig(max_tokens=3000, recency_weight=0.4, relevance_weight=0.6),
    }
)
"""Settings by kind of agent."""


def preset(name: str) -> ContextConfig:
    """Return the settings for a kind of agent.

    Raises:
        ConfigError: There is no such kind.
    """
    if name not in PRESETS:
        raise ConfigError("preset", name, f"must be one of {', '.join(PRESETS)}")
    return PRESETS[name]


class RunSettings(BaseModel):
    """What a caller may change from run to run; Studio shows it as a form."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_tokens: int = Field(default=4000, ge=500, description="Ceiling of every request, in tokens, the reply included")
    reply_reserve: int = Field(default=800, ge=0, description="Tokens kept free for the reply")
    min_relevance: float = Field(default=0.2, ge=0, le=1, description="Less relevant packets are dropped")
    recency_weight: float = Field(default=0.3, ge=0, le=1, description="Weight of freshness; relevance gets the rest")
    enable_compression: bool = Field(default=True, description="Whether texts may be shortened to fit")
    adaptive: bool = Field(default=False, description="Give easy requests less than the ceiling")
    kind: Literal["", "explorer", "analyst", "planner", "support"] = Field(
        default="", description="Preset for a kind of agent; it overrides relevance and recency"
    )

    def context(self) -> ContextConfig:
        """Return the settings of the next build.

        Raises:
            ConfigError: The reply's reserve leaves nothing of the ceiling.
        """
        own = ContextConfig(
            max_tokens=self.max_tokens,
            reserve_ratio=MAINTAINER_CONTEXT.reserve_ratio,
            reply_reserve=self.reply_reserve,
            min_relevance=self.min_relevance,
            recency_weight=self.recency_weight,
            relevance_weight=1.0 - self.recency_weight,
            enable_compression=self.enable_compression,
            adaptive=self.adaptive,
        )
        if not self.kind:
            return own
        chosen = PRESETS[self.kind]
        return replace(
            own,
            min_relevance=chosen.min_relevance,
            recency_weight=chosen.recency_weight,
            relevance_weight=chosen.relevance_weight,
        )
