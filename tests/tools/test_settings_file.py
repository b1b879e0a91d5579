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
