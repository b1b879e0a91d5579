"""Plan: the steps that notes make up, in the order they can be done in."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from ...state.modes import MODES
from ...state.notes import Note, NoteType
from ...state.packet import ContextPacket, Need
from ...state.report import Report
from ...state.session import Failure, Language
from ..focus import asked_for, names_something
from ..git import Git
from ..plan import Plan, PlanCycle, Step, plan_of
from ..plan.kept import PlanNotes, read_plan_notes
from ..plan.proposal import proposals
from ..plan.proposal import told as propose
from ..plan.ticks import is_committed, moved_away, returned, settled, tick_off, untick
from ..quality.engine import Quality
from .look import FirstLook

MOST_STEPS = 30


class PlanLook:
    """Looks at the plan kept in the notes, ticks off what is done, and proposes steps where there are none."""

    def __init__(self, notes: PlanNotes, quality: Quality, git: Git, repo: Path) -> None:
        self._notes, self._quality, self._git, self._repo = notes, quality, git, repo

    def __call__(self, need: Need, language: Language) -> FirstLook:
        """Return the plan as one packet of state, then what findings ask for: on what the request names, or, where
        nothing is open, on the worst."""
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
        report = self._quality.analyze()
        ticked, back = self._ticked(plan, report)
        if ticked or back:
            plan = plan_of(read_plan_notes(self._notes))
        packets = [_packet(told(plan, language, ticked, back), ready=_first_ready(plan))]
        if proposed := _proposed(plan, report, need.text, language):
            packets.append(proposed)
        counts = {"steps_completed": len(ticked), "steps_reopened": len(back)}
        stats = {name: count for name, count in counts.items() if count}
        return FirstLook(packets=packets, stats=stats, failures=failures)

    def _ticked(self, plan: Plan, report: Report) -> tuple[list[Step], list[Step]]:
        """Return the steps that were closed because their work is done, and those opened because it is undone."""
        found = report.hidden | {finding.fingerprint for finding in report.findings}
        head = self._git.head()
        done = settled(plan, found, moved_away(self._repo, self._git))
        ticked = tick_off(done, self._notes, head, lambda path: is_committed(self._repo, self._git, path))
        return ticked, untick(returned(plan, found), self._notes, head)


def _first_ready(plan: Plan) -> int:
    """Return the number of the step to go on with: one that is under way, or the first that can start; 0 for none."""
    ready = [(str(step.status) != "in_progress", place) for place, step in enumerate(plan.steps, 1) if step.ready]
    return min(ready, default=(False, 0))[1]


def _proposed(plan: Plan, report: Report, request: str, language: Language) -> ContextPacket | None:
    """Return the steps findings ask for, with the command that keeps them: what the request speaks of goes first.

    A plan that is under way is added to only by what the request speaks of and the plan does not have.
    """
    planned = {fingerprint for step in plan.steps for fingerprint in step.findings}
    about = [finding for finding in asked_for(report.findings, request) if finding.fingerprint not in planned]
    shown = about or ([] if plan.open else [each for each in report.findings if each.fingerprint not in planned])
    if not shown:
        return None
    zh = language == "zh"
    if about:
        head = "针对请求建议的步骤:" if zh else "Steps for what you ask about:"
    elif names_something(request):
        head = (
            "分析结果中没有与请求有关的问题。最严重的是:"
            if zh
            else "Nothing was found on what you ask about. The worst are:"
        )
    else:
        head = "根据分析结果建议的步骤:" if zh else "Steps the findings ask for:"
    keep = "maintainer check --to-plan" + (f" --about {shlex.quote(request)}" if about else "")
    keep += " --language zh" if zh else ""
    text = f"{head}\n{propose(proposals(shown, language), language)}"
    return _packet(text, ready=0, what="proposal", keep=keep)


def told(plan: Plan, language: Language, ticked: Sequence[Step] = (), back: Sequence[Step] = ()) -> str:
    """Return a plan as numbered lines: what each step waits for, what can start now, what was just closed or opened."""
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
    if back:
        lines.append(
            ("问题再次出现,重新打开:" if zh else "Found again, open again: ") + "; ".join(s.title for s in back)
        )
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


def _packet(content: str, *, ready: int, what: str = "plan", **more: object) -> ContextPacket:
    return ContextPacket(
        content=content,
        relevance_score=MODES["plan"].relevance,
        metadata={"type": "plan", "source": "probe", "what": what, "ready": ready, **more},
    )
