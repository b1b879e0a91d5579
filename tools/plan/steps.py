"""Notes to steps in the order they can be done in: pure, so that the same notes always give the same plan."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...state.errors import NoteError
from ...state.notes import Note, NoteStatus, NoteType

PLAN_TYPES = (NoteType.ACTION, NoteType.TASK_STATE, NoteType.BLOCKER)
DONE = frozenset({NoteStatus.RESOLVED, NoteStatus.ARCHIVED})
TICKED = "ticked"
"""Key of a step's front matter: it was closed on evidence, which may come to be untrue again."""


class PlanCycle(NoteError):
    """Steps of a plan wait for each other in a circle."""

    def __init__(self, members: Sequence[str]) -> None:
        self.members = tuple(members)
        circle = " -> ".join([*members, members[0]])
        remedy = f"`maintainer steps order {members[0]}` lets that one wait for nothing"
        super().__init__(f"the plan has a circle: {circle}: {remedy}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a plan: a note with what it waits for."""

    id: str
    title: str
    type: NoteType
    status: NoteStatus
    waits_for: tuple[str, ...] = ()
    """Ids of the steps that are not done and come before it."""
    depends_on: tuple[str, ...] = ()
    """Ids of all steps before it, done or not."""
    estimate: str = ""
    """As people write it: `2h`, `half a day`."""
    acceptance: str = ""
    """What has to hold for the step to be done."""
    findings: tuple[str, ...] = ()
    """Fingerprints of the findings it removes."""
    ticked: bool = False
    """Closed because its findings were gone, not because somebody said so."""
    paths: tuple[str, ...] = ()
    """Files those findings are in."""
    next_action: str = ""

    @property
    def done(self) -> bool:
        """Return whether the step is closed."""
        return self.status in DONE

    @property
    def ready(self) -> bool:
        """Return whether the step is open and waits for nothing."""
        return not self.done and not self.waits_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Steps in an order in which each comes after what it depends on."""

    steps: tuple[Step, ...] = ()
    unknown: tuple[tuple[str, str], ...] = ()
    """Step id and a note id it depends on that is no step: deleted, or of another type."""

    @property
    def ready(self) -> tuple[Step, ...]:
        """Return the steps that can be started now."""
        return tuple(step for step in self.steps if step.ready)

    @property
    def open(self) -> tuple[Step, ...]:
        """Return the steps that are not done."""
        return tuple(step for step in self.steps if not step.done)

    @property
    def progress(self) -> tuple[int, int]:
        """Return how many steps are done, and of how many."""
        return sum(step.done for step in self.steps), len(self.steps)


def plan_of(notes: Iterable[Note]) -> Plan:
    """Return the plan that action, task_state and blocker notes make up.

    A step waits for the notes its `depends_on` names; what another step took the place of is no step any more, and
    nobody waits for it. Among steps that could come next: blockers first, then the older. A step keeps its place when
    it is started or done, so that its number stays.

    Raises:
        PlanCycle: Steps wait for each other.
    """
    kept = {note.id: note for note in notes if note.type in PLAN_TYPES}
    replaced = {key for key, note in kept.items() if note.status is NoteStatus.SUPERSEDED}
    known = {key: note for key, note in kept.items() if key not in replaced}
    needs: dict[str, list[str]] = {key: [] for key in known}
    unknown = []
    for note in known.values():
        for other in note.links.get("depends_on", ()):
            if other in known:
                needs[note.id].append(other)
            elif other not in replaced:
                unknown.append((note.id, other))
    ordered = in_order(known, needs)
    return Plan(steps=tuple(_step(known[key], needs[key], known) for key in ordered), unknown=tuple(sorted(unknown)))


def in_order(known: Mapping[str, Note], needs: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the ids so that each stands after what it needs.

    Raises:
        PlanCycle: There is no such order.
    """
    left = {key: set(needs[key]) for key in known}
    placed: list[str] = []
    while left:
        free = [key for key, waiting in left.items() if not waiting & left.keys()]
        if not free:
            raise PlanCycle(_circle(left))
        following = min(free, key=lambda key: _urgency(known[key]))
        placed.append(following)
        del left[following]
    return placed


def _urgency(note: Note) -> tuple[object, ...]:
    return (note.type is not NoteType.BLOCKER, note.created_at, note.id)


def _circle(left: Mapping[str, set[str]]) -> list[str]:
    """Return one circle among steps that all wait for another of them."""
    way: list[str] = []
    here = min(left)
    while here not in way:
        way.append(here)
        here = min(left[here] & left.keys())
    return way[way.index(here) :]


def _step(note: Note, needs: Sequence[str], known: Mapping[str, Note]) -> Step:
    return Step(
        id=note.id,
        title=note.title,
        type=note.type,
        status=note.status,
        waits_for=tuple(other for other in needs if known[other].status not in DONE),
        depends_on=tuple(needs),
        estimate=str(note.extra.get("estimate") or ""),
        acceptance=str(note.extra.get("acceptance") or ""),
        findings=_words(note.extra.get("findings")),
        ticked=bool(note.extra.get(TICKED)),
        paths=_words(note.extra.get("paths")),
        next_action=str(note.extra.get("next_action") or ""),
    )


def _words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
