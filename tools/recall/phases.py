"""Phases: one ends with a report note, and the next starts from it."""

from ...state.ledger import Fact, FactKind, Ledger
from ...state.notes import Note, NoteType
from ...state.packet import ContextPacket, Need
from ..notes import NoteTool
from .card import where_was_i

PHASE_TAG = "phase"
_SECTIONS: tuple[tuple[str, FactKind], ...] = (
    ("Decisions", "decision"),
    ("Rules", "rule"),
    ("Rejected", "rejected"),
    ("Open problems", "problem"),
    ("Changes", "change"),
)
_AGELESS = ("problem", "rule")


def phase_report(name: str, goal: str, ledger: Ledger, since: int = 0) -> str:
    """Return the report a phase ends with, as Markdown: every line as it was said, with its turn.

    Args:
        name: Of the phase.
        goal: Of the session, verbatim.
        ledger: Of the session's line.
        since: Number of the last turn before the phase; problems and rules are told whatever their age.
    """
    card = where_was_i(goal, ledger)
    parts = [f"# {name}", f"Goal: {goal}"]
    if card.next_action:
        parts.append(f"Next: {card.next_action}")
    if card.done:
        parts += ["", "## Done", *(f"- {entry}" for entry in card.done)]
    for title, kind in _SECTIONS:
        always = kind in _AGELESS
        told = [fact for fact in ledger.standing() if fact.kind == kind and (always or fact.turn > since)]
        if told:
            parts += ["", f"## {title}", *(_line(fact) for fact in told)]
    return "\n".join(parts)


def end_phase(notes: NoteTool, name: str, goal: str, ledger: Ledger, since: int = 0) -> Note:
    """Write the report of a phase as a note and return it."""
    report = phase_report(name, goal, ledger, since)
    return notes.create(f"Phase: {name}", report, NoteType.TASK_STATE, [PHASE_TAG, f"turn-{ledger.turn}"])


def last_phase(notes: NoteTool) -> Note | None:
    """Return the report of the phase that ended last, or None."""
    found = notes.list(tags=[PHASE_TAG], limit=1)
    return notes.read(found[0].id) if found else None


class PhaseSource:
    """The report of the last phase, for the first turns of the next one."""

    name = "phase"
    timeout_s = 3.0
    TURNS = 3
    """Turns of a session that start from the report; later ones have a past of their own."""

    def __init__(self, notes: NoteTool) -> None:
        self._notes = notes

    def packets(self, need: Need) -> list[ContextPacket]:
        """Return the report while the session is young."""
        report = last_phase(self._notes) if need.turn <= self.TURNS else None
        if report is None:
            return []
        metadata = {"type": "task_state", "source": "phase", "note_id": report.id, "pinned": True}
        return [ContextPacket(content=f"[Note: {report.title}]\n{report.content}", metadata=metadata)]


def _line(fact: Fact) -> str:
    return f"- {fact.text} (turn {fact.turn})"
