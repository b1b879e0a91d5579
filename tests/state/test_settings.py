"""Settings are checked once, in their constructor, and name the field that is wrong."""

import pytest
from maintainer.nodes.prompts.request import config_of
from maintainer.state import ContextConfig
from maintainer.state.errors import ConfigError
from maintainer.state.settings import MAINTAINER_CONTEXT, PRESETS, RunSettings, preset
from pydantic import ValidationError


def test_the_published_defaults() -> None:
    config = ContextConfig()
    assert (config.max_tokens, config.reserve_ratio, config.min_relevance) == (3000, 0.2, 0.1)
    assert (config.recency_weight, config.relevance_weight, config.enable_compression) == (0.3, 0.7, True)
    assert (MAINTAINER_CONTEXT.max_tokens, MAINTAINER_CONTEXT.reserve_ratio) == (4000, 0.15)
    assert MAINTAINER_CONTEXT.min_relevance == 0.2


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("max_tokens", 0, "max_tokens is 0: must be a whole number above 0"),
        ("max_tokens", True, "max_tokens is True"),
        ("max_tokens", 3000.0, "max_tokens is 3000.0"),
        ("reserve_ratio", 1.5, r"reserve_ratio is 1.5: must be a number in \[0, 1\]"),
        ("min_relevance", -0.1, "min_relevance is -0.1"),
        ("min_relevance", "0.1", "min_relevance is '0.1'"),
        ("min_relevance", float("nan"), "min_relevance is nan"),
        ("recency_weight", 0.4, r"recency_weight \+ relevance_weight is 1.1: must add up to 1.0"),
        ("reply_reserve", 3000, r"reply_reserve is 3000: must be a whole number in \[0, 3000\)"),
        ("type_weights", {"memory": 0}, r"type_weights\['memory'\] is 0: must be a number above 0"),
    ],
)
def test_a_wrong_value_names_its_field_and_rule(field: str, value: object, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        ContextConfig(**{field: value})  # type: ignore[arg-type]


def test_every_preset_is_valid_and_unknown_ones_are_refused() -> None:
    assert set(PRESETS) == {"explorer", "analyst", "planner", "support"}
    assert preset("planner").recency_weight > preset("explorer").recency_weight
    with pytest.raises(ConfigError, match="preset is 'poet': must be one of explorer, analyst, planner, support"):
        preset("poet")


def test_run_settings_become_the_settings_of_a_build() -> None:
    config = RunSettings().context()
    assert (config.max_tokens, config.reply_reserve, config.ceiling) == (4000, 800, 3200)
    assert config.min_relevance == MAINTAINER_CONTEXT.min_relevance
    planner = RunSettings(kind="planner", max_tokens=9000).context()
    assert (planner.max_tokens, planner.recency_weight) == (9000, PRESETS["planner"].recency_weight)
    assert config_of(None) == MAINTAINER_CONTEXT
    assert config_of(planner) == planner


def test_the_form_in_studio_has_units_and_limits() -> None:
    schema = RunSettings.model_json_schema()["properties"]
    assert all("description" in field for field in schema.values())
    with pytest.raises(ValidationError):
        RunSettings(max_tokens=10)
    with pytest.raises(ValidationError):
        RunSettings.model_validate({"max_token": 4000})
