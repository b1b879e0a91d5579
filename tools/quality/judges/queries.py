"""Queries to a database once per round of a loop, in the loop itself or in a function it calls."""

import re
from collections.abc import Iterator

from ....state.report import Finding, Place
from ...import_graph import Import
from ..facts import FileFacts, LoopQuery
from ..project import Project

_NEAR_DATABASE = re.compile(r"(^|/)(scripts|db|database|backends?|drivers?|migrations)/")
"""Scripts that run once, and the layer that is the database's own: there a query a round weighs less."""


def queries_in_loops(project: Project) -> Iterator[Finding]:
    """Yield every line of a source file that asks a database in a loop."""
    for facts in project.of_role("source"):
        if facts.python is None:
            continue
        told: set[int] = set()
        for each in facts.python.loop_queries:
            indirect = bool(each.callee)
            if each.line in told or (indirect and not _callee_queries(project, facts, each.callee)):
                continue
            told.add(each.line)
            yield _finding(project, facts, each, indirect=indirect)


def _callee_queries(project: Project, facts: FileFacts, callee: str) -> bool:
    """Return whether a called function asks a database itself."""
    assert facts.python is not None
    holder, _, name = callee.rpartition(".")
    if not holder and any(each.name == name and not each.owner for each in facts.python.defined):
        return name in facts.python.querying
    for each in facts.python.imports:
        if (each.alias or each.name or each.module.partition(".")[0]) != (holder or name):
            continue
        target = project.modules.resolve(
            facts.path, Import(module=each.module, name=each.name, level=each.level, line=each.line)
        )
        found = project.files.get(target)
        if found and found.python:
            return (name if holder else each.name) in found.python.querying
    return False


def _finding(project: Project, facts: FileFacts, each: LoopQuery, *, indirect: bool) -> Finding:
    return Finding(
        kind="query_in_loop",
        place=Place(path=facts.path, line=each.line),
        severity="low" if indirect or _NEAR_DATABASE.search(facts.path) else "medium",
        why="indirect_query" if indirect else "query",
        confidence=0.65 if indirect else 0.85,
        facts={"call": each.call},
        evidence=project.evidence(facts.path, each.line).strip(),
    )
