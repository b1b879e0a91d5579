"""Modules with something to get wrong that no test names."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import PurePosixPath

from .....state.report import Finding, Place, Severity
from ...facts.file import FileFacts
from ...facts.measures import Function
from ...known.project import Project
from ...reading.python.skipped_tests import runs_any
from .called_addresses import Called, called, is_called
from .coverage import coverage
from .run_along import runs_along
from .run_around import runs_around
from .worth_a_test import functions_worth_a_test, handlers_worth_a_test, is_entry

LEAST_WITHOUT_TESTS = 3
"""Branches of a file in a language that has no test at all: one missing habit, told where it matters most."""
COMPLEX_BRANCHES, VERY_COMPLEX_BRANCHES = 15, 40
MOST_WITHOUT_ANY_TEST = 10
"""Findings where a repository has no tests at all: one would say it, ten tell where to start."""
LONG_NAME = 8
WELL_TESTED = 0.6
"""Lines of tests to lines of source."""
NAMED_SHARE, NAMED_LEAST = 1 / 3, 3
"""Of a file's public names: so many in tests mean that it is tested through something else, as a facade is."""
ASKED_SHARE, LEAST_ASKED = 2 / 3, 3
"""Of the files that serve several addresses: where tests ask for so many, one that they leave out is told."""
_ENOUGH_COVERED = 0.2
_STARTS = frozenset({"main", "cli", "run", "dispatch", "execute_from_command_line"})


@dataclass(frozen=True, slots=True)
class _Tests:
    """What the tests of a repository speak of, gathered once."""

    files: list[FileFacts]
    used: Mapping[str, Set[str]]
    """By file of tests, the names that those of them use which are not skipped."""
    stems: dict[str, set[str]]
    """By language, the names of files that test files go by."""
    called: Called
    rates: dict[str, float]
    """By file, what coverage was measured."""
    reach_much: bool
    """Whether they reach much through the front door of a library."""
    ask_most: bool
    """Whether they ask for addresses of most files that serve some."""


def missing_tests(project: Project) -> Iterator[Finding]:
    """Yield source files with branches of which no test names a function, calls an address, or has the file's name.

    Where a run of the tests left its coverage, what it says goes before what names suggest.
    """
    tests = _gathered(project)
    found = [
        _finding(project, facts, judged, tests)
        for facts in project.of_role("source")
        if (judged := functions_worth_a_test(facts) or _passed_over(facts, tests))
        and _is_worth_it(facts, judged, tests)
        and not _is_tested(project, facts, judged, tests)
        and not runs_around(project, facts, judged, lambda user, its: _is_tested(project, user, its, tests))
        and not runs_along(project, facts, judged, lambda user: _is_tested(project, user, user.functions, tests))
    ]
    if not tests.files:
        found = sorted(found, key=lambda each: -int(str(each.facts["branches"])))[:MOST_WITHOUT_ANY_TEST]
    yield from found


def _gathered(project: Project) -> _Tests:
    files = list(project.of_role("test"))
    stems: dict[str, set[str]] = defaultdict(set)
    used: dict[str, Set[str]] = {}
    for test in files:
        used[test.path] = _names_that_run(project, test)
        if used[test.path] or not test.python or not test.python.used:
            stems[test.language] |= _stems_of_test(test.path)
    by_tests = called(project)
    serving = [is_called(project, each, by_tests) for each in project.of_role("source") if handlers_worth_a_test(each)]
    return _Tests(
        files,
        used,
        stems,
        by_tests,
        coverage(project),
        _is_reached_otherwise(project),
        sum(serving) >= max(LEAST_ASKED, ASKED_SHARE * len(serving)),
    )


def _passed_over(facts: FileFacts, tests: _Tests) -> list[Function]:
    """Return the handlers of a file that decide nothing, where tests ask for those of most other files."""
    return handlers_worth_a_test(facts) if tests.ask_most else []


def _names_that_run(project: Project, test: FileFacts) -> Set[str]:
    """Return the names that the tests of a file use; none where every test of it is skipped."""
    if test.python:
        used = test.python.used if test.python.running is None else test.python.running
        return frozenset(used) - frozenset(test.python.replaced)
    if test.tree is None or not runs_any(project.text_of(test.path)):
        return frozenset()
    return frozenset((*test.tree.used, *(each.name for each in test.tree.imports)))


def _is_worth_it(facts: FileFacts, judged: list[Function], tests: _Tests) -> bool:
    """Return whether a file has enough to get wrong, where its language has no tests in this repository at all."""
    family = (
        {"javascript", "typescript", "tsx"}
        if facts.language in ("javascript", "typescript", "tsx")
        else {facts.language}
    )
    known = not tests.files or any(each.language in family for each in tests.files)
    return known or sum(each.complexity - 1 for each in judged) >= LEAST_WITHOUT_TESTS


