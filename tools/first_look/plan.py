"""Plan: the steps that notes make up, in the order they can be done in."""

from collections.abc import Sequence
from typing import Protocol

from ...state.modes import MODES
from ...state.notes import Note, NoteRow, NoteType
from ...state.packet import ContextPacket, Need
from ...state.session import Failure, Language
from ..plan import Plan, PlanCycle, Step, plan_of
from ..plan.steps import PLAN_TYPES
from .look import FirstLook

MOST_STEPS = 30
MOST_NOTES = 300
"""Notes of each type that are read, the last updated first."""


class PlanNotes(Protocol):
    """What the plan needs of the notes."""

    def list(
        self, note_type: str | None = None, tags: None = None, limit: int | None = None, *, status: Sequence[str]
    ) -> Sequence[NoteRow]:
        """Return notes without their texts."""

    def read(self, note_id: str) -> Note:
        """Return one note."""


class PlanLook:
    """Looks at the plan kept in the notes."""

    def __init__(self, notes: PlanNotes) -> None:
        self._notes = notes

    def __call__(self, _need: Need, language: Language) -> FirstLook:
        """Return the plan as one packet of state."""
        zh = language == "zh"
        notes = read_plan_notes(self._notes)
        try:
            plan = plan_of(notes)
        except PlanCycle as error:
            failure = Failure(where="plan", reason=str(error))
            return FirstLook(packets=[_packet(_loose(notes, zh), ready=0)], failures=[failure])
        failures = [
            Failure(where="plan", reason=f"step {step} depends on {other}, which is no open or done step")
            for step, other in plan.unknown
        ]
        numbers = [place for place, step in enumerate(plan.steps, 1) if step.ready]
        return FirstLook(packets=[_packet(told(plan, language), ready=numbers[0] if numbers else 0)], failures=failures)


def read_plan_notes(notes: PlanNotes) -> list[Note]:
    """Return the notes a plan is made of."""
    status = ("open", "in_progress", "resolved", "superseded")
    rows = [row for kind in PLAN_TYPES for row in notes.list(str(kind), limit=MOST_NOTES, status=status)]
    return [notes.read(row.id) for row in rows]


def told(plan: Plan, language: Language) -> str:
    """Return a plan as numbered lines: done or not, what each waits for, what can start now."""
    zh = language == "zh"
    if not plan.steps:
        return (
            "还没有计划:没有 action、task_state 或 blocker 笔记。"
            if zh
            else ("There is no plan yet: no note of type action, task_state or blocker.")
        )
    done, total = plan.progress
    number = {step.id: place for place, step in enumerate(plan.steps, 1)}
    lines = [f"计划:{done}/{total} 步完成" if zh else f"Plan: {done} of {total} steps done"]
    shown = [step for step in plan.steps if not step.done][:MOST_STEPS]
    lines += [_line(step, number, zh) for step in shown]
    if hidden := total - done - len(shown):
        lines.append(f"(另有 {hidden} 步)" if zh else f"({hidden} more)")
    ready = ", ".join(str(number[step.id]) for step in plan.ready[:10])
    if ready:
        lines.append(f"现在可以开始:{ready}" if zh else f"Can start now: {ready}")
    return "\n".join(lines)


_TYPE_WORDS = {NoteType.ACTION: "行动", NoteType.TASK_STATE: "任务", NoteType.BLOCKER: "阻塞"}


def _line(step: Step, number: dict[str, int], zh: bool) -> str:
    kind = _TYPE_WORDS[step.type] if zh else str(step.type)
    extras = [kind, *([step.estimate] if step.estimate else [])]
    if str(step.status) == "in_progress":
        extras.append("进行中" if zh else "in progress")
    if step.waits_for:
        waits = ", ".join(str(number[other]) for other in step.waits_for)
        extras.append(f"等待 {waits}" if zh else f"waits for {waits}")
    text = f"{number[step.id]}. [ ] {step.title} ({', '.join(extras)})"
    if step.next_action:
        text += f"\n   {'下一步' if zh else 'next'}: {step.next_action}"
    if step.acceptance:
        text += f"\n   {'完成标准' if zh else 'done when'}: {step.acceptance}"
    return text


def _loose(notes: Sequence[Note], zh: bool) -> str:
    rows = "\n".join(f"- {note.title} ({note.type})" for note in notes[:MOST_STEPS])
    return ("计划中有循环,无法排序:\n" if zh else "The plan has a circle and cannot be put in order:\n") + rows


def _packet(content: str, *, ready: int) -> ContextPacket:
    return ContextPacket(
        content=content,
        relevance_score=MODES["plan"].relevance,
        metadata={"type": "plan", "source": "probe", "what": "plan", "ready": ready},
    )
