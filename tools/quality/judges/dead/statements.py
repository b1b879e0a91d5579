"""Statements that never run: after the end of a path, and clauses whose errors an earlier clause takes."""

from collections.abc import Iterator

from .....state.report import Finding
from ...facts.file import FileFacts
from ...known.project import Project
from ...reading.python.caught import is_covered
from .findings import idle_lines


def dead_statements(project: Project) -> Iterator[Finding]:
    """Yield the statements of source files after a return or raise, and the clauses of `except` that catch nothing."""
    bases = {
        name: above for facts in project.of_role("source") if facts.python for name, above in facts.python.bases.items()
    }
    own = {part.removesuffix(".py") for path in project.files for part in path.split("/")}
    for facts in project.of_role("source"):
        code = facts.python or facts.tree
        for first, last in code.unreachable if code and not facts.generated else ():
            yield _finding(project, facts, first, last, "it stands after the end of a path")
        for each in facts.python.shadowed if facts.python else ():
            if is_covered(each.what, bases, own):
                yield _finding(project, facts, each.line, each.end, "an earlier clause catches all of it")


def _finding(project: Project, facts: FileFacts, first: int, last: int, reason: str) -> Finding:
    return idle_lines(
        project, facts.path, (first, last), rule="unreachable", name=f"{first}-{last}", reason=reason, confidence=0.95
    )
