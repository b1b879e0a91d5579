"""Values that stand where a secret will stand: for the database of somebody's own machine, for one run of the tests."""

import re

from ...secrets import SecretHit

_SHORT_LIVED = re.compile(
    r"(^|/)(?:\.env[\w.-]*|[\w.-]*\.env)$|(^|/)\.?[\w.-]*(?:example|sample|template|dist)(?:\.\w+)?$"
    r"|(^|/)\.github/|(^|/)\.gitlab-ci|(^|/)\.circleci/|(^|/)(?:azure-pipelines|bitbucket-pipelines|\.travis|\.drone)\.\w+$"
    r"|(^|/)(?:docker-)?compose[\w.-]*\.ya?ml$|(^|/)\.devcontainer/|(^|/)tox\.ini$|(^|/)pytest\.ini$"
)
"""Files for development and for runs of the tests, and examples of settings."""
_SAYS_SO = re.compile(
    r"(?:^|[^a-z])(?:tests?|testing|ci|local|dev|development|example|sample|dummy|fake|placeholder|demo|insecure|secret"
    r"|password|change|changeme|put|replace|your|here|random|string|only|not|xxx+|none)(?:[^a-z]|$)",
    re.I,
)
"""What a value says of itself."""
_EVERYBODY_HAS = frozenset(
    {
        *("postgres", "postgresql", "mysql", "mariadb", "root", "admin", "guest", "user", "rabbitmq", "redis", "mongo"),
        *("minio", "minioadmin", "password", "secret", "test", "app", "dev", "example", "django", "rails", "root123"),
    }
)
_OWN_MACHINE = re.compile(
    r"@(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal)\b|@[a-z][a-z0-9_-]*[:/]"
)
"""The host behind a password: this machine, or a service beside it, which has no dots in its name."""
_MADE_BY_CHANCE = 12
"""Characters of a value from which on it may be a real one, in a document."""


def stands_in(path: str, text: str, hit: SecretHit) -> bool:
    """Return whether a likely secret is one of development or of a run of the tests, and opens nothing else."""
    value = text[hit.start : hit.end]
    user = re.search(r"://([\w.-]+):$", text[max(0, hit.start - 80) : hit.start])
    everyday = value.lower() in _EVERYBODY_HAS or (user is not None and user[1] == value)
    if hit.kind == "url-password" and everyday and _OWN_MACHINE.match(text[hit.end : hit.end + 60]):
        return True
    if not _SHORT_LIVED.search(path):
        return False
    words = value.isalpha() and value.islower() and len(re.findall(rf"\b{value}\b", text)) > 1
    return everyday or words or bool(_SAYS_SO.search(value))


def made_by_chance(value: str) -> bool:
    """Return whether a value is long and mixed enough to be a real one, even in a document."""
    kinds = (
        any(map(str.islower, value)),
        any(map(str.isupper, value)),
        any(map(str.isdigit, value)),
        not value.isalnum(),
    )
    mixed = sum(kinds) > 2 and any(map(str.isdigit, value)) and not re.search(r"123|abc|xyz|xxx|\.\.\.", value, re.I)
    return len(value) >= _MADE_BY_CHANCE and mixed and not _SAYS_SO.search(value)
