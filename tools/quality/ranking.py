"""Findings in the order an engineer should look at them."""

from collections.abc import Iterable

from ...state.report import KINDS, Finding


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings worst first; among equals the surer, then the kind that costs most, then the larger measure.

    The order is total and does not depend on the order of the input.
    """
    return sorted(findings, key=_key)


def _key(finding: Finding) -> tuple[object, ...]:
    return (
        *finding.rank,
        KINDS.index(finding.kind),
        -_size(finding),
        finding.place.path,
        finding.place.line,
        finding.rule,
    )


def _size(finding: Finding) -> float:
    """Return how large the problem is by its own measure; only findings of one kind are compared by it."""
    for name in ("complexity", "branches", "lines", "changes", "age_days"):
        value = finding.facts.get(name)
        if isinstance(value, int | float):
            return float(value)
    return 0.0
