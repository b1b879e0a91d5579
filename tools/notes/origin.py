"""Which turn a note comes from, and on which line of turns that turn stands."""

from collections.abc import Iterable

from ...state.notes import Note
from ..archive import Archive


def origin(session: str, turn_id: str) -> dict[str, object]:
    """Return the front matter that says which turn a note was written, or last rewritten, in."""
    return {"session": session, "turn": turn_id}


def turn_of(note: Note) -> str:
    """Return the archive id of the turn a note comes from; `""` where people or other programs wrote it."""
    return str(note.extra.get("turn") or "")


class Lines:
    """Tells notes of a session's own line of turns from those of lines that parted from it.

    Args:
        archive: Knows how the turns hang together.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def on_line(self, notes: Iterable[Note], head: str) -> list[Note]:
        """Return the notes whose turn is on the line that ends at `head`, in their order."""
        known = [note for note in notes if turn_of(note)]
        held = self._archive.numbers(self._archive.line(head), {turn_of(note) for note in known})
        return [note for note in known if turn_of(note) in held]

    def is_beside(self, note: Note, head: str) -> bool:
        """Return whether a note was made after a fork, on the branch that `head` is not on.

        False for the notes of sessions that share no turn with this line: they speak of the repository as any note.
        """
        return bool(turn_of(note)) and self._archive.line(head).parts_from(self._archive.line(turn_of(note)))
