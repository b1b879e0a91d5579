"""Findings in the order an engineer should look at them."""

from collections import Counter
from collections.abc import Iterable

from ...state.report import KINDS, SEVERITIES, Finding

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
    """Return findings without those that another one settles: what nobody calls needs no tests."""
    findings = list(findings)
    dead = [finding.place for finding in findings if finding.kind == "dead_code"]
    return [
        finding
        for finding in findings
        if finding.kind != "missing_tests"
        or not any(
            place.path == finding.place.path and place.line <= finding.place.line <= (place.end or place.line)
            for place in dead
        )
    ]


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
