"""What model calls cost: a dated table, which a setting overrides."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ...state.errors import ConfigError
from ...state.session import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    cached: float
    """Of input tokens that the provider had in its cache."""
    output: float


PRICES: Mapping[str, Price] = MappingProxyType(
    {
        "openai:gpt-4o": Price(2.50, 1.25, 10.00),
        "openai:gpt-4o-mini": Price(0.15, 0.075, 0.60),
        "openai:gpt-4.1": Price(2.00, 0.50, 8.00),
        "openai:gpt-4.1-mini": Price(0.40, 0.10, 1.60),
        "openai:gpt-4.1-nano": Price(0.10, 0.025, 0.40),
        "openai:gpt-5": Price(1.25, 0.125, 10.00),
        "openai:gpt-5-mini": Price(0.25, 0.025, 2.00),
        "openai:gpt-5-nano": Price(0.05, 0.005, 0.40),
        "openai:o3": Price(2.00, 0.50, 8.00),
        "openai:o4-mini": Price(1.10, 0.275, 4.40),
        "anthropic:claude-sonnet-4-5": Price(3.00, 0.30, 15.00),
        "anthropic:claude-haiku-4-5": Price(1.00, 0.10, 5.00),
        "deepseek:deepseek-chat": Price(0.28, 0.028, 0.42),
        "deepseek:deepseek-reasoner": Price(0.28, 0.028, 0.42),
    }
)
"""List prices as published at the end of 2025. They change: the setting `prices` overrides them."""


def price_of(model: str, setting: str = "") -> Price | None:
    """Return the price of `provider:name`, dated names included, or None where it is not known.

    Args:
        model: For example `openai:gpt-4.1-2025-04-14`.
        setting: `input/cached/output`, for example `2.0/0.5/8.0`; wins over the table.

    Raises:
        ConfigError: The setting is not three numbers of at least 0.
    """
    if setting:
        return _parsed(setting)
    return PRICES.get(re.sub(r"-\d{4}-?\d{2}-?\d{2}$", "", model))


def _parsed(setting: str) -> Price:
    rule = "must be input/cached/output in US dollars per million tokens, for example 2.0/0.5/8.0"
    try:
        parts = [float(part) for part in setting.split("/")]
    except ValueError:
        raise ConfigError("prices", setting, rule) from None
    if len(parts) != 3 or not all(0 <= part < float("inf") for part in parts):
        raise ConfigError("prices", setting, rule)
    return Price(*parts)


def priced(usage: Usage, price: Price | None) -> Usage:
    """Return the usage of one call with its cost, or with its tokens marked as unpriced."""
    if price is None:
        return usage.model_copy(update={"unpriced_tokens": usage.input_tokens + usage.output_tokens})
    fresh = max(usage.input_tokens - usage.cached_tokens, 0)
    dollars = fresh * price.input + usage.cached_tokens * price.cached + usage.output_tokens * price.output
    return usage.model_copy(update={"cost_usd": dollars / 1_000_000})
