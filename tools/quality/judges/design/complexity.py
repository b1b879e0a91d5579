"""Functions that do too much, take too much, and files that hold too much."""

from collections.abc import Iterator
from statistics import median

from .....state.report import Finding, Place, Severity
from ...facts.file import FileFacts
from ...facts.measures import Function
from ...known.project import Project

COMPLEX = 12
"""Cyclomatic complexity from which a function is told; above 10 it is hard to test (McCabe 1976), and many short
functions that only choose between cases reach 11."""
NESTED_COMPLEX = 6
"""Complexity from which on a deeply nested function is told."""
VERY_COMPLEX = 20
EXTREMELY_COMPLEX = 40
SHORT = 30
"""Lines of code below which a function is told from `VERY_COMPLEX` on: its few cases are seen at one look. One that
decides in every line, as a row of guards does, is told from `ALL_GUARDS` on."""
ALL_GUARDS = 26
LONG = 80
"""Lines of code from which a function is told for its length alone."""
MANY_PARAMETERS, MANY_OF_CONSTRUCTOR = 8, 9
"""Parameters from which on a function is told; a constructor gathers what an object is made of, and may take more."""
LARGE = 1_500
"""Lines of a file."""
LARGE_AMONG_SMALL, LEAST_FILES = 300, 12
"""Lines of a file that is told where it stands far above the others, and how many those have to be."""
APART, MANY_TIMES = 2.2, 5
"""Times the lines of the next longest file, and of the middle one, from which on it does."""


def complexity(project: Project) -> Iterator[Finding]:
    """Yield functions that are complex or long, functions with many parameters, and large files."""
    for facts in project.of_role("source"):
        for function in facts.functions:
            yield from _function(project, facts, function)
        apart = (
            facts.lines >= LARGE_AMONG_SMALL
            and holds_code(facts)
            and _is_far_the_longest(project, facts.path, facts.lines)
        )
        if facts.lines > LARGE or apart:
            yield Finding(
                kind="large_file",
                place=Place(path=facts.path),
                severity="low",
                why="large_file",
                confidence=0.9,
                facts={"lines": facts.lines, "functions": len(facts.functions)},
            )


def _function(project: Project, facts: FileFacts, function: Function) -> Iterator[Finding]:
    place = Place(path=facts.path, line=function.line, end=function.end)
    measures = {"complexity": function.complexity, "lines": function.lines, "parameters": function.parameters}
    code = facts.python or facts.tree
    depth = code.nested.get(function.line, 0) if code else 0
    level = severity_of(function) or ("low" if depth and function.complexity >= NESTED_COMPLEX else None)
    if level:
        yield Finding(
            kind="complex_function",
            place=place,
            symbol=function.name,
            severity=level,
            why="complexity" if function.complexity >= COMPLEX else "nesting" if depth else "length",
            confidence=0.95,
            facts=measures | ({"nesting": depth} if depth else {}),
            evidence=project.evidence(facts.path, function.line),
        )
    builds = function.name.rpartition(".")[2] == "__init__"
    if function.parameters >= (MANY_OF_CONSTRUCTOR if builds else MANY_PARAMETERS) and not _is_given(
        project, facts, function
    ):
        yield Finding(
            kind="many_parameters",
            place=place,
            symbol=function.name,
            severity="low",
            why="parameters",
            confidence=0.8,
            facts=measures,
            evidence=project.evidence(facts.path, function.line),
        )


def _is_given(project: Project, facts: FileFacts, function: Function) -> bool:
    """Return whether a signature is not free: what a decorator calls, what a library has promised."""
    name = function.name.rpartition(".")[2]
    if project.kind == "library" and (name == "__init__" or not name.startswith("_")):
        return True
    defined = facts.python.defined if facts.python else ()
    return any(
        each.name == name and each.kept == "decorated" for each in defined if each.line <= function.line <= each.end
    )


def _is_far_the_longest(project: Project, path: str, lines: int) -> bool:
    """Return whether a file holds what others share out: several times as long as the next, and as most."""
    sizes = sorted(
        (each.lines for each in project.of_role("source") if holds_code(each) and each.path != path), reverse=True
    )
    return len(sizes) >= LEAST_FILES and lines >= APART * sizes[0] and lines >= MANY_TIMES * median(sizes)


def holds_code(facts: FileFacts) -> bool:
    """Return whether a file has functions that somebody wrote."""
    return bool(facts.functions) and not facts.generated


def severity_of(function: Function) -> Severity | None:
    """Return how bad a function's complexity or length is, or None where it is not worth telling."""
    if function.complexity >= EXTREMELY_COMPLEX or (function.complexity >= 30 and function.lines >= LONG):
        return "high"
    if function.lines <= function.complexity < ALL_GUARDS:
        return None
    if function.complexity >= VERY_COMPLEX:
        return "medium"
    if function.complexity >= COMPLEX and function.lines >= SHORT:
        return "medium" if function.lines >= LONG else "low"
    return "low" if function.lines >= LONG and function.complexity > 1 else None
