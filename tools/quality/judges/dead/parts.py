"""Parts of files that are no code, and that nothing asks for: views of a database, macros of templates."""

import re
from collections import Counter
from collections.abc import Iterator

from .....state.report import Finding
from ...known.project import Project
from .findings import unused

_VIEW = re.compile(
    r"^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:MATERIALIZED\s+)?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    r"[\"`]?(?:\w+\.)?(\w+)[^;]*;?",
    re.IGNORECASE | re.MULTILINE,
)
_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)\s*\([\s\S]*?\{%-?\s*endmacro\b[^%]*%\}")
_OVER = re.compile(
    r"(?:DROP|ALTER|REFRESH)\s+(?:MATERIALIZED\s+)?VIEW\s+(?:CONCURRENTLY\s+)?(?:IF\s+EXISTS\s+)?[\"`]?(?:\w+\.)?(\w+)"
    r"|COMMENT\s+ON\s+VIEW\s+(\w+)",
    re.IGNORECASE,
)
"""What names a view and asks it for nothing."""
_MARKUP = (".html", ".htm", ".j2", ".jinja", ".jinja2", ".txt", ".xml", ".njk")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_TAKEN = re.compile(r"\{%-?\s*from\s[^%]*?\simport\s([^%]*)%\}")
_WORD = re.compile(r"[A-Za-z_]\w*")


def dead_parts(project: Project) -> Iterator[Finding]:
    """Yield the views that no query names and the macros no template calls; a document may name who reads them."""
    if project.kind in ("library", "data project"):
        return
    defined = [
        (path, what, match)
        for path, facts in sorted(project.files.items())
        if facts.role != "test"
        for what, pattern in _parts(path)
        for match in pattern.finditer(project.text_of(path))
    ]
    if not defined:
        return
    said, called = Counter[str](), Counter[str]()
    for path in project.files:
        text = project.text_of(path)
        said.update(_WORD.findall(text.lower()))
        if path.endswith(_MARKUP):
            called.update(_CALL.findall(text))
            called.update(name for names in _TAKEN.findall(text) for name in _WORD.findall(names))
    for path, _, _ in {each[0]: each for each in defined}.values():
        over = (match[1] or match[2] for match in _OVER.finditer(project.text_of(path)))
        said.subtract(name.lower() for name in over)
    times = Counter(match[1].lower() for _, _, match in defined)
    for path, what, match in defined:
        name = match[1]
        asked = said[name.lower()] > 1 if what == "view" else called[name] > 1
        if not asked and times[name.lower()] == 1:
            yield _finding(project, path, what, match)


def _parts(path: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    if path.endswith(".sql"):
        yield "view", _VIEW
    elif path.endswith(_MARKUP):
        yield "macro", _MACRO


def _finding(project: Project, path: str, what: str, match: re.Match[str]) -> Finding:
    text = project.text_of(path)
    start = match.start() + len(match.group()) - len(match.group().lstrip())
    first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, match.end()) + 1
    return unused(
        project,
        path,
        (first, last),
        what=what,
        name=match[1],
        reason="nothing queries it" if what == "view" else "nothing refers to it",
        confidence=0.8,
    )
