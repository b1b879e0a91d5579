"""The one place that reads the machine's clock, where the project has a clock of its own that all others ask."""

from collections.abc import Iterator

from .....state.report import Finding, Place
from ...known.paths import SPEAKS
from ...known.project import Project

LEAST_USERS = 3
"""Files that ask the project's clock, from which on it is the rule."""


def clocks(project: Project) -> Iterator[Finding]:
    """Yield the lines that read the machine's clock themselves, where few do."""
    own = {facts.path: set(facts.python.clocks) for facts in project.of_role("source") if facts.python}
    own = {path: names for path, names in own.items() if names}
    sources = {facts.path for facts in project.of_role("source")}
    asking = {
        edge.source
        for edge in project.edges
        if edge.target in own
        and edge.source in sources
        and edge.source not in own
        and _takes_clock(project, edge.source, own[edge.target])
    }
    kinds = {_kind(name) for names in own.values() for name in names}
    outside = {
        facts.path: reads
        for facts in project.of_role("source")
        if facts.python and facts.path not in own and not SPEAKS.search(facts.path)
        if (reads := [each for each in facts.python.clock_reads if not each.callee and _kind(each.call) in kinds])
    }
    if len(asking) < LEAST_USERS or len(outside) * 3 > len(asking):
        return
    for path, reads in outside.items():
        told = {int(item["line"]) for item in project.lint.get(path, ()) if str(item["rule"]).startswith("DTZ")}
        for each in reads:
            if each.line not in told:
                yield Finding(
                    kind="lint",
                    rule="clock-bypassed",
                    place=Place(path=path, line=each.line),
                    severity="low",
                    why="bug",
                    confidence=0.8,
                    facts={"message": "clock-bypassed", "what": each.call},
                    evidence=project.evidence(path, each.line).strip(),
                )


def _kind(name: str) -> str:
    """Return whether a function gives a day or a moment."""
    return "day" if "today" in name and "datetime" not in name else "moment"


def _takes_clock(project: Project, path: str, names: set[str]) -> bool:
    """Return whether a file names one of the functions of a clock."""
    python = project.files[path].python
    return python is not None and bool(names & set(python.used))
