"""Plans: numbered steps read from a text, and what later sentences say about their progress."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...state.ledger import Plan, Step, StepStatus
from ..search.text import tokenize
from .cues import find, says
from .matching import Cosines, common_words
from .statements import sentences

_MARK = re.compile(
    r"(?:(?<=\s)|(?<=[:：;；,，。])|^)(?:[-*+] +)?"
    r"(?:[(（](?P<b>\d{1,2})[)）]|(?P<n>\d{1,2}) ?[.)、．）]|(?:step|phase) (?P<s>\d{1,2}) ?[:.)])"
    r" *(?P<box>\[[ xX>~]\] +)?(?=\S)",
    re.M | re.I,
)
_BOX = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+\[(?P<tick>[ xX>~])\]\s+(?P<text>.+)$", re.M)
_ITEM_END = re.compile(r"[;；\n]|(?<=[.。!！])(?:\s|$)|[。]")
_LONGEST_STEP = 200
_FEWEST = 2

_NUMBERED = re.compile(
    r"(?:\b(?:step|phase|stage|task|item|milestone|part|point|package|no\.?|number|nr\.?)|#) ?#?(?P<n>\d{1,2})"
    r"(?!\d|[.]\d)|第 ?(?P<z>\d{1,2}|[一二三四五六七八九十]{1,2}) ?(?:步|阶段|项|个(?:任务|步骤|阶段)|条|件)"
    r"|(?:步骤|阶段|任务) ?(?P<y>\d{1,2})",
    re.I,
)
_NOT_YET = re.compile(
    r"\b(?:not|n't|never|almost|nearly|half|until|before|when|once|if|unless|will be|to be)\b.{0,25}$"
    r"|[未没还].{0,3}$|如果|等到|快要"
)
_NOT = re.compile(r"not|n't|未|没")
_CLAUSE = re.compile(r"[,;，；。!！]\s*|\.\s+|\s+(?:and|then|so|but)\s+|而|并且?|然后")
_CHINESE_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九十")}


@dataclass(frozen=True, slots=True)
class Progress:
    """What a sentence says about one step."""

    step: int
    """Index, from 0."""
    status: StepStatus


def read_plan(text: str, turn: int) -> Plan | None:
    """Return the plan a text lays out: numbered or boxed steps under a heading that speaks of a plan, or None."""
    boxed = [(match["text"].strip(), _of_tick(match["tick"])) for match in _BOX.finditer(text)]
    if len(boxed) >= _FEWEST:
        first = next(_BOX.finditer(text)).start()
        steps = tuple(Step(text=step[:_LONGEST_STEP], status=status) for step, status in boxed)
        return Plan(title=_title(text[:first]), steps=steps, turn=turn, updated=turn)
    marks = _run_of_marks(text)
    if len(marks) < _FEWEST or not says("plan_word", text[: marks[0].start()][-300:].lower()):
        return None
    read: list[Step] = []
    for place, mark in enumerate(marks):
        last = place + 1 == len(marks)
        part = text[mark.end() : len(text) if last else marks[place + 1].start()]
        end = _ITEM_END.search(part)
        step = part[: end.start() if end else len(part)].strip(" ,;，；.。")
        if not step or len(step) > _LONGEST_STEP:
            return None
        read.append(Step(text=step, status=_of_tick((mark["box"] or "[ ]")[1])))
    return Plan(title=_title(text[: marks[0].start()]), steps=tuple(read), turn=turn, updated=turn)


def progress(text: str, plan: Plan) -> list[Progress]:
    """Return what a text says about the steps of a plan, in order; questions and conditions say nothing."""
    found: list[Progress] = []
    for sentence in sentences(text):
        if sentence.rstrip().endswith(("?", "？", "吗", "呢")):
            continue
        for clause in _clauses(sentence, plan):
            index, rest = _step_in(clause, plan)
            if index is not None and (status := _status(rest)):
                found.append(Progress(index, status))
    return found


def advance(plan: Plan, changes: Sequence[Progress], turn: int) -> Plan:
    """Return the plan after some progress: one step at work at a time, what was at work before it is done."""
    steps = list(plan.steps)
    for change in changes:
        if change.status == "doing":
            for index, step in enumerate(steps):
                if step.status == "doing" and index != change.step:
                    steps[index] = replace(step, status="done" if index < change.step else "todo")
        steps[change.step] = replace(steps[change.step], status=change.status)
    return replace(plan, steps=tuple(steps), updated=turn) if changes else plan


def choose(text: str, plans: Sequence[Plan], cosines: Cosines | None = None) -> tuple[Plan, list[Progress]] | None:
    """Return the plan whose progress a text tells, with the progress; None where it tells none.

    A step's number fits every plan, so three signs are added: the words of title and step (across languages by
    meaning), whether the step told is the one that is due, and which plan was worked on last.
    """
    told = [(plan, steps) for plan in plans if (steps := progress(text, plan))]
    if len(told) < 2:
        return told[0] if told else None
    text = " ".join(sentence for sentence in sentences(text) if any(progress(sentence, plan) for plan, _ in told))
    about = [f"{plan.title}: {'; '.join(plan.steps[each.step].text for each in steps)}" for plan, steps in told]
    near = cosines(text, about) if cosines is not None else [0.0] * len(told)
    scores = [
        common_words(text, plan.title) + common_words(text, name) + max(0.0, cosine) + _due(plan, steps)
        for name, cosine, (plan, steps) in zip(about, near, told, strict=True)
    ]
    return told[max(range(len(told)), key=lambda place: (scores[place], place))]


def _due(plan: Plan, steps: Sequence[Progress]) -> float:
    """Return 0.5 where the progress told is what the plan expects next, else 0."""
    current = plan.current
    return 0.5 if current is not None and steps[0].step in (current, current + (steps[0].status == "doing")) else 0.0


def _run_of_marks(text: str) -> list[re.Match[str]]:
    """Return the marks 1, 2, 3, … of the first list that starts at 1."""
    run: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        number = int(mark["b"] or mark["n"] or mark["s"])
        if number == len(run) + 1:
            run.append(mark)
        elif number == 1 and len(run) < _FEWEST:
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


def _clauses(sentence: str, plan: Plan) -> list[str]:
    """Return the clauses of a sentence; titles of steps may hold commas and are not cut."""
    masked = sentence
    for index, step in enumerate(plan.steps):
        masked = re.sub(re.escape(step.text), f" \x00{index}\x00 ", masked, flags=re.I)
    parts: list[str] = []
    for part in _CLAUSE.split(masked):
        # "Now on step 3, freeze the stubs": a clause without a verb of progress belongs to the one before
        if parts and not says("step_done", part.lower()) and not says("step_doing", part.lower()):
            parts[-1] += ", " + part
        elif part.strip():
            parts.append(part)
    return parts


def _step_in(clause: str, plan: Plan) -> tuple[int | None, str]:
    """Return the index of the step a clause names, and the clause without its name."""
    if match := _NUMBERED.search(clause):
        number = _number(match["n"] or match["z"] or match["y"])
        if 1 <= number <= len(plan.steps):
            return number - 1, re.sub("\x00\\d+\x00", " ", clause)
    if match := re.search("\x00(\\d+)\x00", clause):
        return int(match[1]), re.sub("\x00\\d+\x00", " ", clause)
    terms = set(tokenize(clause))
    for index, step in enumerate(plan.steps):
        wanted = set(tokenize(step.text))
        if len(wanted) > 1 and len(wanted & terms) >= 0.75 * len(wanted):
            return index, _without_words(clause, step.text)
    return None, clause


def _without_words(clause: str, title: str) -> str:
    for word in re.findall(r"\w+", title):
        clause = re.sub(rf"\b{re.escape(word)}\w*", " ", clause, flags=re.I)
    return clause


def _status(clause: str) -> StepStatus | None:
    plain = clause.lower()
    done = find("step_done", plain)
    if done is None:
        return "doing" if says("step_doing", plain) else None
    if not _NOT_YET.search(plain[:done]):
        return "done"
    return "doing" if _NOT.search(plain) else None


def _number(digits: str) -> int:
    if digits.isdigit():
        return int(digits)
    if len(digits) == 1:
        return _CHINESE_DIGITS[digits]
    return 10 + _CHINESE_DIGITS[digits[1]] if digits[0] == "十" else 0
