"""Notes that people left in the code, with their age."""

from collections.abc import Iterator

from ....state.report import Finding, Place, Severity
from ..project import Project

OLD_DAYS = 365
_SEVERITY: dict[str, Severity] = {"FIXME": "low", "BUG": "low", "HACK": "low", "XXX": "low", "TODO": "info"}


def todos(project: Project) -> Iterator[Finding]:
    """Yield every TODO, FIXME, HACK, XXX and BUG in a comment; those of documents are plans and left alone."""
    for facts in project.files.values():
        if facts.role == "doc" and not facts.path.endswith((".html", ".htm", ".j2", ".jinja")):
            continue
        for todo in facts.todos:
            age = project.ages(facts.path, todo.line)
            old = age is not None and age >= OLD_DAYS
            level = _SEVERITY[todo.tag]
            yield Finding(
                kind="todo",
                rule=todo.tag,
                place=Place(path=facts.path, line=todo.line),
                severity="low" if old else level,
                why="old_todo" if old else "todo",
                confidence=0.95,
                facts={"text": todo.text} | ({} if age is None else {"age_days": round(age)}),
                evidence=project.evidence(facts.path, todo.line).strip(),
            )
