"""Branches that never run: they ask for a name that is off, and nothing ever turns it on."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set

from .....state.report import Finding
from ...facts.file import FileFacts
from ...known.project import Project
from ...reading.python.switches import ANY_NAME
from ...reading.templates import MARKUP
from .findings import idle_lines

_FROM_OUTSIDE = frozenset({"from_envvar", "from_prefixed_env", "from_pyfile", "from_file", "from_json", "dynaconf"})
"""What fills fields of a configuration from files and variables that are not in the repository."""


def dead_branches(project: Project) -> Iterator[Finding]:
    """Yield the lines behind switches that are off in the code, and set nowhere: not in tests, settings, documents.

    In a library a public name is its users' to set.
    """
    off = _off(project)
    filled = _is_filled(project)
    given = _given(project) if off else frozenset()
    for facts in project.of_role("source"):
        told = 0
        for each in facts.python.switches.asking if facts.python else ():
            switch = off.get(each.what)
            if switch is None or each.what in given or each.line <= told:
                continue
            if filled if each.rule == "of" else not _means(facts, each.what, switch):
                continue
            told = each.end  # what is inside is told with it
            yield _finding(project, facts, each.line, each.end, each.what)


def _off(project: Project) -> Mapping[str, Set[str]]:
    """Return, by name, the files in which it is off."""
    found: dict[str, set[str]] = defaultdict(set)
    for facts in project.of_role("source"):
        for each in facts.python.switches.off if facts.python else ():
            public = project.kind == "library" and not each.name.startswith("_")
            if not (public or _is_replaced(project, facts)):
                found[each.name].add(facts.path)
    return found


def _is_filled(project: Project) -> bool:
    """Return whether some file fills a configuration from outside, or under names made at run time."""
    return any(
        _FROM_OUTSIDE.intersection(facts.python.used) or ANY_NAME in facts.python.switches.given
        for facts in project.of_role("source")
        if facts.python
    )


def _is_replaced(project: Project, facts: FileFacts) -> bool:
    """Return whether a file takes all of another that is not in the repository: settings of the place it runs at."""
    known = {edge.line for edge in project.edges if edge.source == facts.path}
    imports = facts.python.imports if facts.python else []
    return any(each.name == "*" and each.line not in known for each in imports)


def _given(project: Project) -> Set[str]:
    found: set[str] = set()
    for facts in project.files.values():
        if facts.python:
            found.update(facts.python.switches.given)
        elif not facts.path.endswith(MARKUP):
            found.update(facts.words)
    return found


"""What asks for a name and cannot set it."""


def _means(facts: FileFacts, name: str, switch: Set[str]) -> bool:
    """Return whether a plain name is the switch: the file's own, or imported."""
    assert facts.python is not None
    return facts.path in switch or any(each.name == name for each in facts.python.imports)


def _finding(project: Project, facts: FileFacts, first: int, last: int, name: str) -> Finding:
    return idle_lines(
        project,
        facts.path,
        (first, last),
        rule="switched off",
        name=name,
        reason="it is false, and nothing sets it",
        confidence=0.8,
    )
