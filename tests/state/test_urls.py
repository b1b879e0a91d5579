"""Addresses in settings."""

import pytest
from maintainer.state.errors import ConfigError
from maintainer.state.options import Options
from maintainer.state.urls import check_server, check_url


@pytest.mark.parametrize(
    "settings",
    [
        {"chroma_url": "http://localhost:8000"},
        {"chroma_url": "https://chroma.example/"},
        {"chroma_url": "http://[::1]:8000"},
        {"base_url": "HTTP://192.168.0.7/v1"},
        {"base_url": "https://模型.example/v1"},
        {"embedder": "https://host/v1?model=NAME"},
        {"embedder": "none"},
        {"checkpoints": "sqlite:////tmp/steps.sqlite"},
        {"checkpoints": "steps.db"},
        {"checkpoints": "postgresql://me@host/db"},
        {"checkpoints": "memory"},
        {"model": "openai-compatible:qwen3:8b@http://localhost:1234/v1"},
        {"fallbacks": "openai:gpt-4.1, @cf/meta/llama@https://host/v1"},
    ],
)
def test_addresses_that_are_right_are_taken(settings: dict[str, str]) -> None:
    (name,) = settings
    assert getattr(Options(**settings), name) == settings[name]


@pytest.mark.parametrize(
    "value", ["nowhere", "http://", "http://:80", "http://host:0x50", "http://[::1", "http://a\nb"]
)
def test_what_is_no_address_is_refused_with_its_name_its_value_and_the_rule(value: str) -> None:
    with pytest.raises(ConfigError, match=r"^setting is .*: must be a URL such as http://x/v1$"):
        check_url("setting", value, "http://x/v1")


@pytest.mark.parametrize("value", ["http://me:secret@host", "http://host/?token=1", "http://host/db"])
def test_what_a_server_would_leave_aside_is_refused_and_a_password_is_not_repeated(value: str) -> None:
    with pytest.raises(ConfigError, match="host and port alone") as caught:
        check_server("chroma_url", value)
    assert "secret" not in str(caught.value)
