"""Findings to proposed steps: what to do, in which order, and how to tell that it is done."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...state.notes import Note, Relation
from ...state.report import Finding, Kind
from ...state.session import Language
from ..quality import words
from .kept import PlanNotes

MOST_PROPOSED = 6
_RISKY: frozenset[Kind] = frozenset({"complex_function", "duplicate_code", "hot_spot", "layering", "import_cycle"})
"""Kinds whose repair changes how code runs: tests come first."""
_HOURS: dict[Kind, int] = {"hot_spot": 8, "import_cycle": 3, "layering": 2, "many_parameters": 2}
"""A rough guess of the work by kind, else one hour; where size matters, `_hours` counts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One step that a finding asks for."""

    title: str
    acceptance: str
    """What has to hold for the step to be done."""
    estimate: str
    """A rough guess, in hours."""
    finding: Finding
    after: tuple[int, ...] = ()
    """Numbers of the proposals, from 0, that come first."""


def proposals(
    findings: Sequence[Finding],
    language: Language,
    most: int = MOST_PROPOSED,
    planned: Collection[str] = frozenset(),
) -> list[Proposal]:
    """Return the steps that the worst findings ask for; missing tests of a file come before its repair.

    Args:
        findings: Ranked.
        language: Of the texts.
        most: How many new ones at most.
        planned: Fingerprints that have a step: these come along only where a new step waits for them.
    """
    chosen: list[Finding] = []
    new = 0
    tests = {finding.place.path: finding for finding in findings if finding.kind == "missing_tests"}
    for finding in findings:
        if finding.kind == "todo" or finding in chosen or finding.fingerprint in planned:
            continue
        first = tests.get(finding.place.path) if finding.kind in _RISKY else None
        wanted = [each for each in (first, finding) if each is not None and each not in chosen]
        more = sum(each.fingerprint not in planned for each in wanted)
        if new + more > most:
            break
        chosen += wanted
        new += more
    return [_proposal(finding, chosen, language) for finding in chosen]


def _proposal(finding: Finding, chosen: Sequence[Finding], language: Language) -> Proposal:
    after = [
        number
        for number, other in enumerate(chosen)
        if finding.kind in _RISKY and other.kind == "missing_tests" and other.place.path == finding.place.path
    ]
    if language == "zh":
        acceptance = f"测试通过,且 `maintainer check` 不再报告 {finding.fingerprint}"
    else:
        acceptance = f"the tests pass and `maintainer check` no longer tells {finding.fingerprint}"
    colon = ":" if language == "zh" else ": "
    return Proposal(
        title=f"{finding.place} {words.title(finding, language)}{colon}{words.says(finding, language)}",
        acceptance=acceptance,
        estimate=f"{_hours(finding)} h",
        finding=finding,
        after=tuple(after),
    )


def _hours(finding: Finding) -> int:
    """Return a rough guess of the work in whole hours, at least one: finer would be pretence."""
    branches, lines = finding.facts.get("branches"), finding.facts.get("lines")
    if finding.kind == "missing_tests" and isinstance(branches, int):
        return max(1, round(branches / 5))
    if finding.kind in ("complex_function", "duplicate_code") and isinstance(lines, int):
        return max(1, round(lines / 20))
    return _HOURS.get(finding.kind, 1)


def told(proposed: Sequence[Proposal], language: Language) -> str:
    """Return proposals as numbered lines."""
    lines = []
    for number, each in enumerate(proposed, 1):
        after = ", ".join(str(other + 1) for other in each.after)
        wait = (f",在 {after} 之后" if language == "zh" else f", after {after}") if after else ""
        about = "约" if language == "zh" else "about "
        lines.append(f"{number}. {each.title} ({about}{each.estimate}{wait})")
    return "\n".join(lines)


def planned_in(notes: PlanNotes) -> dict[str, str]:
    """Return the fingerprints that have a step, done or not, with its id; a superseded step counts for nothing."""
    return {
        str(fingerprint): row.id
        for row in notes.list("action", status=("open", "in_progress", "resolved"))
        for fingerprint in _list(notes.read(row.id).extra.get("findings"))
    }


def adopt(notes: PlanNotes, proposed: Sequence[Proposal], language: Language) -> list[Note]:
    """Keep proposals as steps of the plan and return the new notes; a finding that has a step gets no second one."""
    known_steps = planned_in(notes)
    made: list[Note] = []
    ids: list[str] = []
    for each in proposed:
        known = known_steps.get(each.finding.fingerprint)
        if known is None:
            content = f"{words.reason(each.finding, language)}. {words.action(each.finding, language)}"
            extra: dict[str, object] = {
                "estimate": each.estimate,
                "acceptance": each.acceptance,
                "findings": [each.finding.fingerprint],
                "paths": [each.finding.place.path],
            }
            links = {str(Relation.DEPENDS_ON): [ids[number] for number in each.after]} if each.after else {}
            note = notes.create(each.title[:400], content, "action", links=links, extra=extra)
            made.append(note)
            known = note.id
        ids.append(known)
    return made


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
