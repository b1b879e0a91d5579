"""Plan: the steps that notes make up, in the order they can be done in."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ...state.modes import MODES
from ...state.notes import Note, NoteRow, NoteType
from ...state.packet import ContextPacket, Need
from ...state.report import Report
from ...state.session import Failure, Language
from ..git import Git
from ..plan import Plan, PlanCycle, Step, plan_of
from ..plan.proposal import proposals
from ..plan.proposal import told as propose
from ..plan.steps import PLAN_TYPES
from ..plan.ticks import settled, tick_off
from ..quality.engine import Quality
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

    def resolve(self, note_id: str, solution: str) -> Note:
        """Close a note with its solution."""


class PlanLook:
    """Looks at the plan kept in the notes, ticks off what is done, and proposes steps where there are none."""

    def __init__(self, notes: PlanNotes, quality: Quality, git: Git, repo: Path) -> None:
        self._notes, self._quality, self._git, self._repo = notes, quality, git, repo

    def __call__(self, _need: Need, language: Language) -> FirstLook:
        """Return the plan as one packet of state, and, where nothing is open, what the findings ask for."""
        notes = read_plan_notes(self._notes)
        try:
            plan = plan_of(notes)
        except PlanCycle as error:
            failure = Failure(where="plan", reason=str(error))
            return FirstLook(packets=[_packet(_loose(notes, language == "zh"), ready=0)], failures=[failure])
        failures = [
            Failure(where="plan", reason=f"step {step} depends on {other}, which is no step of the plan")
            for step, other in plan.unknown
        ]
        report = self._quality.analyze() if not plan.open or any(step.findings for step in plan.open) else None
        ticked = self._ticked(plan, report) if report else []
        if ticked:
            plan = plan_of(read_plan_notes(self._notes))
        packets = [_packet(told(plan, language, ticked), ready=_first_ready(plan))]
        if report and not plan.open and report.findings:
            packets.append(_packet(_proposed(report, language), ready=0))
        return FirstLook(packets=packets, stats={"steps_completed": len(ticked)} if ticked else {}, failures=failures)

    def _ticked(self, plan: Plan, report: Report) -> list[Step]:
        found = report.hidden | {finding.fingerprint for finding in report.findings}
        renames = self._git.renames() if self._git.available else {}
        head = self._git.head()
        return tick_off(settled(plan, found, renames), self._notes, head, self._committed)

    def _committed(self, path: str) -> bool:
        """Return whether a file is as in the checked-out commit."""
        try:
            now: str | None = (self._repo / path).read_text("utf-8", "replace")
        except OSError:
            now = None
        return self._git.show_file("HEAD", path) == now


def _first_ready(plan: Plan) -> int:
    return next((place for place, step in enumerate(plan.steps, 1) if step.ready), 0)


def _proposed(report: Report, language: Language) -> str:
    head = (
        "根据分析结果建议的步骤(`maintainer check --to-plan` 可将其记为计划):"
        if language == "zh"
        else "Steps the findings ask for (`maintainer check --to-plan` keeps them as the plan):"
    )
    return f"{head}\n{propose(proposals(report.findings, language), language)}"


def read_plan_notes(notes: PlanNotes) -> list[Note]:
    """Return the notes a plan is made of."""
    status = ("open", "in_progress", "resolved", "superseded")
    rows = [row for kind in PLAN_TYPES for row in notes.list(str(kind), limit=MOST_NOTES, status=status)]
    return [notes.read(row.id) for row in rows]


def told(plan: Plan, language: Language, ticked: Sequence[Step] = ()) -> str:
    """Return a plan as numbered lines: what each step waits for, what can start now, what was just ticked off."""
    zh = language == "zh"
    if not plan.steps:
        return "还没有计划。" if zh else "There is no plan yet."
    done, total = plan.progress
    number = {step.id: place for place, step in enumerate(plan.steps, 1)}
    lines = [f"计划:{done}/{total} 步完成" if zh else f"Plan: {done} of {total} steps done"]
    shown = [step for step in plan.steps if not step.done][:MOST_STEPS]
    lines += [_line(step, number, zh) for step in shown]
    if hidden := total - done - len(shown):
        lines.append(f"(另有 {hidden} 步)" if zh else f"({hidden} more)")
    if ticked:
        lines.append(("刚刚完成:" if zh else "Just done: ") + "; ".join(step.title for step in ticked))
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
