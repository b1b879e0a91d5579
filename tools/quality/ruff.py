"""Ruff as a reader: which of its rules are asked, and how its answers come back."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...state.report import Severity
from ..processes import run

MOST_FILES = 300
"""Named on one command line."""
TIMEOUT_S = 120.0

BUGS: Mapping[str, tuple[Severity, float]] = MappingProxyType(
    {
        "B002": ("medium", 0.95),
        "B003": ("medium", 0.9),
        "B006": ("medium", 0.85),
        "B012": ("medium", 0.9),
        "B015": ("medium", 0.85),
        "B016": ("medium", 0.95),
        "B020": ("low", 0.7),
        "B021": ("low", 0.9),
        "B023": ("medium", 0.7),
        "B025": ("medium", 0.95),
        "B029": ("medium", 0.9),
        "B030": ("medium", 0.9),
        "B031": ("medium", 0.85),
        "B032": ("medium", 0.9),
        "B033": ("low", 0.9),
        "B035": ("medium", 0.9),
        "B039": ("medium", 0.85),
        "E722": ("low", 0.85),
        "F402": ("low", 0.8),
        "F502": ("medium", 0.95),
        "F503": ("medium", 0.95),
        "F506": ("medium", 0.95),
        "F507": ("medium", 0.95),
        "F509": ("medium", 0.95),
        "F521": ("medium", 0.95),
        "F522": ("medium", 0.9),
        "F524": ("medium", 0.95),
        "F541": ("info", 0.9),
        "F601": ("medium", 0.9),
        "F621": ("medium", 0.95),
        "F632": ("medium", 0.95),
        "F701": ("high", 0.95),
        "F706": ("high", 0.95),
        "F811": ("low", 0.75),
        "F821": ("high", 0.8),
        "F823": ("high", 0.9),
        "PLE": ("medium", 0.85),
        "S110": ("low", 0.8),
        "S112": ("low", 0.7),
    }
)
"""Rules for probable bugs, with how bad and how sure they are."""

SECURITY: Mapping[str, tuple[Severity, float, str]] = MappingProxyType(
    {
        "S102": ("medium", 0.6, "injection"),
        "S103": ("medium", 0.8, "weak_protection"),
        "S104": ("low", 0.6, "security_hint"),
        "S113": ("low", 0.85, "security_hint"),
        "S201": ("high", 0.9, "weak_protection"),
        "S202": ("medium", 0.7, "injection"),
        "S301": ("low", 0.6, "security_hint"),
        "S302": ("medium", 0.6, "injection"),
        "S306": ("medium", 0.9, "weak_protection"),
        "S307": ("medium", 0.65, "injection"),
        "S308": ("low", 0.6, "injection"),
        "S311": ("medium", 0.7, "weak_protection"),
        "S314": ("low", 0.6, "security_hint"),
        "S318": ("low", 0.6, "security_hint"),
        "S323": ("medium", 0.85, "weak_protection"),
        "S324": ("medium", 0.7, "weak_protection"),
        "S501": ("high", 0.9, "weak_protection"),
        "S502": ("medium", 0.85, "weak_protection"),
        "S503": ("medium", 0.85, "weak_protection"),
        "S505": ("medium", 0.9, "weak_protection"),
        "S506": ("high", 0.9, "injection"),
        "S507": ("high", 0.9, "weak_protection"),
        "S508": ("medium", 0.85, "weak_protection"),
        "S509": ("medium", 0.85, "weak_protection"),
        "S602": ("high", 0.8, "injection"),
        "S604": ("high", 0.6, "injection"),
        "S605": ("high", 0.75, "injection"),
        "S608": ("high", 0.75, "injection"),
        "S609": ("high", 0.8, "injection"),
        "S611": ("medium", 0.6, "injection"),
        "S612": ("high", 0.9, "injection"),
        "S701": ("high", 0.8, "weak_protection"),
        "S702": ("medium", 0.8, "weak_protection"),
    }
)
"""Rules for security, with how bad, how sure, and why."""

LEFT = ("F401", "F841", "ERA001")
"""Rules for what was left behind: imports, variables, code in comments."""

RULES = (*BUGS, *SECURITY, *LEFT)
LEFT_OUT = ("PLE0604", "PLE0605", "PLE0704")
"""Of the group PLE: what `__all__` may hold is no bug, and a bare `raise` is right in a function that handlers call."""

Said = dict[str, list[dict[str, Any]]]
"""By path: rule, line, last line, message."""


def lint(repo: Path, paths: Sequence[str], stopped: Callable[[], bool]) -> tuple[Said, str]:
    """Return what ruff says of Python files, and what went wrong (`""` where nothing did).

    The repository's own configuration is not read: it could leave out rules, and we ask for few. `# noqa` comments are
    honoured: they are decisions somebody wrote down.
    """
    said: Said = {path: [] for path in paths}
    program = _program()
    if not program:
        return {}, "ruff is not installed: pip install ruff"
    select, ignore = ",".join(RULES), ",".join(LEFT_OUT)
    for group in _grouped(paths):
        if stopped():
            return {}, ""
        argv = [program, "check", "--isolated", "--no-cache", "--no-fix", "--exit-zero", "--output-format=json"]
        done = run(
            [*argv, f"--select={select}", f"--ignore={ignore}", "--", *group],
            cwd=repo,
            timeout_s=TIMEOUT_S,
            max_bytes=64 * 2**20,
        )
        if not done.ok:
            return {}, f"ruff failed: {done.stderr.decode('utf-8', 'replace').strip()[:200]}"
        try:
            items = json.loads(done.text)
        except ValueError:
            return {}, f"ruff gave no JSON: {done.text[:100]!r}"
        for item in items:
            path = Path(item["filename"]).relative_to(repo).as_posix()
            if item.get("code") and path in said:
                said[path].append(
                    {
                        "rule": item["code"],
                        "line": item["location"]["row"],
                        "end": item["end_location"]["row"],
                        "message": item["message"],
                    }
                )
    return said, ""


def _grouped(paths: Iterable[str]) -> Iterable[Sequence[str]]:
    plain = [path for path in paths if path.isprintable() and not path.startswith("-")]
    return [plain[start : start + MOST_FILES] for start in range(0, len(plain), MOST_FILES)]


@cache
def _program() -> str:
    """Return the path of ruff's program, `""` without it."""
    try:
        from ruff import find_ruff_bin

        return str(find_ruff_bin())
    except (ImportError, FileNotFoundError):
        return ""


@cache
def version() -> str:
    """Return the version of ruff with a mark of the rules asked, so that a change of either reads files again."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return f"{installed('ruff')}:{hash_of((*RULES, *LEFT_OUT))}"
    except PackageNotFoundError:
        return ""


def hash_of(words: Iterable[str]) -> str:
    """Return eight hexadecimal digits that stand for words in their order."""
    import zlib

    return f"{zlib.crc32(' '.join(words).encode()):08x}"
