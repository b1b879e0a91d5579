"""Definitions nobody refers to, and statements that never run.

A name counts as used when any file of the product uses it, looks it up by a string, or when a template or a
configuration file holds it. In a library the public names are its product and never dead.
"""

from collections.abc import Iterator

from ....state.report import Finding, Place, Severity
from ..facts import Defined, FileFacts
from ..project import Project

_STARTED_BY_NAME = frozenset(
    {"main", "create_app", "make_app", "application", "app", "handler", "lambda_handler", "cli"}
)
_TEMPLATES = (".html", ".htm", ".j2", ".jinja", ".jinja2", ".xml", ".mako", ".txt")
_ERRORS = ("Error", "Exception", "Warning")


def dead_code(project: Project) -> Iterator[Finding]:
    """Yield unused functions, classes, methods and properties of Python files, and unreachable statements."""
    product = _names(project, tests=False)
    tests = _names(project, tests=True)
    local = _local_classes(project)
    made = tuple({each for facts in project.files.values() if facts.python for each in facts.python.prefixes})
    public_is_api = project.kind in ("library", "data project")
    for facts in project.of_role("source"):
        if facts.python is None:
            continue
        yield from _unreachable(project, facts)
        dead: set[str] = set()
        for each in facts.python.defined:
            if (
                each.kept
                or each.name.startswith(made)
                or each.name in product
                or each.name in _STARTED_BY_NAME
                or each.owner in dead
            ):
                continue
            if public_is_api and _is_public(each, facts.path):
                continue
            if each.what == "class" and _found_by_base(each.name, local, frozenset()):
                continue
            dead.add(each.name)
            yield _finding(project, facts, each, only_tests=each.name in tests)


def _names(project: Project, *, tests: bool) -> set[str]:
    """Return every name that tests, or everything else, may mean."""
    found: set[str] = set()
    for facts in project.files.values():
        if (facts.role == "test") is not tests:
            continue
        if facts.python:
            found.update(facts.python.used, facts.python.words)
        elif facts.role == "data" or facts.path.endswith(_TEMPLATES) or (facts.language and facts.words):
            found.update(facts.words)
    return found


def _is_public(each: Defined, path: str) -> bool:
    private_module = any(part.startswith("_") and not part.startswith("__") for part in path.split("/"))
    return not each.name.startswith("_") and not private_module


def _local_classes(project: Project) -> dict[str, list[str]]:
    """Return the bases of every class of the product, by name."""
    return {
        name: bases for facts in project.of_role("source") if facts.python for name, bases in facts.python.bases.items()
    }


def _found_by_base(name: str, local: dict[str, list[str]], seen: frozenset[str]) -> bool:
    """Return whether a class has a base from elsewhere, which may find it: a model, a command, a plugin.

    Errors are raised by name only, so theirs do not count.
    """
    if name in seen:
        return False
    return any(
        _found_by_base(base, local, seen | {name}) if base in local else not base.endswith(_ERRORS)
        for base in local.get(name, ())
    )


def _finding(project: Project, facts: FileFacts, each: Defined, *, only_tests: bool) -> Finding:
    lines = each.end - each.line + 1
    weak = each.what in ("method", "property")
    level: Severity = "low" if lines >= 5 or not weak else "info"
    name = f"{each.owner}.{each.name}" if each.owner else each.name
    return Finding(
        kind="dead_code",
        rule=each.what,
        place=Place(path=facts.path, line=each.line, end=each.end),
        symbol=name,
        severity=level,
        why="only_tests" if only_tests else "unused",
        confidence=0.6 if weak else 0.7 if only_tests else 0.85,
        facts={
            "what": each.what,
            "name": name,
            "lines": lines,
            "reason": "only tests refer to it" if only_tests else "nothing refers to it",
        },
        evidence=project.evidence(facts.path, each.line),
    )


def _unreachable(project: Project, facts: FileFacts) -> Iterator[Finding]:
    assert facts.python is not None
    for first, last in facts.python.unreachable:
        yield Finding(
            kind="dead_code",
            rule="unreachable",
            place=Place(path=facts.path, line=first, end=last),
            severity="low",
            why="unreachable",
            confidence=0.95,
            facts={
                "what": "code",
                "name": f"{first}-{last}",
                "lines": last - first + 1,
                "reason": "it stands after the end of a path",
            },
            evidence=project.evidence(facts.path, first, last),
        )
