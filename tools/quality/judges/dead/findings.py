"""What all findings of dead code have in common: what it is, its lines, and why nobody needs it."""

from .....state.report import Finding, Place, Severity
from ...known.project import Project


def unused(
    project: Project,
    path: str,
    lines: tuple[int, int],
    *,
    what: str,
    name: str,
    reason: str,
    confidence: float,
    severity: Severity = "low",
    only_tests: bool = False,
    rule: str = "",
    symbol: str = "",
) -> Finding:
    """Return a finding about something with a name that nothing asks for, shown by its first line.

    Args:
        rule: Where it is another one than `what`.
        symbol: Where it is another one than `name`.
    """
    return Finding(
        kind="dead_code",
        rule=rule or what,
        place=Place(path=path, line=lines[0], end=lines[1]),
        symbol=symbol or name,
        severity=severity,
        why="only_tests" if only_tests else "unused",
        confidence=confidence,
        facts={"what": what, "name": name, "lines": lines[1] - lines[0] + 1, "reason": reason},
        evidence=project.evidence(path, lines[0]),
    )


def idle_lines(
    project: Project,
    path: str,
    lines: tuple[int, int],
    *,
    rule: str,
    name: str,
    reason: str,
    confidence: float,
    what: str = "code",
    severity: Severity = "low",
    why: str = "unreachable",
) -> Finding:
    """Return a finding about lines that do nothing where they stand, shown whole."""
    return Finding(
        kind="dead_code",
        rule=rule,
        place=Place(path=path, line=lines[0], end=lines[1]),
        severity=severity,
        why=why,
        confidence=confidence,
        facts={"what": what, "name": name, "lines": lines[1] - lines[0] + 1, "reason": reason},
        evidence=project.evidence(path, *lines),
    )
