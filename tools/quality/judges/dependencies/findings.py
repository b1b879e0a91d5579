"""What all findings about a requirement have in common."""

from .....state.report import Fact, Finding, Place, Severity
from ....manifest import Requirement
from ...known.project import Project


def asked_for(
    project: Project,
    each: Requirement,
    *,
    severity: Severity,
    why: str,
    confidence: float,
    other: Requirement | None = None,
    **told: Fact,
) -> Finding:
    """Return a finding about what a manifest asks for, with what is told of it: reason, detail, remedy, instead."""
    return Finding(
        kind="outdated_dependency",
        rule=why,
        place=Place(path=each.path, line=each.line),
        others=(Place(path=other.path, line=other.line),) if other else (),
        symbol=each.name,
        severity=severity,
        why=why,
        confidence=confidence,
        facts={"package": each.name, **told},
        evidence=project.evidence(each.path, each.line).partition("\n")[0],
    )


def unneeded(project: Project, each: Requirement, rule: str, confidence: float) -> Finding:
    """Return a finding about a requirement that nothing needs; `rule` is the name its fingerprint goes by."""
    return Finding(
        kind="unused_dependency",
        rule=rule,
        place=Place(path=each.path, line=each.line),
        severity="low",
        why="unneeded",
        confidence=confidence,
        facts={"package": each.name},
        evidence=project.evidence(each.path, each.line).partition("\n")[0],
    )
