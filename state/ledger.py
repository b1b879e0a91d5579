"""The ledger of standing facts: what was decided, asked for, broken and changed, and the plan with its ticks."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from .turns import Role

FactKind = Literal["decision", "rule", "problem", "change", "rejected", "solved", "fact"]
FACT_KINDS: tuple[FactKind, ...] = get_args(FactKind)
FactStatus = Literal["standing", "superseded", "resolved"]
StepStatus = Literal["todo", "doing", "done"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement that holds until something newer replaces it."""

    id: str
    """`"39.1"`: turn number, then the place among that turn's facts."""
    kind: FactKind
    text: str
    """Verbatim."""
    turn: int
    """Number of the turn it was said in."""
    by: Role
    at: str = ""
    """When, as an ISO time; `""` where nobody said."""
    handle: str = ""
    """Of the whole message in the archive."""
    scope: tuple[str, ...] = ()
    """What it speaks of: paths and names as they are written, in lower case."""
    weight: float = 0.5
    """How sure it is that this is a standing fact and not a remark, in [0, 1]."""
    status: FactStatus = "standing"
    replaced_by: str = ""
    """Id of the fact that superseded or resolved it."""
    contested_by: str = ""
    """Id of a newer fact that may replace it, where the words do not say so: both are shown, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a plan."""

    text: str
    status: StepStatus = "todo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Numbered steps with their progress."""

    title: str
    steps: tuple[Step, ...]
    turn: int
    """Number of the turn that laid it out."""
    updated: int
    """Number of the turn that last changed its progress."""

    @property
    def current(self) -> int | None:
        """Return the index of the step at work, else of the first that is not done; None when all are done."""
        for wanted in ("doing", "todo"):
            for index, step in enumerate(self.steps):
                if step.status == wanted:
                    return index
        return None


@dataclass(frozen=True, slots=True)
class Ledger:
    """All facts of one line of turns, and its plans."""

    facts: Mapping[str, Fact] = field(default_factory=dict)
    """By id, oldest first."""
    plans: tuple[Plan, ...] = ()
    """The one worked on last stands last."""
    turn: int = 0
    """Number of the newest turn that was read."""
    plan_turns: frozenset[int] = frozenset()
    """Numbers of the turns that laid out a plan or told its progress."""

    def standing(self) -> list[Fact]:
        """Return the facts in force, oldest first."""
        return [fact for fact in self.facts.values() if fact.status == "standing"]

    def with_fact(self, fact: Fact) -> "Ledger":
        """Return a ledger that also holds this fact, or holds it in its new form."""
        return replace(self, facts={**self.facts, fact.id: fact})
