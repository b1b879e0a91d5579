"""What all findings about an outdated requirement have in common."""

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
