"""The ledger as lines: every word as it was said, never re-told; what is contested stands beside what contests it."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...state.ledger import Fact, Ledger, Plan

_LONGEST = 360
"""Characters of a line; an older version that does not fit stands on a line of its own, marked."""
_MARKS: Mapping[str, str] = {"done": "[x]", "doing": "[>]", "todo": "[ ]"}
_LABELS: Mapping[str, str] = {
    "decision": "Decision",
    "rule": "Rule",
    "problem": "Open problem",
    "change": "Change",
    "rejected": "Rejected",
    "solved": "Solved",
    "fact": "Fact",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the ledger."""

    fact: Fact
    """The newest fact on it."""
    text: str


def fact_lines(ledger: Ledger) -> list[Line]:
    """Return one line for each fact in force, oldest first; a contested one is on the line of the newer one."""
    earlier: dict[str, list[Fact]] = {}
    newest: list[Fact] = []
    for fact in ledger.standing():
        rival = _standing(ledger, fact.contested_by)
        if rival is None or rival.turn < fact.turn:
            newest.append(fact)
        else:
            earlier.setdefault(rival.id, []).append(fact)
    return sorted(
        (line for fact in newest for line in _lines(fact, _all_earlier(fact, earlier))), key=lambda line: line.fact.turn
    )


def plan_lines(plan: Plan) -> list[str]:
    """Return a plan with its ticks and the next action."""
    lines = [f"Plan: {plan.title}" if plan.title else "Plan:"]
    for number, step in enumerate(plan.steps, start=1):
        note = " (in progress)" if step.status == "doing" else " (done)" if step.status == "done" else ""
        lines.append(f"{_MARKS[step.status]} {number}. {step.text}{note}")
    current = plan.current
    if current is None:
        lines.append("All steps are done.")
    elif plan.steps[current].status == "todo":
        lines.append(f"Next up: step {current + 1}, {plan.steps[current].text}")
    return lines


def _lines(fact: Fact, earlier: list[Fact]) -> list[Line]:
    """Return the line of a fact with what it contests, and lines of their own for what does not fit."""
    said, apart = _said(fact), []
    for old in earlier:
        beside = f" | earlier, turn {old.turn}: {' '.join(old.text.split())}"
        if len(said) + len(beside) <= _LONGEST:
            said += beside
        else:
            apart.append(Line(old, f"[perhaps superseded by turn {fact.turn}] {_said(old)}"))
    return [Line(fact, said), *apart]


def _said(fact: Fact) -> str:
    return " ".join(f"{_LABELS[fact.kind]} (turn {fact.turn}): {fact.text}".split())


def _all_earlier(fact: Fact, earlier: Mapping[str, list[Fact]]) -> list[Fact]:
    """Return what a fact contests, directly or through others, newest first."""
    found: list[Fact] = []
    open_ = [fact]
    while open_:
        for old in earlier.get(open_.pop().id, ()):
            found.append(old)
            open_.append(old)
    return sorted(found, key=lambda old: -old.turn)


def _standing(ledger: Ledger, fact_id: str) -> Fact | None:
    """Return the fact that stands today for an id: itself, or what replaced it."""
    fact = ledger.facts.get(fact_id)
    for _ in range(len(ledger.facts)):
        if fact is None or fact.status == "standing":
            return fact
        fact = ledger.facts.get(fact.replaced_by)
    return None
