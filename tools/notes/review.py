"""Notes whose code has changed: found, queued, looked at again, confirmed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from ...state.errors import InvalidNote
from ...state.notes import Note, NoteRow, NoteStatus, SourceCheck, SourceState
from ..files import write_atomic
from .front_matter import iso
from .sources import Sources, rebound, worst
from .store import NoteStore, now

QUEUE_NAME = ".review.json"


@dataclass(frozen=True, kw_only=True)
class NoteCheck:
    """A note compared with the code it speaks of."""

    note_id: str
    title: str
    state: SourceState
    """As stale as the stalest source; UNVERIFIABLE where none is named."""
    sources: tuple[SourceCheck, ...]


@dataclass(frozen=True, kw_only=True)
class ReviewItem:
    """A note that waits for somebody to say whether it still holds."""

    note_id: str
    title: str
    since: datetime
    """When the change was first seen."""
    reason: str


class NoteReview:
    """Keeps notes and code together; the queue is the file `.review.json` beside the notes.

    Args:
        store: The notes.
        sources: The repository they speak of.
    """

    def __init__(self, store: NoteStore, sources: Sources) -> None:
        self.sources = sources
        self._store = store

    def look(self, note: Note) -> NoteCheck:
        """Return how a note stands to its code now."""
        checks = tuple(self.sources.check(source) for source in note.sources)
        return NoteCheck(note_id=note.id, title=note.title, state=worst(checks), sources=checks)

    def verify(self, paths: Iterable[str] | None = None, *, follow_moves: bool = False) -> list[NoteCheck]:
        """Check all notes that name sources, queue the stale ones for review and take the others off the queue.

        Args:
            paths: Only notes about these files, for example those a commit changed; None for all.
            follow_moves: Write the present place into notes whose text moved.

        Raises:
            StoreError: The queue or a note cannot be written.
        """
        wanted = None if paths is None else set(paths)
        with self._store.lock:
            self._store.index.refresh()
            rows = [row for row in self._store.index.newest() if _to_check(row, wanted)]
        checks = []
        for row in rows:
            if note := self._store.peek(row.id):
                check = self.look(note)
                checks.append(check)
                if follow_moves and any(source.state is SourceState.MOVED for source in check.sources):
                    self._store.change(row.id, lambda note, check=check: rebound(note, check.sources))  # type: ignore[misc]
        self.enqueue(checks)
        return checks

    def enqueue(self, checks: Iterable[NoteCheck]) -> None:
        """Queue what is stale, take off what is not; the file is written only if that changes it.

        Raises:
            StoreError: It cannot be written.
        """
        checks = list(checks)
        with self._store.lock:
            if self._queued(checks) == self._read():
                return
            with self._store.exclusive():  # read again: another process may have queued something meanwhile
                self._write(self._queued(checks))

    def queue(self) -> list[ReviewItem]:
        """Return what waits for review, longest waiting first; notes that are gone do not wait."""
        with self._store.lock:
            self._store.index.refresh()
            items = [
                ReviewItem(
                    note_id=key,
                    title=row.title,
                    since=datetime.fromisoformat(entry["since"]),
                    reason=entry["reason"],
                )
                for key, entry in self._read().items()
                if (row := self._store.index.get(key)) and row.status is not NoteStatus.ARCHIVED
            ]
        return sorted(items, key=lambda item: item.since)

    def confirm(self, note_id: str) -> Note:
        """Say that a note still holds: bind its sources to the code as it is now; return the new note.

        Raises:
            UnknownNote: No note has this id.
            InvalidNote: A source is gone; change the note instead.
            StoreError: It cannot be written.
        """
        check = self.look(self._store.load(note_id).note)
        if gone := [source.source.path for source in check.sources if not source.path]:
            raise InvalidNote(f"sources holds {gone[0]!r}, which is gone: change the note, or archive it")
        fresh = tuple(self.sources.bind(one.path, one.lines or one.source.lines) for one in check.sources)
        note = self._store.change(note_id, lambda note: replace(note, sources=fresh))
        self.enqueue([replace(check, state=SourceState.FRESH)])
        return note

    def _queued(self, checks: Iterable[NoteCheck]) -> dict[str, dict[str, str]]:
        """Return the queue as it is after these checks."""
        queue = self._read()
        for check in checks:
            if check.state is SourceState.STALE:
                queue.setdefault(check.note_id, {"since": iso(now(self._store.clock)), "reason": _reason(check)})
            else:
                queue.pop(check.note_id, None)
        return queue

    def _read(self) -> dict[str, dict[str, str]]:
        """Return the queue; a damaged file is an empty queue, which the next `verify` fills again."""
        try:
            data = json.loads((self._store.folder / QUEUE_NAME).read_bytes())
            return {
                str(key): {
                    "since": str(datetime.fromisoformat(entry["since"]).isoformat()),
                    "reason": str(entry["reason"]),
                }
                for key, entry in data.items()
            }
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return {}

    def _write(self, queue: Mapping[str, object]) -> None:
        text = json.dumps(queue, ensure_ascii=False, indent=2)
        write_atomic(self._store.folder / QUEUE_NAME, f"{text}\n".encode())


def _to_check(row: NoteRow, paths: set[str] | None) -> bool:
    if row.status is NoteStatus.ARCHIVED or not row.paths:
        return False
    return paths is None or not paths.isdisjoint(row.paths)


def _reason(check: NoteCheck) -> str:
    stale = [one for one in check.sources if one.state is SourceState.STALE]
    return "; ".join(
        f"{one.source.path}{':' if one.source.lines else ''}{one.source.lines}: {one.reason}" for one in stale
    )
