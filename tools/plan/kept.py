"""Where a plan is kept: its notes, how they are read, closed on evidence and opened again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from ...state.notes import Note, NoteRow, NoteSource, NoteStatus
from ..notes.lifecycle import COMPLETED, resolved
from ..search.text import has_cjk
from .steps import PLAN_TYPES, TICKED

MOST_NOTES = 300
"""Notes of each type that are read, the last updated first."""


class PlanNotes(Protocol):
    """What a plan needs of the notes."""

    def list(
        self, note_type: str | None = None, tags: None = None, limit: int | None = None, *, status: Sequence[str]
    ) -> Sequence[NoteRow]:
        """Return notes without their texts."""
        ...

    def read(self, note_id: str) -> Note:
        """Return one note."""
        ...

    def change(self, note_id: str, edit: Callable[[Note], Note]) -> Note:
        """Write what `edit` makes of a note and return it."""
        ...

    def create(
        self,
        title: str,
        content: str,
        note_type: str,
        tags: Iterable[str] = (),
        *,
        links: Mapping[str, Iterable[str]] | None = None,
        sources: Iterable[NoteSource | str] = (),
        extra: Mapping[str, object] | None = None,
        note_id: str = "",
        created_at: datetime | None = None,
    ) -> Note:
        """Keep a note and return it."""
        ...


def read_plan_notes(notes: PlanNotes) -> list[Note]:
    """Return the notes a plan is made of."""
    status = ("open", "in_progress", "resolved", "superseded")
    rows = [row for kind in PLAN_TYPES for row in notes.list(str(kind), limit=MOST_NOTES, status=status)]
    return [notes.read(row.id) for row in rows]


def close(notes: PlanNotes, note_id: str, evidence: str) -> Note:
    """Close a step on evidence; should a later analysis find its findings again, it is opened again."""
    return notes.change(
        note_id, lambda note: replace(resolved(note, evidence), extra={**note.extra, TICKED: evidence.splitlines()[0]})
    )


def reopen(notes: PlanNotes, note_id: str, reason: str) -> Note:
    """Open a closed step again, with the reason in its text."""

    def edit(note: Note) -> Note:
        heading = "## 重新打开" if has_cjk(note.title + reason) else "## Opened again"
        return replace(
            note,
            status=NoteStatus.OPEN,
            content=f"{note.content.rstrip()}\n\n{heading}\n\n{reason.strip()}",
            tags=tuple(tag for tag in note.tags if tag != COMPLETED),
            extra={key: value for key, value in note.extra.items() if key != TICKED},
        )

    return notes.change(note_id, edit)
