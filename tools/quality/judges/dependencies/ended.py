"""Versions of frameworks and images whose makers no longer correct them, where a manifest or image holds on to one."""

import re
from collections.abc import Iterator
from datetime import date

from .....state.report import Finding
from ....manifest import Requirement
from ...known.project import Project
from .findings import asked_for
from .packages import ends, numbers

_IMAGE = re.compile(
    r"(?:^\s*FROM\s+|^\s*-?\s*image:\s*[\"']?)(?:[\w.-]+/)?(postgres|mysql|mongo|ubuntu|debian)(?:ql)?:([\w.]+)",
    re.M | re.I,
)
_FILES = re.compile(
    r"(^|/)(Dockerfile[\w.-]*|[\w.-]+\.Dockerfile|(docker-)?compose[\w.-]*\.ya?ml)$|(^|/)\.github/workflows/[^/]+\.ya?ml$"
)


def ended(project: Project) -> Iterator[Finding]:
    """Yield frameworks held at a version that has ended, and images of databases and systems that have."""
    for each in project.manifest.requirements:
        name = each.key if each.ecosystem == "python" else each.name
        if (version := _newest(each.spec, each.ecosystem)) and not each.development:
            yield from _told(project, each.path, each.line, name, version)
    for path in sorted(filter(_FILES.search, project.paths)):
        text = project.text_of(path)
        for match in _IMAGE.finditer(text):
            yield from _told(project, path, text.count("\n", 0, match.start(1)) + 1, match[1].lower(), match[2])


def _newest(spec: str, ecosystem: str) -> str:
    """Return the version a requirement holds on to, `""` where newer ones are welcome: `==3.2.1`, `~=3.2`, `^2.6`."""
    if ecosystem == "node":
        match = re.match(r"^[\^~]?(\d+(?:\.\d+)?)[\w.]*$", spec.strip())
        return match[1] if match else ""
    match = re.search(r"(?:===?|~=|\^)\s*v?(\d+(?:\.\d+)?)", spec)
    if match:
        return match[1]
    below = re.search(r"<\s*(\d+)(?:\.(\d+))?", spec)
    return f"<{below[1]}.{below[2] or 0}" if below else ""


def _told(project: Project, path: str, line: int, name: str, version: str) -> Iterator[Finding]:
    last = _last_day(name, version)
    if last is None or project.today is None or project.today <= last[1]:
        return
    place = Requirement(name=f"{name} {last[0]}", path=path, line=line, development=False)
    yield asked_for(
        project,
        place,
        severity="medium",
        why="end_of_life",
        confidence=0.85,
        reason="no more corrections",
        detail=f" ({last[1]})",
        remedy="Move to a version that is kept.",
    )


def _last_day(name: str, version: str) -> tuple[str, date] | None:
    known = {row: last for (of, row), last in ends().items() if of == name}
    if version.startswith("<"):
        limit = numbers(version[1:])
        below = [row for row in known if numbers(row) < limit]
        newest = max(below, key=numbers, default="")
        return (newest, known[newest]) if newest and _reaches(newest, limit) else None
    row = next((row for row in (version, version.partition(".")[0]) if row in known), "")
    return (row, known[row]) if row else None


def _reaches(row: str, limit: tuple[int, ...]) -> bool:
    """Return whether a known version is the last one below a limit, so that none that is kept fits."""
    own = numbers(row)
    return limit[0] - own[0] <= 1
