"""Notes that people left in the code, with their age."""

import re
from collections.abc import Iterator

from .....state.report import Finding, Place, Severity
from ...known.project import Project
from ...reading.plain_notes import day_over

OLD_DAYS = 365
_SEVERITY: dict[str, Severity] = {
    "FIXME": "low",
    "BUG": "low",
    "HACK": "low",
    "XXX": "low",
    "TODO": "info",
    "NOTE": "info",
    "UNTIL": "info",
}
_PAGE = re.compile(
    r"\.(?:html?|j2|jinja2?)$|(?:^|/)(?:templates?|e?mails|letters)/(?!(?:[^/]+/)*readme)[^\n]*\.(?:txt|md)$", re.I
)
"""What is filled in and sent or shown: pages, and texts in folders of templates."""
_PLAIN = frozenset({"NOTE", "UNTIL"})
"""Notes without a keyword; the second are notes only once their day is over."""


def todos(project: Project) -> Iterator[Finding]:
    """Yield every note in a comment, with a keyword or in plain words; those of documents are plans and left alone."""
    for facts in project.files.values():
        if facts.role == "doc" and not _PAGE.search(facts.path):
            continue
        for todo in facts.todos:
            age = project.ages(facts.path, todo.line)
            old = age is not None and age >= OLD_DAYS
            level = _SEVERITY[todo.tag]
            last = day_over(todo.text) if todo.tag in _PLAIN else None
            over = last is not None and project.today is not None and last < project.today
            if todo.tag == "UNTIL" and not over:
                continue
            yield Finding(
                kind="todo",
                rule="NOTE" if todo.tag in _PLAIN else todo.tag,
                place=Place(path=facts.path, line=todo.line),
                severity="low" if old or over else level,
                why="overdue_todo" if over else "old_todo" if old else "todo",
                confidence=0.95 if todo.tag not in _PLAIN else 0.8 if over else 0.6,
                facts={"text": todo.text} | ({} if age is None else {"age_days": round(age)}),
                evidence=project.evidence(facts.path, todo.line).strip(),
            )
