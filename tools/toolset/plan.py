"""The plan of a session: kept as a note, shown with ticks, done only with evidence, changed only with a reason."""

import re
from typing import Literal

from pydantic import Field

from ...state.notes import Note, NoteStatus, NoteType, Relation
from ..notes import NoteTool
from ..notes.origin import origin
from ..secrets import mask
from .notes import once_id
from .tool import Arguments, Asked, Caller, Outcome, Tool

PLAN_TAG = "plan"
_TICKS = {"todo": "[ ]", "doing": "[>]", "done": "[x]", "blocked": "[ ]"}


class Step(Arguments):
    """One step of a plan."""

    text: str = Field(min_length=1, max_length=160)
    status: Literal["todo", "doing", "done", "blocked"] = "todo"
    after: list[int] = Field(default_factory=list, description="Steps that come first")
    evidence: str = Field("", max_length=300, description="Of done: command and exit code, path:line")


class Steps(Arguments):
    """Arguments of `plan_update`."""

    title: str = Field(min_length=1, max_length=200)
    steps: list[Step] = Field(min_length=1, max_length=30, description="All, in order")
    reason: str = Field("", max_length=300)
    """Why steps change or go; a model that leaves it out is told."""


def plan_update_tool(notes: NoteTool, *, approvals: bool = False) -> Tool:
    """Return the tool that lays out the session's plan or ticks it off.

    With `approvals` a plan is put to the user before it is followed: when it is new, and when its steps change.
    """

    def run(arguments: Steps, caller: Caller) -> Outcome:
        known = _kept(notes, caller)
        if problems := [*plan_problems(arguments.steps), *change_problems(known, arguments)]:
            return Outcome(text=f"The plan was not kept: {'; '.join(problems)}.", failed=True)
        title, content = mask(arguments.title), mask(as_checklist(arguments.steps))
        open_steps = any(step.status != "done" for step in arguments.steps)
        status = "in_progress" if open_steps else "resolved"
        written_in = origin(caller.session, caller.turn_id)
        if known and not _changed(known, arguments.steps):
            extra = {**known.extra, **written_in}
            below = known.content.partition("\n\n")[2]  # why it was planned anew
            body = f"{content}\n\n{below}" if below else content
            note = notes.update(known.id, title=title, content=body, status=status, extra=extra)
        else:
            note = _new(notes, caller, title, content, status, known, mask(arguments.reason))
        counts = {"notes_updated" if known and note.id == known.id else "notes_created": 1}
        return Outcome(text=f"Plan: {title} ({note.id})\n{content}", counts=counts, notes=[note.id])

    def ask(arguments: Steps, caller: Caller) -> Asked | None:
        known = _kept(notes, caller)
        if not approvals or plan_problems(arguments.steps) or change_problems(known, arguments):
            return None
        if known and _texts(known.content) == _texts(as_checklist(arguments.steps)):
            return None  # only ticks have changed
        because = f"\n{arguments.reason}" if arguments.reason else ""
        what = f"{arguments.title}\n{as_checklist(arguments.steps)}{because}"
        return Asked(what=what, reason="a plan is agreed before it is followed")

    return Tool(
        name="plan_update",
        description="Lay out the plan, or tick it off.",
        arguments=Steps,
        run=run,
        ask=ask,
    )


def plan_problems(steps: list[Step]) -> list[str]:
    """Return what keeps a plan from being followed: done without evidence, blocked without a reason, wrong order."""
    problems = []
    for number, step in enumerate(steps, start=1):
        if step.status in ("done", "blocked") and not step.evidence:
            needs = "evidence (command and exit code, or path:line)" if step.status == "done" else "a reason"
            problems.append(f"step {number} is {step.status} without {needs}")
        if wrong := [before for before in step.after if not 1 <= before < number]:
            problems.append(f"step {number} comes after {wrong[0]}, which must be an earlier step")
        if step.status in ("doing", "done"):
            undone = [before for before in step.after if 1 <= before < number and steps[before - 1].status != "done"]
            problems += [f"step {number} is {step.status} before step {before} is done" for before in undone]
    return problems


def change_problems(known: Note | None, arguments: Steps) -> list[str]:
    """Return what keeps a plan from taking the kept one's place: steps changed or gone without a reason."""
    if known is None or known.status is NoteStatus.RESOLVED or arguments.reason or not _changed(known, arguments.steps):
        return []
    kept = set(_texts(as_checklist(arguments.steps)))
    missing = [text for text in _texts(known.content) if text not in kept]
    what = f"step {missing[0]!r} is gone or worded anew" if missing else "the steps are in another order"
    return [f"{what}: say why in `reason`"]


def as_checklist(steps: list[Step]) -> str:
    """Return the steps as a Markdown list with ticks, which people can edit by hand."""
    return "\n".join(_line(number, step) for number, step in enumerate(steps, start=1))


def session_tag(caller: Caller) -> str:
    """Return the tag that binds a plan to its session."""
    return f"session:{caller.session}"


def _line(number: int, step: Step) -> str:
    after = f" (after {', '.join(map(str, step.after))})" if step.after else ""
    blocked = " (blocked)" if step.status == "blocked" else ""
    said = f" — {' '.join(step.evidence.split())}" if step.evidence else ""
    return f"{number}. {_TICKS[step.status]} {' '.join(step.text.split())}{after}{blocked}{said}"


def _kept(notes: NoteTool, caller: Caller) -> Note | None:
    """Return the session's plan: what took the place of others is the plan, not they."""
    tags, status = [PLAN_TAG, session_tag(caller)], ("open", "in_progress", "resolved")
    known = notes.list(NoteType.TASK_STATE, tags, 1, all_tags=True, status=status)
    return notes.read(known[0].id) if known else None


def _changed(known: Note, steps: list[Step]) -> bool:
    """Return whether steps of the kept plan are gone, worded anew or in another order; new ones at the end are not."""
    before = _texts(known.content)
    return before != _texts(as_checklist(steps))[: len(before)]


def _new(
    notes: NoteTool, caller: Caller, title: str, content: str, status: str, before: Note | None, reason: str
) -> Note:
    """Keep a plan in a note of its own; one that was not finished is superseded by it and stays readable."""
    replaced = before if before and before.status is not NoteStatus.RESOLVED else None
    body = f"{content}\n\nPlanned anew: {reason} (before: {replaced.id})" if replaced else content
    note = notes.create(
        title,
        body,
        NoteType.TASK_STATE,
        [PLAN_TAG, session_tag(caller)],
        status=status,
        extra=origin(caller.session, caller.turn_id),
        links={str(Relation.SUPERSEDES): [replaced.id]} if replaced else None,
        note_id=once_id(caller, f"{PLAN_TAG}\n{content}" if before else PLAN_TAG),
        created_at=caller.started_at,
    )
    if replaced and replaced.id != note.id:
        notes.update(replaced.id, status=NoteStatus.SUPERSEDED)
    return note


_STEP = re.compile(r"^\d+\. \[.\] (.*)$", re.MULTILINE)


def _texts(checklist: str) -> list[str]:
    """Return the texts of the steps in a checklist, without numbers, ticks and what follows."""
    return [line.split(" — ")[0].split(" (after ")[0].removesuffix(" (blocked)") for line in _STEP.findall(checklist)]
