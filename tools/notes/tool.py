"""The notes of a project: written, read, found, kept. Seven operations and the life of a note."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from ...state.errors import InvalidNote
from ...state.notes import Note, NoteRow, NoteSource, NotesSummary, NoteStatus, NoteType
from ..clock import Clock, SystemClock
from ..embeddings import Embedder, open_embedder
from ..git import Git
from . import commands
from .fields import checked_choice, checked_content, checked_id, checked_links, checked_title, checked_words
from .filters import checked_limit, note_filter
from .finder import NoteFinder
from .lifecycle import resolved, superseded, superseding, unified
from .review import NoteReview
from .sources import Sources
from .store import NoteStore, Version, now

RECENT = 5
"""Notes named in a summary."""

Words = list[str]  # inside the class, `list` is the operation of that name
Notes = list[Note]
Rows = list[NoteRow]
Versions = list[Version]


class NoteTool:
    """Notes in one folder: a Markdown file each, findable, safe for threads and several processes.

    Args:
        workspace: The folder; made with the first note.
        repo: The repository the notes speak of; with it sources may be given as places, and `review` checks them.
        clock: Gives the times in the notes; default: the machine's.
        embedder: For search by meaning: an embedder, or what `open_embedder` accepts; None or ``"none"``: words alone.
    """

    def __init__(
        self,
        workspace: Path | str,
        *,
        repo: Path | str | None = None,
        clock: Clock | None = None,
        embedder: Embedder | str | None = "default",
    ) -> None:
        self.store = NoteStore(Path(workspace), clock or SystemClock())
        self._clock = clock or SystemClock()
        self._repo = Path(repo) if repo is not None else None
        self._finder = NoteFinder(self.store, open_embedder(embedder) if isinstance(embedder, str) else embedder)

    def __enter__(self) -> "NoteTool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop background work and close the files of the search; the tool may be used again."""
        self._finder.close()

    @property
    def notices(self) -> Words:
        """Return what the user should know of: repairs made, and what works less well than it should, in words."""
        return [*self.store.index.notices, *self._finder.notices]

    @cached_property
    def review(self) -> NoteReview | None:
        """Return what compares the notes with the code; None without a repository."""
        return NoteReview(self.store, Sources(self._repo, Git(self._repo))) if self._repo else None

    def create(
        self,
        title: str,
        content: str,
        note_type: str = "general",
        tags: Iterable[str] = (),
        *,
        status: str = "open",
        links: Mapping[str, Iterable[str]] | None = None,
        sources: Iterable[NoteSource | str] = (),
        extra: Mapping[str, object] | None = None,
        note_id: str = "",
        created_at: datetime | None = None,
    ) -> Note:
        """Write a note and return it as it is kept.

        Args:
            title: One line of 1 to 500 characters.
            content: Markdown; kept as given.
            note_type: A `NoteType`.
            tags: Words to filter by.
            status: A `NoteStatus`.
            links: Note ids by `Relation`.
            sources: The lines of code the note speaks of: places such as ``"app/pool.py:12-40"``, or bound already.
            extra: Further front matter, plain data.
            note_id: For callers that may run twice: if a note has this id, it is returned and nothing written.
            created_at: For such callers, too; default: now.

        Raises:
            InvalidNote: A value is wrong; the message names the field.
            StoreError: The disk is full or read-only; nothing is left half-written.
        """
        moment = created_at or now(self._clock)
        note = Note(
            id=checked_id(note_id) if note_id else "",
            title=checked_title(title),
            content=checked_content(content),
            type=checked_choice("note_type", note_type, NoteType),
            tags=checked_words("tags", tags),
            created_at=moment,
            updated_at=moment,
            status=checked_choice("status", status, NoteStatus),
            links=checked_links(links or {}),
            sources=self._bound(sources),
            extra=dict(extra or {}),
        )
        return self.store.create(note)

    def read(self, note_id: str) -> Note:
        """Return a note as its file says now.

        Raises:
            InvalidNote: The id could be a path.
            UnknownNote: No note has this id.
        """
        return self.store.load(note_id).note

    def update(
        self,
        note_id: str,
        *,
        title: str | None = None,
        content: str | None = None,
        note_type: str | None = None,
        tags: Iterable[str] | None = None,
        status: str | None = None,
        links: Mapping[str, Iterable[str]] | None = None,
        sources: Iterable[NoteSource | str] | None = None,
        extra: Mapping[str, object] | None = None,
    ) -> Note:
        """Change what is given, refresh `updated_at`, keep the earlier text in the history; return the new note.

        Raises:
            InvalidNote: A value is wrong; the message names the field.
            UnknownNote: No note has this id.
            StoreError: The disk is full or read-only; the old text is untouched.
        """
        given: dict[str, Any] = {
            "title": None if title is None else checked_title(title),
            "content": None if content is None else checked_content(content),
            "type": None if note_type is None else checked_choice("note_type", note_type, NoteType),
            "tags": None if tags is None else checked_words("tags", tags),
            "status": None if status is None else checked_choice("status", status, NoteStatus),
            "links": None if links is None else checked_links(links),
            "sources": None if sources is None else self._bound(sources),
            "extra": None if extra is None else dict(extra),
        }
        changes = {name: value for name, value in given.items() if value is not None}
        return self.change(note_id, lambda note: replace(note, **changes))

    def change(self, note_id: str, edit: Callable[[Note], Note]) -> Note:
        """Write what `edit` makes of the newest text, while nobody else can write; return the new note.

        Raises:
            UnknownNote, InvalidNote, StoreError: See `update`.
        """
        return self.store.change(note_id, edit)

    def delete(self, note_id: str) -> None:
        """Remove a note and its history for good; to keep it out of the way instead, give it the status archived.

        Raises:
            UnknownNote, InvalidNote: See `read`.
            StoreError: A file cannot be removed.
        """
        self.store.delete([note_id])

    def search(
        self,
        query: str,
        note_type: str | None = None,
        tags: Iterable[str] | None = None,
        limit: int = 10,
        *,
        all_tags: bool = False,
        status: str | Iterable[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        path: str = "",
        newest_first: bool = False,
    ) -> Notes:
        """Return the notes that answer a sentence or hold its words, best first (filters: see `list`).

        English finds Chinese and Chinese English; a word may have one wrong letter. An empty query finds everything,
        newest first. A note another one took the place of counts half.

        Args:
            query: What the user asks, in their own words.
            newest_first: Put the 200 best matches in order of time.

        Raises:
            InvalidNote: A filter is wrong; the message names the field.
        """
        wanted = note_filter(
            note_type=note_type, tags=tags, all_tags=all_tags, status=status, since=since, until=until, path=path
        )
        limit = checked_limit(limit)
        with self.store.lock:
            self.store.index.refresh()
            return self._finder.find(checked_content(query), limit, wanted, newest_first=newest_first)

    def list(
        self,
        note_type: str | None = None,
        tags: Iterable[str] | None = None,
        limit: int | None = None,
        *,
        all_tags: bool = False,
        status: str | Iterable[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        path: str = "",
    ) -> Rows:
        """Return notes without their texts, the last updated first.

        Args:
            note_type: Only of this type.
            tags: Only with one of these tags.
            limit: How many at most; None for all.
            all_tags: With every one of the tags.
            status: One or several; default: all but archived.
            since: Last updated at this moment or later.
            until: Last updated before this moment.
            path: Only notes about this file or folder of the repository.

        Raises:
            InvalidNote: A filter is wrong; the message names the field.
        """
        wanted = note_filter(
            note_type=note_type, tags=tags, all_tags=all_tags, status=status, since=since, until=until, path=path
        )
        most = None if limit is None else checked_limit(limit)
        with self.store.lock:
            self.store.index.refresh()
            return list(islice(filter(wanted.passes, self.store.index.newest()), most))

    def summary(self) -> NotesSummary:
        """Return how many notes there are, of which types and statuses, and the five last updated."""
        with self.store.lock:
            self.store.index.refresh()
            rows = [*self.store.index.newest()]
        return NotesSummary(
            total_notes=len(rows),
            type_distribution={str(kind): n for kind in NoteType if (n := sum(row.type is kind for row in rows))},
            status_distribution={str(one): n for one in NoteStatus if (n := sum(row.status is one for row in rows))},
            recent_notes=rows[:RECENT],
        )

    def resolve(self, note_id: str, solution: str) -> Note:
        """Close a note with its solution: a blocker becomes a conclusion; return the new note.

        Raises:
            UnknownNote, InvalidNote, StoreError: See `update`.
        """
        text = checked_content(solution)
        return self.change(note_id, lambda note: resolved(note, text))

    def supersede(self, note_id: str, by: str) -> Note:
        """Say that another note takes the place of this one; return the other note, which then names this one.

        Raises:
            UnknownNote, InvalidNote, StoreError: See `update`.
        """
        self.read(note_id)
        newer = self.change(by, lambda note: superseding(note, note_id))
        self.change(note_id, superseded)
        return newer

    def history(self, note_id: str) -> Versions:
        """Return the earlier versions of a note, oldest first.

        Raises:
            UnknownNote, InvalidNote: See `read`.
        """
        return self.store.versions(note_id)

    def version(self, note_id: str, number: int) -> Note:
        """Return a note as it was in one version.

        Raises:
            InvalidNote: There is no such version.
            UnknownNote: No note has this id.
        """
        return self.store.version(note_id, number)

    def diff(self, note_id: str, old: int, new: int | None = None) -> str:
        """Return what changed between two versions (default: up to the present one) as a unified diff.

        Raises:
            UnknownNote, InvalidNote: See `version`.
        """
        before, after = self.version(note_id, old), self.read(note_id) if new is None else self.version(note_id, new)
        return unified(before, after)

    def restore(self, note_id: str, number: int) -> Note:
        """Make an earlier version the newest one and return it; what was newest stays in the history.

        Raises:
            UnknownNote, InvalidNote, StoreError: See `version`, `update`.
        """
        earlier = self.version(note_id, number)
        return self.change(note_id, lambda _: earlier)

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a dictionary says, ``{"action": "search", "query": "...", "limit": 3}``; return plain data.

        See `commands.run` for the actions and what they return; foreseen errors are answers, not exceptions.
        """
        return commands.run(self, request)

    def _bound(self, sources: Iterable[NoteSource | str]) -> tuple[NoteSource, ...]:
        return tuple(dict.fromkeys(self._bound_one(source) for source in sources))

    def _bound_one(self, source: NoteSource | str) -> NoteSource:
        if not isinstance(source, str):
            return source
        if self.review is None:
            raise InvalidNote(f"sources holds {source!r}: a place can only be bound by a NoteTool with repo=")
        return self.review.sources.bind_place(source)
