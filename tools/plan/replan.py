"""A plan that is changed: why stands in a note, and what it was before stays readable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...state.errors import InvalidNote
from ...state.notes import Note, NoteStatus, Relation
from ...state.session import Language
from .kept import PlanNotes, read_plan_notes
from .proposal import Proposal, adopt
from .steps import Plan, Step, plan_of

TAG = "replanned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replanned:
    """What a change of the plan did."""

    record: Note
    """Why, and the plan as it was."""
    dropped: tuple[Step, ...]
    """Superseded; their notes are kept."""
    added: tuple[Note, ...]


def checked_reason(reason: str) -> str:
    """Return the reason for a change of plan.

    Raises:
        InvalidNote: There is none.
    """
    if not reason.strip():
        raise InvalidNote(
            "reason is '': a change of plan needs one, for example 'the order service is replaced in May'"
        )
    return reason.strip()


def replan(notes: PlanNotes, proposed: Sequence[Proposal], reason: str, language: Language) -> Replanned:
    """Put the steps that findings ask for now in the place of the open ones that earlier findings asked for.

    A step whose finding is asked for again goes on as it is, and so do steps people wrote themselves.

    Raises:
        InvalidNote: The reason is empty.
        PlanCycle: The plan has a circle.
    """
    because = checked_reason(reason)
    before = plan_of(read_plan_notes(notes))
    wanted = {each.finding.fingerprint for each in proposed}
    dropped = tuple(step for step in before.open if step.findings and not wanted & set(step.findings))
    added = tuple(adopt(notes, proposed, language))
    return Replanned(record=_record(notes, before, dropped, added, because, language), dropped=dropped, added=added)


def drop(notes: PlanNotes, steps: Sequence[Step], reason: str, language: Language) -> Replanned:
    """Take steps out of the plan; nothing waits for them any more.

    Raises:
        InvalidNote: The reason is empty.
        PlanCycle: The plan has a circle.
    """
    because = checked_reason(reason)
    before = plan_of(read_plan_notes(notes))
    record = _record(notes, before, steps, (), because, language)
    return Replanned(record=record, dropped=tuple(steps), added=())


def _record(
    notes: PlanNotes, before: Plan, dropped: Sequence[Step], added: Sequence[Note], reason: str, language: Language
) -> Note:
    """Write why the plan changed, with the plan as it was, and mark what was dropped."""
    record = notes.create(
        (f"计划变更:{reason}" if language == "zh" else f"Plan changed: {reason}")[:400],
        _written(before, dropped, added, reason, zh=language == "zh"),
        "conclusion",
        (TAG,),
        links={str(Relation.SUPERSEDES): [step.id for step in dropped]} if dropped else None,
    )
    for step in dropped:
        notes.change(step.id, lambda note: replace(note, status=NoteStatus.SUPERSEDED))
    return record


def _written(before: Plan, dropped: Sequence[Step], added: Sequence[Note], reason: str, *, zh: bool) -> str:
    out, dropped_mark = {step.id for step in dropped}, ",已取消" if zh else ", dropped"
    was = [
        f"{number}. [{'x' if step.done else ' '}] {step.title} ({step.id})" + (dropped_mark if step.id in out else "")
        for number, step in enumerate(before.steps, 1)
    ]
    new = [f"- {note.title} ({note.id})" for note in added]
    parts = [reason, "## 原计划" if zh else "## The plan before", "\n".join(was) or "-"]
    if new:
        parts += ["## 新增步骤" if zh else "## New steps", "\n".join(new)]
    return "\n\n".join(parts)
