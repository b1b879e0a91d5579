"""Rules of a few lines that were written a second time: the same steps with other names, often other numbers by now."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from .....state.report import Finding, Place
from ...facts.file import FileFacts
from ...facts.measures import Shape, ShapeRow
from ...known.project import Project

LEAST_PARTS, LEAST_STATEMENTS, LEAST_DECISIONS = 30, 4, 4
"""Of a run of statements: its length, and how many comparisons and calculations make it a rule."""
LONG_PARTS, LONG_STATEMENTS = 50, 6
"""Of a run that is no rule: so much of the same shape is written once and copied."""
LEAST_CHECKS = 2
"""Checks one after the other that refuse, one of them with the same message."""
LEAST_ANCHOR = 7
"""Parts of a statement from which on its shape says something."""
COMMON = 4
"""A statement that stands in more places than this is an idiom."""

_Row = tuple[str, Shape]
_Run = list[tuple[Shape, Shape]]


def rules_again(project: Project, known: Collection[Finding]) -> Iterator[Finding]:
    """Yield pairs of runs of statements of the same shape, which are not known yet."""
    files = [facts for facts in project.of_role("source") if facts.python]
    counts = Counter(row[0] for facts in files for row in _shapes(facts) if row[2] >= LEAST_ANCHOR)
    shared = {value for value, count in counts.items() if 2 <= count <= COMMON}
    rows: dict[tuple[str, int], list[Shape]] = defaultdict(list)
    anchors: dict[int, list[_Row]] = defaultdict(list)
    for facts in files:
        told = {row[7] for row in _shapes(facts) if row[0] in shared}
        for shape in (Shape(*row) for row in _shapes(facts) if row[7] in told):
            rows[facts.path, shape.block].append(shape)
            if shape.hash in shared and shape.parts >= LEAST_ANCHOR:
                anchors[shape.hash].append((facts.path, shape))
    found = [
        (path, other_path, run)
        for places in anchors.values()
        for (path, one), (other_path, other) in combinations(places, 2)
        if (path, one.function) != (other_path, other.function)
        and _is_rule(run := _run(rows[path, one.block], one, rows[other_path, other.block], other))
    ]
    seen: dict[str, list[Place]] = defaultdict(list)
    for place in (place for each in known for place in (each.place, *each.others)):
        seen[place.path].append(place)
    for path, other_path, run in sorted(found, key=lambda each: -_parts(each[2])):
        here = Place(path=path, line=run[0][0].line, end=run[-1][0].end)
        there = Place(path=other_path, line=run[0][1].line, end=run[-1][1].end)
        if not (_is_seen(here, seen) and _is_seen(there, seen)):
            seen[here.path].append(here)
            seen[there.path].append(there)
            yield _finding(project, here, there, _parts(run))


def _shapes(facts: FileFacts) -> Sequence[ShapeRow]:
    return facts.python.shapes if facts.python else ()


def _parts(run: _Run) -> int:
    return sum(row.parts for row, _ in run)


def _run(rows: Sequence[Shape], one: Shape, others: Sequence[Shape], other: Shape) -> _Run:
    """Return the statements around two of the same shape that have the same shapes too."""
    run = [(one, other)]
    for step in (-1, 1):
        place, other_place = one.place + step, other.place + step
        while 0 <= place < len(rows) and 0 <= other_place < len(others):
            if rows[place].hash != others[other_place].hash:
                break
            run.append((rows[place], others[other_place]))
            place, other_place = place + step, other_place + step
    return sorted(run, key=lambda each: each[0].place)


def _is_rule(run: _Run) -> bool:
    rows = [row for row, _ in run]
    checks = [(row, other) for row, other in run if row.refuses]
    if len(checks) >= LEAST_CHECKS and any(row.message and row.message == other.message for row, other in checks):
        return True
    statements = sum(row.statements for row in rows)
    if _parts(run) >= LONG_PARTS and statements >= LONG_STATEMENTS:
        return True
    return (
        _parts(run) >= LEAST_PARTS
        and statements >= LEAST_STATEMENTS
        and sum(row.decisions for row in rows) >= LEAST_DECISIONS
    )


def _is_seen(place: Place, seen: Mapping[str, Sequence[Place]]) -> bool:
    return any(
        each.line <= (place.end or place.line) and (each.end or each.line) >= place.line
        for each in seen.get(place.path, ())
    )


def _finding(project: Project, here: Place, there: Place, parts: int) -> Finding:
    return Finding(
        kind="duplicate_code",
        place=here,
        others=(there,),
        symbol=_function(project, here),
        severity="low",
        why="copy",
        confidence=0.7,
        facts={
            "lines": (here.end or here.line) - here.line + 1,
            "tokens": parts,
            "other": f"{there} ({_function(project, there)})",
            "copies": 2,
        },
        evidence=project.evidence(here.path, here.line, here.end or here.line),
    )


def _function(project: Project, place: Place) -> str:
    around = [each for each in project.files[place.path].functions if each.line <= place.line <= each.end]
    return max(around, key=lambda each: each.line).name if around else ""
