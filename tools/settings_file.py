"""Settings from everywhere they may stand, merged once: defaults < files < environment < arguments.

A repository's own file is written by whoever wrote the repository, so it may tune but not redirect: keys that say
where requests go, or that lower the guard, are read from the user's file, the environment and arguments only.
"""

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import yaml

from ..state.errors import ConfigError
from ..state.options import Options

REPOSITORY_KEYS = frozenset({"budget", "reply_tokens", "language", "max_steps", "turn_timeout_s", "session_tokens"})
"""What a file inside the repository may set."""

SHARED_VARIABLES = {
    "api_key": "OPENAI_API_KEY",
    "base_url": "OPENAI_BASE_URL",
    "checkpoint_key": "LANGGRAPH_AES_KEY",
}
"""Variables other programs use too; `MAINTAINER_*` wins over them."""


def load_options(
    *,
    repository_file: Path | None = None,
    user_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    **arguments: Any,
) -> Options:
    """Return the settings in force; arguments that are None count as not given.

    Where no reply_tokens is set, a budget too small for the default gives half of itself to the reply.

    Args:
        repository_file: `.maintainer/settings.yaml`; absent is fine.
        user_file: The user's own file; by default `~/.config/maintainer/settings.yaml`.
        environ: By default the process's environment.

    Raises:
        ConfigError: A key is unknown or out of place, or a value is wrong; says in which file or variable it stands.
    """
    environ = os.environ if environ is None else environ
    if user_file is None:
        folder = Path(environ.get("XDG_CONFIG_HOME") or Path(environ.get("HOME", "/nonexistent")) / ".config")
        user_file = folder / "maintainer" / "settings.yaml"
    merged: dict[str, Any] = {}
    places: dict[str, str] = {}  # where each setting in force stands, as the user would look for it
    for path, allowed in ((repository_file, REPOSITORY_KEYS), (user_file, _names())):
        found = _read(path, allowed) if path else {}
        merged |= found
        places |= {name: f"{path}: {name}" for name in found}
    found = _from_environment(environ)
    merged |= found
    places |= {name: _variable(name, environ) for name in found}
    given = {name: value for name, value in arguments.items() if value is not None}
    merged |= given
    places |= {name: name for name in given}
    budget = merged.get("budget")
    if "reply_tokens" not in merged and isinstance(budget, int):
        merged["reply_tokens"] = min(Options.reply_tokens, budget // 2)
    try:
        return Options(**merged)
    except ConfigError as error:
        raise ConfigError(places.get(error.field, error.field), error.value, error.rule) from None


def _variable(name: str, environ: Mapping[str, str]) -> str:
    own = f"MAINTAINER_{name.upper()}"
    return own if environ.get(own) else SHARED_VARIABLES[name]


def _names() -> frozenset[str]:
    return frozenset(field.name for field in fields(Options))


def _read(path: Path, allowed: frozenset[str]) -> dict[str, Any]:
    if path.exists() and not path.is_file():  # a pipe may never end
        raise ConfigError("settings file", str(path), "is no regular file; remove it")
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("settings file", str(path), f"cannot be read ({error}); repair or remove it") from error
    try:
        values = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        told = f"line {where.line + 1}: {getattr(error, 'problem', None)}" if where else str(error).split("\n")[0]
        raise ConfigError("settings file", str(path), f"is not valid YAML ({told}); repair or remove it") from error
    if not isinstance(values, dict):
        raise ConfigError("settings file", str(path), "must be a mapping of names to values")
    for name in values:
        if name not in _names():
            raise ConfigError(f"{path}: {name}", values[name], f"is no setting; known: {', '.join(sorted(_names()))}")
        if name not in allowed:
            rule = "may not be set inside a repository; use the user's settings file, the environment or an option"
            raise ConfigError(f"{path}: {name}", "***" if name == "api_key" else values[name], rule)
    return values


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found = {name: environ[shared] for name, shared in SHARED_VARIABLES.items() if environ.get(shared)}
    hints = get_type_hints(Options)
    for name in _names():
        variable = f"MAINTAINER_{name.upper()}"
        if text := environ.get(variable, ""):
            found[name] = _as(hints[name], variable, text)
    return found


def _as(kind: Any, variable: str, text: str) -> Any:
    """Return the text of a variable as the type its setting has."""
    kind = str if get_args(kind) else kind  # a Literal: checked by Options
    if kind is bool:
        if text.lower() not in {"1", "true", "yes", "0", "false", "no"}:
            raise ConfigError(variable, text, "must be yes or no")
        return text.lower() in {"1", "true", "yes"}
    try:
        return kind(text)
    except ValueError as error:
        raise ConfigError(variable, text, f"must be of type {kind.__name__}") from error


def served_repository(environ: Mapping[str, str] | None = None) -> str:
    """Return the repository a server looks after: MAINTAINER_REPO, or the folder it was started in."""
    environ = os.environ if environ is None else environ
    return environ.get("MAINTAINER_REPO") or "."
