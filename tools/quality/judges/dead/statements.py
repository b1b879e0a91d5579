"""Statements that never run: after the end of a path, and where all that can come was taken above them."""

from collections.abc import Iterator

from .....state.report import Finding
from ...facts.file import FileFacts
from ...known.project import Project
from ...reading.python.caught import is_covered
from .findings import idle_lines


def dead_statements(project: Project) -> Iterator[Finding]:
    """Yield the statements of source files after a return or raise, and what nothing is left over for."""
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
        for each in facts.python.handled if facts.python else ():
            possible = _possible(project, facts, each.given)
            if possible and possible <= set(each.what.split(",")):
                yield _finding(project, facts, each.line, each.end, "every value that can come is handled above")


def _possible(project: Project, facts: FileFacts, given: str) -> set[str]:
    """Return all values of a constant or enumeration; empty where it is not known which one is meant."""
    if given.startswith("="):
        return set(given[1:].split(","))
    own = facts.python.listed.get(given) if facts.python else None
    if own is None and facts.python and any(each.name == given for each in facts.python.imports):
        found = [
            other.python.listed[given]
            for other in project.files.values()
            if other.python and given in other.python.listed
        ]
        own = found[0] if len(found) == 1 else None
    return set(own or ())


def _finding(project: Project, facts: FileFacts, first: int, last: int, reason: str) -> Finding:
    return idle_lines(
        project, facts.path, (first, last), rule="unreachable", name=f"{first}-{last}", reason=reason, confidence=0.95
    )
