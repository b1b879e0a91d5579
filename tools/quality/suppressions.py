"""What the people of a repository decided not to hear about: a file they edit and review."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from pathspec import GitIgnoreSpec

from ...state.errors import ConfigError
from ...state.report import KINDS, Finding
from .fingerprints import fingerprints_at

FILE_NAME = "suppressions.yaml"
_KEYS = ("fingerprint", "kind", "rule", "path", "symbol")
_MOST_BYTES = 1_000_000
_EXAMPLE = """
- kind: complex_function
  path: legacy/
  reason: replaced in spring
  until: 2027-04-01
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppression:
    """Leaves out every finding that has all the named properties."""

    reason: str
    fingerprint: str = ""
    kind: str = ""
    rule: str = ""
    path: str = ""
    """As in a `.gitignore`."""
    symbol: str = ""
    until: date | None = None
    """From this day on it is heard again."""

    def matches(self, finding: Finding, today: date, earlier: Sequence[str] = ()) -> bool:
        """Return whether the finding is not to be heard about today.

        Args:
            earlier: Names that its file had before: what was written down for one of them goes on to hold.
        """
        if self.until is not None and today >= self.until:
            return False
        paths = (finding.place.path, *earlier)
        prints = {finding.fingerprint, *(each for path in earlier for each in fingerprints_at(finding, path))}
        return (
            (not self.fingerprint or self.fingerprint in prints)
            and self.kind in ("", finding.kind)
            and self.rule in ("", finding.rule)
            and self.symbol in ("", finding.symbol)
            and (not self.path or any(map(GitIgnoreSpec.from_lines([self.path]).match_file, paths)))
        )


def load_suppressions(path: Path) -> tuple[Suppression, ...]:
    """Return the suppressions of a file; none where there is no file.

    Raises:
        ConfigError: The file is no list of suppressions; the message names the entry and the rule.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ConfigError(FILE_NAME, str(path), f"cannot be read: {error.strerror}") from error
    if len(data) > _MOST_BYTES:
        raise ConfigError(FILE_NAME, str(path), f"must be at most {_MOST_BYTES:,} bytes")
    try:
        entries = yaml.safe_load(data)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(FILE_NAME, str(path), f"is no YAML: {str(error).splitlines()[0]}") from error
    if entries is None:
        return ()
    if not isinstance(entries, list):
        raise ConfigError(FILE_NAME, type(entries).__name__, f"must be a list, for example:{_EXAMPLE}")
    return tuple(_checked(number, entry) for number, entry in enumerate(entries, 1))


def _checked(number: int, entry: Any) -> Suppression:
    where = f"{FILE_NAME} entry {number}"
    if not isinstance(entry, dict):
        raise ConfigError(where, entry, f"must have keys and values, for example:{_EXAMPLE}")
    unknown = set(entry) - {*_KEYS, "reason", "until"}
    if unknown:
        raise ConfigError(
            where, ", ".join(map(str, sorted(unknown, key=str))), f"must be one of {', '.join(_KEYS)}, reason, until"
        )
    if not any(entry.get(key) for key in _KEYS):
        raise ConfigError(where, entry, f"must name at least one of {', '.join(_KEYS)}: else it leaves out everything")
    if not str(entry.get("reason") or "").strip():
        raise ConfigError(where, entry, "must give a reason")
    if entry.get("kind") and entry["kind"] not in KINDS:
        raise ConfigError(f"{where} kind", entry["kind"], f"must be one of {', '.join(KINDS)}")
    until = entry.get("until")
    if until is not None and type(until) is not date:
        raise ConfigError(f"{where} until", until, "must be a day, for example 2027-04-01")
    words = {key: str(entry[key]) for key in _KEYS if entry.get(key)}
    return Suppression(reason=str(entry["reason"]).strip(), until=until, **words)


def without_suppressed(
    findings: Sequence[Finding],
    suppressions: Sequence[Suppression],
    today: date,
    renames: Mapping[str, str] = MappingProxyType({}),
) -> list[Finding]:
    """Return the findings to be heard about.

    Args:
        findings: With fingerprints.
        suppressions: What people decided.
        today: Some of them end on a day.
        renames: Old path to the path of today.
    """
    if not suppressions:
        return list(findings)
    earlier: dict[str, list[str]] = defaultdict(list)
    for old, now in renames.items():
        earlier[now].append(old)
    return [
        finding
        for finding in findings
        if not any(each.matches(finding, today, earlier[finding.place.path]) for each in suppressions)
    ]
