"""Cost is figured from a dated table or a setting, and an unknown price is never zero."""

import pytest
from maintainer.state.session import Usage, add_usage
from maintainer.tools.models.prices import Price, price_of, priced


def test_a_dated_name_costs_what_its_family_costs() -> None:
    assert price_of("openai:gpt-4.1-2025-04-14") == price_of("openai:gpt-4.1") == Price(2.0, 0.5, 8.0)
    assert price_of("openai:gpt-4.1-mini") != price_of("openai:gpt-4.1")


@pytest.mark.parametrize("model", ["openai-compatible:gpt-4.1", "openai:gpt-99", "none"])
def test_a_model_that_is_not_in_the_table_has_no_price(model: str) -> None:
    assert price_of(model) is None


def test_the_setting_wins_over_the_table() -> None:
    assert price_of("openai:gpt-4.1", "1/0.25/4") == Price(1.0, 0.25, 4.0)


def test_cached_tokens_are_charged_once_at_their_own_price() -> None:
    usage = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000, calls=1)
    assert priced(usage, Price(2.0, 0.5, 8.0)).cost_usd == pytest.approx(1.2 + 0.2 + 0.8)


def test_the_sum_of_a_session_keeps_known_cost_and_unpriced_tokens_apart() -> None:
    known = priced(Usage(input_tokens=1_000_000, calls=1), Price(2.0, 0.5, 8.0))
    unknown = priced(Usage(input_tokens=30, output_tokens=5, calls=1), None)
    total = add_usage(known, unknown.model_dump())
    assert (total.cost_usd, total.unpriced_tokens, total.calls, total.input_tokens) == (2.0, 35, 2, 1_000_030)
