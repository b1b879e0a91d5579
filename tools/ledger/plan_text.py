"""A plan as people write it down: numbered or boxed steps under a heading, English and Chinese."""

import re
from collections.abc import Sequence

from ...state.ledger import Plan, Step, StepStatus
from .cues import says
from .numbers import CARDINAL, CHINESE, CIRCLED, ORDINAL, number
from .progress import progress

_START = r"(?:(?<=\s)|(?<=[:：;；,，。])|^)(?:[-*+] +)?"
_NOUN = "step|phase|stage|part|milestone"
_STYLES: Sequence[re.Pattern[str]] = tuple(
    re.compile(rf"{_START}(?:{mark}) *(?P<box>\[[ xX>~]\] +)?(?=\S)", re.M | re.I)
    for mark in (
        r"[(（](?P<b>\d{1,2})[)）]|(?P<n>\d{1,2})(?: ?[.)、．）](?!\d)| [-–:])"
        rf"|(?:{_NOUN}) (?P<s>\d{{1,2}}) ?[:.)]",
        rf"(?:{_NOUN}) (?P<n>{CARDINAL}) ?[:.)]|(?P<o>{ORDINAL})(?: (?:{_NOUN}))?[:,]",
        r"[(（](?P<b>[a-h])[)）]|(?P<n>[a-h])\)",
        rf"第(?P<s>\d{{1,2}}|{CHINESE})(?:步|阶段|期|项)[：:，,]|(?P<n>{CHINESE})[、：:.]",
        rf"(?P<n>{CIRCLED})",
    )
)
"""Marks of a list: each list keeps to one style."""
_BOX = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+\[(?P<tick>[ xX>~])\]\s+(?P<text>.+)$", re.M)
_ITEM_END = re.compile(r"[;；\n]|(?<=[.。!！])(?:\s|$)|[。]")
_SAYS_SO = re.compile(r"\bplan\b|计划|路线")
"""Words behind a list that make it a plan: "... That is the plan"."""
_LONGEST_STEP = 200
_FEWEST = 2
_HEADING = 300
"""Characters before the first step that may say that a plan follows."""


def read_plan(text: str, turn: int) -> Plan | None:
    """Return the plan a text lays out, or None.

    A list is a plan when its heading speaks of a plan, or when the text says which of its steps is at work.
    """
    boxes = list(_BOX.finditer(text))
    if len(boxes) >= _FEWEST:
        steps = [Step(text=box["text"].strip()[:_LONGEST_STEP], status=_of_tick(box["tick"])) for box in boxes]
        return _plan(text[: boxes[0].start()], steps, turn)
    for style in _STYLES:
        marks = _run_of_marks(style, text)
        read = _steps(text, marks) if len(marks) >= _FEWEST else None
        if read is not None:
            steps, end = read
            plan, heading, after = _plan(text[: marks[0].start()], steps, turn), text[: marks[0].start()], text[end:]
            if (
                says("plan_word", heading[-_HEADING:].lower())
                or _SAYS_SO.search(after.lower())
                or progress(f"{heading}\n{after}", plan)
            ):
                return plan
    return None


def _plan(heading: str, steps: Sequence[Step], turn: int) -> Plan:
    return Plan(title=_title(heading), steps=tuple(steps), turn=turn, updated=turn)


def _steps(text: str, marks: Sequence[re.Match[str]]) -> tuple[list[Step], int] | None:
    """Return the steps behind the marks and where the last one ends; None where one is empty or a text of its own."""
    steps: list[Step] = []
    stop = len(text)
    for place, mark in enumerate(marks):
        last = place + 1 == len(marks)
        part = text[mark.end() : len(text) if last else marks[place + 1].start()]
        end = _ITEM_END.search(part)
        step = part[: end.start() if end else len(part)].strip(" ,;，；.。")
        if not step or len(step) > _LONGEST_STEP:
            return None
        steps.append(Step(text=step, status=_of_tick((mark["box"] or "[ ]")[1])))
        stop = mark.end() + (end.start() if end else len(part))
    return steps, stop


def _run_of_marks(style: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """Return the marks 1, 2, 3, … of the first list of a style that starts at 1."""
    run: list[re.Match[str]] = []
    for mark in style.finditer(text):
        told = number(next(value for name, value in mark.groupdict().items() if value and name != "box"))
        if told == len(run) + 1:
            run.append(mark)
        elif told == 1 and len(run) < _FEWEST:
            run = [mark]
    return run


def _of_tick(tick: str) -> StepStatus:
    return "done" if tick in "xX" else "doing" if tick in ">~" else "todo"


def _title(before: str) -> str:
    """Return the end of what stands before the first step: its heading."""
    lines = [line.strip(" #*:：-") for line in before.splitlines() if line.strip(" #*:：-")]
    if not lines:
        return ""
    parts = [part.strip() for part in re.split(r"(?<=[.!?])\s+|(?<=[。！？])", lines[-1]) if part.strip()]
    return parts[-1].strip(" :：")[:_LONGEST_STEP] if parts else ""
