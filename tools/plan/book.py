"""The plan as people work with it: steps added, ordered, started, opened again; changed only with a reason."""

from collections.abc import Sequence
from dataclasses import replace

from ...state.errors import InvalidNote, UnknownNote
from ...state.notes import Note, NoteStatus, NoteType, Relation
from ...state.report import Finding
from ...state.session import Language
from ..focus import asked_for
from ..notes import NoteTool
from .kept import read_plan_notes, reopen
from .proposal import proposals
from .replan import Replanned, checked_reason, drop, replan
from .steps import Plan, PlanCycle, Step, plan_of


class PlanBook:
    """The plan of one repository, kept in its notes."""

    def __init__(self, notes: NoteTool) -> None:
        self._notes = notes

    def plan(self) -> Plan:
        """Return the plan as its notes are now.

        Raises:
            PlanCycle: Steps wait for each other.
        """
        return plan_of(read_plan_notes(self._notes))

    def step(self, named: str) -> Step:
        """Return a step by its number in the plan, by its id, or by the end of its id.

        Raises:
            UnknownNote: No step has it, or more than one.
            PlanCycle: Steps wait for each other.
        """
        wanted = self._id(named)
        return next(step for step in self.plan().steps if step.id == wanted)

    def _id(self, named: str) -> str:
        """Return the id of a step; in a plan with a circle, which has no order, there are no numbers."""
        notes = read_plan_notes(self._notes)
        try:
            ids = [step.id for step in plan_of(notes).steps]
            if named.isdigit() and 1 <= int(named) <= len(ids):
                return ids[int(named) - 1]
        except PlanCycle:
            ids = [note.id for note in notes]
        found = [each for each in ids if len(named) > 3 and each.endswith(named)]
        if len(found) != 1:
            raise UnknownNote(f"{named!r} names {len(found)} of {len(ids)} steps: `maintainer steps` lists them")
        return found[0]

    def add(
        self, title: str, *, acceptance: str = "", estimate: str = "", after: Sequence[str] = (), content: str = ""
    ) -> Step:
        """Add a step and return it.

        Args:
            title: What to do, in one line.
            acceptance: What has to hold for it to be done.
            estimate: As people write it: `2h`, `half a day`.
            after: Steps that come first, named as in `step`.
            content: Anything else, Markdown.

        Raises:
            UnknownNote: A step in `after` is none.
            InvalidNote: The title is empty.
        """
        needs = [self.step(each).id for each in after]
        given = {"acceptance": acceptance, "estimate": estimate}
        note = self._notes.create(
            title,
            content or title,
            NoteType.ACTION,
            links={str(Relation.DEPENDS_ON): needs} if needs else None,
            extra={name: value for name, value in given.items() if value},
        )
        return self.step(note.id)

    def order(self, named: str, after: Sequence[str]) -> Step:
        """Let a step wait for others, and only for them; return it. A circle that hands have made is mended so.

        Raises:
            PlanCycle: They wait for it already: nothing is changed.
            UnknownNote: See `step`.
        """
        wanted, needs = self._id(named), [self._id(each) for each in after]

        def moved(note: Note) -> Note:
            return replace(note, links={**note.links, str(Relation.DEPENDS_ON): needs})

        notes = read_plan_notes(self._notes)
        plan = plan_of([moved(note) if note.id == wanted else note for note in notes])  # refuses before it writes
        self._notes.change(wanted, moved)
        return next(step for step in plan.steps if step.id == wanted)

    def start(self, named: str) -> Step:
        """Mark a step as in progress and return it.

        Raises:
            InvalidNote: It is done, or waits for others.
            UnknownNote: See `step`.
        """
        step = self.step(named)
        if step.done:
            raise InvalidNote(f"step {named!r} is done: `maintainer steps reopen {named} --reason ...` opens it again")
        if step.waits_for:
            first = "; ".join(each.title for each in self.plan().steps if each.id in step.waits_for)
            raise InvalidNote(
                f"step {named!r} waits for: {first}: do that first, or change the order with `steps order`"
            )
        self._notes.update(step.id, status=NoteStatus.IN_PROGRESS)
        return self.step(step.id)

    def reopen(self, named: str, reason: str) -> Step:
        """Open a step that was closed, and return it.

        Raises:
            InvalidNote: There is no reason, or the step is open.
            UnknownNote: See `step`.
        """
        because, step = checked_reason(reason), self.step(named)
        if not step.done:
            raise InvalidNote(f"step {named!r} is {step.status}: only a closed one can be opened again")
        return self.step(reopen(self._notes, step.id, because).id)

    def drop(self, named: Sequence[str], reason: str, language: Language = "en") -> Replanned:
        """Take steps out of the plan, with a reason; their notes stay readable.

        Raises:
            InvalidNote: There is no reason.
            UnknownNote: See `step`.
        """
        return drop(self._notes, [self.step(each) for each in named], reason, language)

    def replan(self, findings: Sequence[Finding], reason: str, about: str = "", language: Language = "en") -> Replanned:
        """Put the steps that findings ask for now in the place of those earlier findings asked for.

        Args:
            findings: Of an analysis of now, ranked.
            reason: Why; it is kept with the plan as it was.
            about: What the new plan is about; by default whatever is worst.
            language: Of the notes.

        Raises:
            InvalidNote: The reason is empty, or nothing was found that `about` speaks of.
        """
        checked_reason(reason)
        return replan(self._notes, proposals(chosen(findings, about), language), reason, language)


def chosen(findings: Sequence[Finding], about: str) -> list[Finding]:
    """Return the findings steps are made of: those a request speaks of, or all where there is no request.

    Raises:
        InvalidNote: It speaks of something nothing was found on.
    """
    found = asked_for(findings, about) if about.strip() else list(findings)
    if about.strip() and not found:
        raise InvalidNote(f"about is {about!r}: nothing was found on that; name a path, a symbol or a kind of problem")
    return found
