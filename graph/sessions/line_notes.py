"""The notes that one line of turns made and another did not: what a fork found out, and what it cannot know of."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from ...state.notes import Note, NoteStatus
from ...tools.archive import Archive
from ...tools.notes import NoteTool
from ...tools.notes.origin import Lines
from .history import Change

FIELD = "notes_of_line"


def notes_between(home: Path, before: str, after: str) -> list[Change]:
    """Return as one change the notes whose turn is on one of two lines only, or nothing where there are none.

    Args:
        home: The folder the notes and the archive are in.
        before: Archive id of the last turn of the one line.
        after: That of the other.

    Raises:
        StoreError: Notes or archive cannot be read.
    """
    if before == after or not (home / "archive").is_dir():
        return []
    with closing(Archive(home / "archive")) as archive, NoteTool(home / "notes", embedder=None) as tool:
        rows = tool.list(status=list(NoteStatus))
        notes = [note for row in rows if (note := tool.store.peek(row.id))]
        lines = Lines(archive)
        then, now = lines.on_line(notes, before), lines.on_line(notes, after)
    old, new = _named(note for note in then if note not in now), _named(note for note in now if note not in then)
    return [Change(field=FIELD, before=old, after=new)] if old or new else []


def _named(notes: Iterable[Note]) -> list[str]:
    return [f"{note.id}: {note.title}" for note in notes]
