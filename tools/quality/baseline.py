"""What was known before: a file of findings to compare with, so that only what is new asks for attention."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ...state.errors import ConfigError
from ...state.report import Finding, Report
from ..files import write_atomic
from .fingerprints import fingerprints_at

VERSION = 1
FINDINGS = TypeAdapter(tuple[Finding, ...])
"""Reads findings from plain JSON values."""


def save_baseline(path: Path, report: Report) -> None:
    """Write the findings of a report, so that later reports can be compared with it.

    Raises:
        StoreError: The file cannot be written.
    """
    plain = {"version": VERSION, "head": report.head, "findings": [asdict(each) for each in report.findings]}
    write_atomic(path, (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace"))


def load_baseline(path: Path) -> tuple[Finding, ...]:
    """Return the findings of a baseline.

    Raises:
        ConfigError: There is no such file, or it holds something else.
    """
    if path.exists() and not path.is_file():  # a device or a pipe may never end
        raise ConfigError("baseline", str(path), "is no regular file: make one with `maintainer check --save`")
    try:
        plain = json.loads(path.read_text("utf-8"))
        return FINDINGS.validate_python(plain["findings"])
    except FileNotFoundError:
        raise ConfigError("baseline", str(path), "does not exist: make it with `maintainer check --save`") from None
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise ConfigError("baseline", str(path), f"is no baseline ({type(error).__name__}): make it again") from error


def compared(report: Report, known: Sequence[Finding], renames: Mapping[str, str] | None = None) -> Report:
    """Return the report with what is new and what is fixed.

    Args:
        report: Of now.
        known: The findings of before.
        renames: Old path to the path of now: a finding that moved with its file is the same finding.
    """
    now = {finding.fingerprint for finding in report.findings}
    carried = {finding.fingerprint: _of_today(finding, renames or {}, now) for finding in known}
    old = set(carried.values())
    return replace(
        report,
        new=frozenset(now - old),
        fixed=tuple(finding for finding in known if carried[finding.fingerprint] not in now),
    )


def _of_today(finding: Finding, renames: Mapping[str, str], now: Iterable[str]) -> str:
    """Return the fingerprint a known finding has today, where its file goes by another name."""
    path = renames.get(finding.place.path)
    if path is None:
        return finding.fingerprint
    return next((each for each in fingerprints_at(finding, path) if each in now), finding.fingerprint)
