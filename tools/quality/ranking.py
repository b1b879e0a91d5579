"""Findings in the order an engineer should look at them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...state.report import KINDS, SEVERITIES, Finding, Place

BEFORE_OTHERS = 4


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in the order to look at them: worst first, the kinds taking turns, surest and largest first.

    After `BEFORE_OTHERS` findings of one kind and severity, its next ones stand with those of the severity below: a
    repository with ninety very complex functions has other worries too, and its reader wants to see them. The order is
    total and does not depend on the order of the input.
    """
    turns: Counter[tuple[str, str]] = Counter()
    placed = []
    for number, finding in enumerate(sorted(findings, key=_key)):
        group = finding.severity, finding.kind
        turns[group] += 1
        level = SEVERITIES.index(finding.severity) + (turns[group] - 1) // BEFORE_OTHERS
        place = (level, turns[group], KINDS.index(finding.kind), number)
        placed.append((place, finding))
    return [finding for _, finding in sorted(placed, key=lambda row: row[0])]


def without_moot(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without those that another one settles.

    What nobody calls needs no tests; an import that the repository's own words bar need not be told by its folder too;
    of a module that nobody imports its definitions need no word of their own.
    """
    findings = list(findings)
    barred = {finding.place for finding in findings if finding.kind == "layering" and finding.rule}
    findings = [each for each in findings if each.kind != "layering" or each.rule or each.place not in barred]
    whole = {each.place.path for each in findings if each.kind == "dead_code" and each.rule == "module"}
    findings = [
        each for each in findings if each.kind != "dead_code" or each.rule == "module" or each.place.path not in whole
    ]
    dead: dict[str, list[Place]] = defaultdict(list)
    for finding in findings:
        if finding.kind == "dead_code":
            dead[finding.place.path].append(finding.place)
    kept = (
        _without_dead(finding, dead[finding.place.path]) if finding.kind == "missing_tests" else finding
        for finding in findings
    )
    return [finding for finding in kept if finding is not None]


def _without_dead(finding: Finding, dead: Sequence[Place]) -> Finding | None:
    """Return a finding about functions without those that are dead, None where all are."""
    names = finding.facts.get("untested")
    rows = zip((finding.place, *finding.others), names if isinstance(names, list) else (), strict=False)
    alive = [
        (place, name)
        for place, name in rows
        if not any(each.line <= place.line <= (each.end or each.line) for each in dead)
    ]
    if not alive:
        return None
    places, names = [place for place, _ in alive], [name for _, name in alive]
    facts = {**finding.facts, "untested": names, "first": names[0]}
    return replace(finding, place=places[0], others=tuple(places[1:]), facts=facts)


def _key(finding: Finding) -> tuple[object, ...]:
    where = (finding.place.path, finding.place.line, finding.kind, finding.rule, finding.symbol)
    return (*finding.rank, -_size(finding), *where)


def _size(finding: Finding) -> float:
    """Return how large the problem is by its own measure; only findings of one kind are compared by it."""
    for name in ("complexity", "branches", "lines", "changes", "age_days"):
        value = finding.facts.get(name)
        if isinstance(value, int | float):
            return float(value)
    return 0.0
