"""Decorators that run whenever a test calls what they decorate."""

from collections.abc import Callable, Mapping

from ...facts.file import FileFacts
from ...facts.measures import Function
from ...known.project import Project


def runs_around(
    project: Project,
    facts: FileFacts,
    judged: list[Function],
    is_tested: Callable[[FileFacts, list[Function]], bool],
) -> bool:
    """Return whether all is decoration of functions of another file that tests reach: it runs with them.

    Args:
        is_tested: Says whether tests reach some functions of a file.
    """
    lines = project.text_of(facts.path).split("\n")
    branching = [each for each in judged if each.complexity > 1]
    wraps = ["wraps(" in "\n".join(lines[max(0, each.line - 4) : each.line]) for each in branching]
    if facts.python is None or not any(wraps):
        return False
    outer = {
        each.name.split(".")[-2] for each, wrapped in zip(branching, wraps, strict=True) if wrapped and "." in each.name
    }
    plain = {each.name for each in branching if "." not in each.name} - outer - _called_by(facts.python.calls, outer)
    users = {edge.source for edge in project.edges if edge.target == facts.path}
    for path in sorted(users):
        user = project.files[path]
        used = set(user.python.used) if user.python else set()
        plain -= used
        if user.role == "source" and outer & used and not plain:
            functions = [each for each in user.functions if each.complexity > 1] or list(user.functions)
            if functions and is_tested(user, functions):
                return True
    return False


def _called_by(calls: Mapping[str, list[str]], names: set[str]) -> set[str]:
    """Return the functions of a file that some of its functions call."""
    found = set(names)
    while more := {each for name in found for each in calls.get(name, ())} - found:
        found |= more
    return found - names
