"""The plans of a line: which one a text speaks of, and how it goes on."""

from collections.abc import Sequence
from dataclasses import replace

from ...state.ledger import Plan
from .matching import Cosines, common_words
from .progress import Progress, progress
from .statements import sentences


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
