"""The plan of a session: kept as a note, shown with ticks, done only with evidence."""

from typing import Literal

from pydantic import Field

from ...state.notes import NoteType
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
    evidence: str = Field("", max_length=300, description="Of done: command and exit code, or path:line")


class Steps(Arguments):
    """Arguments of `plan_update`."""

    title: str = Field(min_length=1, max_length=200)
    steps: list[Step] = Field(min_length=1, max_length=30, description="All, in order")


def plan_update_tool(notes: NoteTool, *, approvals: bool = False) -> Tool:
    """Return the tool that lays out the session's plan or ticks it off.

    With `approvals` a plan is put to the user before it is followed: when it is new, and when its steps change.
    """

    def run(arguments: Steps, caller: Caller) -> Outcome:
        if problems := plan_problems(arguments.steps):
            return Outcome(text=f"The plan was not kept: {'; '.join(problems)}.", failed=True)
        title, content = mask(arguments.title), mask(as_checklist(arguments.steps))
        open_steps = any(step.status != "done" for step in arguments.steps)
        status = "in_progress" if open_steps else "resolved"
        tags = [PLAN_TAG, session_tag(caller)]
        known = notes.list(NoteType.TASK_STATE, tags, 1, all_tags=True)
        written_in = origin(caller.session, caller.turn_id)
        if known:
            extra = {**notes.read(known[0].id).extra, **written_in}
            note = notes.update(known[0].id, title=title, content=content, status=status, extra=extra)
        else:
            note = notes.create(
                title,
                content,
                NoteType.TASK_STATE,
                tags,
                status=status,
                extra=written_in,
                note_id=once_id(caller, PLAN_TAG),
                created_at=caller.started_at,
            )
        counts = {"notes_updated" if known else "notes_created": 1}
        return Outcome(text=f"Plan: {title} ({note.id})\n{content}", counts=counts, notes=[note.id])

    def ask(arguments: Steps, caller: Caller) -> Asked | None:
        if not approvals or plan_problems(arguments.steps):
            return None
        known = notes.list(NoteType.TASK_STATE, [PLAN_TAG, session_tag(caller)], 1, all_tags=True)
        if known and _texts(notes.read(known[0].id).content) == [step.text for step in arguments.steps]:
            return None  # only ticks have changed
        what = f"{arguments.title}\n{as_checklist(arguments.steps)}"
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


def _texts(checklist: str) -> list[str]:
    """Return the texts of the steps in a checklist, without numbers, ticks and what follows."""
    lines = [line.split("] ", 1)[1] for line in checklist.splitlines() if "] " in line]
    return [line.split(" — ")[0].split(" (after ")[0].removesuffix(" (blocked)") for line in lines]
