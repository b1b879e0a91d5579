"""Ruff as a reader: how it is asked, and how its answers come back."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ...processes import run
from .ruff_rules import LEFT_OUT, RULES

MOST_FILES = 300
"""Named on one command line."""
TIMEOUT_S = 120.0

EARLY = ("--preview", "--config", "lint.explicit-preview-rules=true")
"""Some of the rules are early ones: those that are named, and no others."""

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
        argv = [program, "check", "--isolated", "--no-cache", "--no-fix", "--exit-zero", "--output-format=json", *EARLY]
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
        return f"{installed('ruff')}:{hash_of((*RULES, *LEFT_OUT, *EARLY))}"
    except PackageNotFoundError:
        return ""


def hash_of(words: Iterable[str]) -> str:
    """Return eight hexadecimal digits that stand for words in their order."""
    import zlib

    return f"{zlib.crc32(' '.join(words).encode()):08x}"
