import os
from pathlib import Path

import pytest
from maintainer.state.errors import ConfigError
from maintainer.state.options import Options
from maintainer.tools.settings_file import load_options


@pytest.fixture
def repository_file(tmp_path: Path) -> Path:
    return tmp_path / "settings.yaml"


def load(repository_file: Path, user: str = "", **kwargs: object) -> Options:
    user_file = repository_file.with_name("user.yaml")
    user_file.write_text(user, "utf-8")
    environ = kwargs.pop("environ", {})
    return load_options(repository_file=repository_file, user_file=user_file, environ=environ, **kwargs)  # type: ignore[arg-type]


def test_arguments_win_over_environment_over_user_over_repository(repository_file: Path) -> None:
    repository_file.write_text("budget: 1001\nmax_steps: 1\nlanguage: zh\n", "utf-8")
    options = load(
        repository_file,
        user="budget: 2002\nmax_steps: 2\nreply_tokens: 222",
        environ={"MAINTAINER_BUDGET": "3003", "MAINTAINER_REPLY_TOKENS": "333"},
        budget=4004,
        max_steps=None,
    )
    assert (options.budget, options.reply_tokens, options.max_steps, options.language) == (4004, 333, 2, "zh")


@pytest.mark.parametrize("line", ["base_url: https://evil.example", "api_key: k", "model: openai:x", "approvals: true"])
def test_a_repository_cannot_say_where_requests_go(repository_file: Path, line: str) -> None:
    repository_file.write_text(line, "utf-8")
    with pytest.raises(ConfigError, match="may not be set inside a repository"):
        load(repository_file)


def test_a_key_is_never_shown(repository_file: Path) -> None:
    options = load(repository_file, environ={"OPENAI_API_KEY": "sk-secret"})
    assert options.api_key == "sk-secret"
    assert "sk-secret" not in repr(options)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("budget: [", "not valid YAML"),
        ("- 1", "mapping"),
        ("budgets: 1", "is no setting"),
        ("budget: much", "whole number"),
        ("budget: 10", "at least 500"),
        ("turn_timeout_s: soon", "number of seconds"),
        ("language: fr", "en or zh"),
        ("reply_tokens: 3000", "at most half of the budget"),
    ],
)
def test_a_wrong_setting_names_the_value_and_the_rule(repository_file: Path, text: str, says: str) -> None:
    repository_file.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=says):
        load(repository_file)


@pytest.mark.parametrize(("text", "expected"), [("yes", True), ("0", False)])
def test_switches_in_the_environment_are_words(repository_file: Path, text: str, expected: bool) -> None:
    assert load(repository_file, environ={"MAINTAINER_APPROVALS": text}).approvals is expected


@pytest.mark.parametrize("variable", ["MAINTAINER_APPROVALS", "MAINTAINER_BUDGET", "MAINTAINER_TURN_TIMEOUT_S"])
def test_a_wrong_variable_is_named(repository_file: Path, variable: str) -> None:
    with pytest.raises(ConfigError, match=variable):
        load(repository_file, environ={variable: "perhaps"})


def test_no_file_at_all_is_fine(tmp_path: Path) -> None:
    assert load_options(repository_file=None, user_file=tmp_path / "none.yaml", environ={}) == Options()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("budget: 5", "budget"),
        ("budget: 99999999999999999999999", "budget"),
        ("budget: true", "budget"),
        ("budget:", "budget"),
        ("language: 5", "language"),
        ("turn_timeout_s: .nan", "turn_timeout_s"),
        ("turn_timeout_s: .inf", "turn_timeout_s"),
        ("turn_timeout_s: true", "turn_timeout_s"),
        ("reply_tokens: 3000", "reply_tokens"),
    ],
)
def test_a_wrong_value_names_the_file_it_stands_in(repository_file: Path, text: str, field: str) -> None:
    repository_file.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        load(repository_file)
    assert str(caught.value).startswith(f"{repository_file}: {field} is ")


@pytest.mark.parametrize(
    "text",
    [
        "model: 5",
        "model: [a]",
        "base_url: 7",
        "base_url: localhost",
        "base_url: file:///x",
        "approvals: maybe",
        "chroma_url: true",
        "chroma_url: nowhere",
        "chroma_url: localhost:8000",
        "chroma_url: http://",
        "chroma_url: http://localhost:99999",
        "chroma_url: http://localhost:8000/api/v2",
        "base_url: 'http://local host/v1'",
        "base_url: 'https:///v1'",
        "embedder: nowhere",
        "embedder: ftp://host",
        "embedder: https://host/v1",
        "embedder: https://?model=m",
        "checkpoints: nowhere",
        "checkpoints: mysql://host/db",
        "model: openai-compatible:qwen@ftp://host",
        "fallbacks: openai:a, b@http://",
        "note_model: http://localhost/v1",
    ],
)
def test_a_value_of_the_wrong_type_names_the_file_of_the_user(repository_file: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(repository_file, user=text)
    assert str(caught.value).startswith(f"{repository_file.with_name('user.yaml')}: {text.partition(':')[0]} is ")


def test_a_wrong_value_names_its_variable_or_option_and_never_a_file_that_was_overruled(repository_file: Path) -> None:
    repository_file.write_text("budget: 5", "utf-8")
    with pytest.raises(ConfigError, match=r"^MAINTAINER_BUDGET is 6: "):
        load(repository_file, environ={"MAINTAINER_BUDGET": "6"})
    with pytest.raises(ConfigError, match=r"^budget is 7: "):
        load(repository_file, environ={"MAINTAINER_BUDGET": "6"}, budget=7)


def test_a_key_of_the_wrong_type_is_not_shown(repository_file: Path) -> None:
    with pytest.raises(ConfigError, match="must be text") as caught:
        load(repository_file, user="api_key: 123456789")
    assert "123456789" not in str(caught.value)


def test_a_message_shows_the_beginning_of_a_huge_value(repository_file: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(repository_file, user=f"language: {'x' * 100_000}")
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(("given", "reply_tokens"), [({"budget": 600}, 300), ({"budget": 4000}, 800), ({}, 800)])
def test_a_small_budget_gives_half_of_itself_to_the_reply(
    repository_file: Path, given: dict[str, int], reply_tokens: int
) -> None:
    assert load(repository_file, **given).reply_tokens == reply_tokens
    with pytest.raises(ConfigError, match="at most half"):
        load(repository_file, budget=600, reply_tokens=301)


def test_a_pipe_is_no_settings_file(repository_file: Path) -> None:
    os.mkfifo(repository_file)
    with pytest.raises(ConfigError, match=r"settings\.yaml.*no regular file"):
        load(repository_file)