def _is_tested(project: Project, facts: FileFacts, judged: list[Function], tests: _Tests) -> bool:
    for path, rate in tests.rates.items():
        if facts.path == path or facts.path.endswith(f"/{path}") or path.endswith(f"/{facts.path}"):
            return rate >= _ENOUGH_COVERED
    stem = _stem(facts.path)
    if ("/commands/" in facts.path or is_entry(facts.path)) and stem in project.words_in_tests:
        return True
    if stem in tests.stems.get(facts.language, ()):
        return True
    if facts.tree is not None:
        return _named_elsewhere(project, facts, judged, tests) or is_called(project, facts, tests.called)
    if facts.language != "python":
        return False
    return _named_by_tests(project, facts, judged, tests) or is_called(project, facts, tests.called)


def _stem(path: str) -> str:
    """Return the name a test of the file would have: of a package that of its folder."""
    pure = PurePosixPath(path)
    return (pure.parent.name if pure.stem in ("__init__", "index", "mod") else pure.stem).lower().strip("_")


def _stems_of_test(path: str) -> set[str]:
    """Return the names a test file may be about: `test_api_orders` speaks of api_orders, orders and api."""
    name = PurePosixPath(path).name.partition(".")[0].lower()
    name = re.sub(r"^tests?_|_tests?$|_spec$|test$", "", name).strip("_")
    parts = name.split("_")
    ends = {"_".join(parts[start:]) for start in range(len(parts))}
    folder = PurePosixPath(path).parent.name.lower()
    return {*ends, name, f"{name}s", name.rstrip("s"), re.sub(r"^tests?_", "", folder)} - {"", "s", "tests", "test"}


def _named_by_tests(project: Project, facts: FileFacts, judged: list[Function], tests: _Tests) -> bool:
    """Return whether a test that imports the file, or knows a name only it defines, names one of its functions."""
    names = {each.name.rpartition(".")[2] for each in judged} | {each.name.partition(".")[0] for each in judged}
    if facts.python:
        names |= {each.owner for each in facts.python.defined if each.owner and each.name in names}
        names |= _callers(facts.python.calls, names)
        if names & set(facts.python.inner.get("", ())):  # a table of commands, by which the first function calls them
            names |= _STARTS & {each.name for each in facts.python.defined}
    importing = project.importing_tests.get(facts.path, frozenset())
    telling = {name for name in names if _is_telling(project, name)}
    return any(
        (names if test.path in importing else telling) & tests.used[test.path] for test in tests.files if test.python
    )


def _named_elsewhere(project: Project, facts: FileFacts, judged: list[Function], tests: _Tests) -> bool:
    """Return whether a test that imports the file, or stands in its package, names a function or class of it."""
    assert facts.tree is not None
    names = {re.split(r"[.:]+", each.name)[-1] for each in judged} | {each.name for each in facts.tree.defined}
    importing = project.importing_tests.get(facts.path, frozenset())
    beside = facts.path.rpartition("/")[0]
    for test in tests.files:
        if test.tree is None or (test.language == "go") is not (facts.language == "go"):
            continue
        near = test.path in importing or test.path.rpartition("/")[0] == beside or facts.language == "java"
        if near and names & tests.used[test.path]:
            return True
    return False


def _callers(calls: Mapping[str, list[str]], names: set[str]) -> set[str]:
    """Return the functions through which a test reaches others of the file."""
    found = set(names)
    while more := {caller for caller, named in calls.items() if caller not in found and found & set(named)}:
        found |= more
    return found - names


def _is_telling(project: Project, name: str) -> bool:
    """Return whether a name alone tells which file is meant: defined once, and no word of everyday code."""
    return project.definitions[name] == 1 and len(name) >= LONG_NAME and ("_" in name.strip("_") or not name.islower())


def _is_reached_otherwise(project: Project) -> bool:
    """Return whether a library has about as many lines of tests as of source: they reach much by its front door."""
    lines = Counter({role: sum(facts.lines for facts in project.of_role(role)) for role in ("source", "test")})
    return project.kind == "library" and lines["test"] >= WELL_TESTED * lines["source"]


def _finding(project: Project, facts: FileFacts, judged: list[Function], tests: _Tests) -> Finding:
    branches = sum(each.complexity - 1 for each in facts.functions)
    worst = sorted(judged, key=lambda each: -each.complexity)
    level: Severity = "low"
    reached = tests.reach_much
    if branches >= COMPLEX_BRANCHES and not reached:
        level = "high" if branches >= VERY_COMPLEX_BRANCHES and tests.files else "medium"
    return Finding(
        kind="missing_tests",
        place=Place(path=facts.path, line=worst[0].line, end=worst[0].end),
        others=tuple(Place(path=facts.path, line=each.line, end=each.end) for each in worst[1:5]),
        severity=level,
        why="untested_complex" if level != "low" else "untested",
        confidence=0.75 if facts.language == "python" and not reached else 0.5,
        facts={
            "functions": len(facts.functions),
            "branches": branches,
            "untested": [each.name for each in worst[:5]],
            "first": worst[0].name,
        },
        evidence=project.evidence(facts.path, worst[0].line),
    )
