"""Which parameters of which functions get text that came in with a request: through the calls between them."""

from collections import defaultdict
from collections.abc import Iterator, Set

from ...facts.file import FileFacts
from ...facts.requests import Handed
from ...known.project import Project
from .calls import Calls

DEEPEST = 4
"""Calls between a handler and what trusts its text."""

Parameter = tuple[str, str, str]
"""Path, function and the name of its parameter."""


def handed_in(project: Project) -> Set[Parameter]:
    """Return every parameter that some handler of requests hands text of its request, itself or by what it calls."""
    calls = Calls(project)
    onward: dict[Parameter, list[tuple[FileFacts, Handed]]] = defaultdict(list)
    fresh: set[Parameter] = set()
    for facts in project.of_role("source"):
        for each in facts.python.hands_on if facts.python else ():
            if each.function:
                onward[facts.path, each.function, each.parameter].append((facts, each))
            else:
                fresh.update(_meant(project, calls, facts, each))
    found: set[Parameter] = set()
    for _ in range(DEEPEST):
        found |= fresh
        fresh = {
            to for at in fresh for facts, each in onward.get(at, ()) for to in _meant(project, calls, facts, each)
        } - found
        if not fresh:
            break
    return found


def _meant(project: Project, calls: Calls, facts: FileFacts, each: Handed) -> Iterator[Parameter]:
    """Yield the parameters that an argument may become."""
    for path, name in calls.named(facts, each.callee):
        python = project.files[path].python
        names = python.takes.get(name, []) if python else []
        if each.argument in names:
            yield path, name, each.argument
        elif each.argument.isdigit() and int(each.argument) < len(names):
            yield path, name, names[int(each.argument)]
