"""Notes on disk: one file a note, every earlier version kept, nothing half-written."""

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

from ...state.errors import InvalidNote, UnknownNote
from ...state.notes import Note
from ..clock import Clock
from ..files import explained, locked, make_folder, remove, write_atomic
from ..secrets import mask
from .fields import checked_id
from .index import MAX_BYTES, NoteIndex
from .markdown import Parsed, parse, render, rewrite

LOCK_NAME = ".lock"
HISTORY_NAME = ".history"
CACHE_NAME = ".cache"
_IGNORED = f"notes_index.json\n.review.json\n{LOCK_NAME}\n{HISTORY_NAME}/\n{CACHE_NAME}/\n.*.tmp\n"
_FIELDS = ("title", "content", "type", "tags", "status", "version", "updated_at", "links", "sources")


@dataclass(frozen=True, slots=True)
class Version:
    """One earlier text of a note."""

    number: int
    updated_at: datetime
    title: str
    path: Path


class NoteStore:
    """The folder of the notes; safe for threads and for several processes at once.

    Args:
        folder: Made with the first note.
        clock: Gives the times in the notes.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder
        self.index = NoteIndex(folder, self.exclusive)
        self.clock = clock
        self.lock = RLock()
        """Held for whatever reads the index: it follows the files and is not safe for threads by itself."""
        self._holding = False

    def load(self, key: str) -> Parsed:
        """Return a note as its file says now, and what is wrong with the file.

        Raises:
            InvalidNote: The id could be a path.
            UnknownNote: No note has this id.
        """
        checked_id(key)
        with self.lock:
            for look in (self.index.refresh, self.index.repair):
                look()
                row = self.index.get(key)
                parsed = self.index.parse(row.file_path) if row else None
                if parsed and parsed.note.id == key:
                    return parsed
        raise _unknown(key)

    def peek(self, key: str) -> Note | None:
        """Return the note of a row as its file says now, without a look at anything else; None where it is gone."""
        with self.lock:
            row = self.index.get(key)
            parsed = self.index.parse(row.file_path) if row else None
        return parsed.note if parsed and parsed.note.id == key else None

    def create(self, note: Note) -> Note:
        """Write a new note, secrets masked, and return it.

        An empty id is filled in; a known one gives back the note that has it.

        Raises:
            InvalidNote: It is too large to be read again.
            StoreError: It cannot be written.
        """
        self._prepare()
        with self.index.writing():
            if note.id and self.index.get(note.id):
                return self.peek(note.id) or note
            note = replace(_masked(note), id=note.id or self.free_id(note.created_at))
            write_atomic(self._path(f"{note.id}.md"), _bounded(render(note)))
            self.index.put(note, f"{note.id}.md")
        return note

    def change(self, key: str, edit: Callable[[Note], Note]) -> Note:
        """Write the next version of a note and return it; the earlier text stays readable in its history.

        Only the lines of changed fields are written anew; what people wrote by hand keeps its bytes.

        Raises:
            InvalidNote, UnknownNote: See `load`; or the note would be too large.
            StoreError: It cannot be written; the old text is untouched.
        """
        with self.exclusive():
            self.load(key)
            with self.index.writing():
                row = self.index.get(key)
                if row is None:
                    raise _unknown(key)
                path = self._path(row.file_path)
                with explained("read", path):
                    data = path.read_bytes()
                    modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                old = parse(data, stem=path.stem, modified=modified).note
                new = replace(_masked(edit(old), old), version=old.version + 1, updated_at=now(self.clock))
                text = _bounded(rewrite(data, new, _changed(old, new)))
                self.keep(old, data, path)
                write_atomic(path, text)
                self.index.put(new, row.file_path)
        return new

    def delete(self, keys: Collection[str]) -> None:
        """Remove notes with their histories, all or none where one is unknown.

        Raises:
            InvalidNote, UnknownNote: See `load`.
            StoreError: A file cannot be removed.
        """
        with self.lock:
            for key in keys:
                self.load(key)
            with self.index.writing():
                for key in keys:
                    if row := self.index.get(key):
                        remove(self._path(row.file_path))
                        history = self._history(key)
                        with explained("remove", history):
                            if history.is_dir():
                                shutil.rmtree(history)
                self.index.drop(keys)

    def versions(self, key: str) -> list[Version]:
        """Return the earlier versions of a note, oldest first.

        Raises:
            InvalidNote, UnknownNote: See `load`.
        """
        self.load(key)
        found = []
        for path in sorted(self._history(key).glob("v*.md")):
            note = self._parsed(path)
            found.append(Version(note.version, note.updated_at, note.title, path))
        return found

    def version(self, key: str, number: int) -> Note:
        """Return one version of a note, the newest of that number; the present one too.

        Raises:
            InvalidNote: There is no such version.
            UnknownNote: No note has this id.
        """
        note = self.load(key).note
        if note.version == number:
            return note
        known = self.versions(key)
        for version in reversed(known):
            if version.number == number:
                return replace(self._parsed(version.path), id=key)
        numbers = ", ".join(dict.fromkeys(str(version.number) for version in known)) or "none"
        raise InvalidNote(f"version is {number!r}: {key} has version {note.version} and, in its history, {numbers}")

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other threads and processes from writing into the folder; a thread may ask again."""
        with self.lock:
            if self._holding:
                yield
                return
            with locked(self.folder / LOCK_NAME):
                self._holding = True
                try:
                    yield
                finally:
                    self._holding = False

    def _prepare(self) -> None:
        if not (self.folder / LOCK_NAME).exists():
            make_folder(self.folder)
            ignore = self.folder / ".gitignore"
            if not ignore.exists():
                write_atomic(ignore, _IGNORED.encode())

    def keep(self, note: Note, data: bytes, path: Path) -> None:
        """Put the present text into the history: a second name for the same file, which the next write leaves be."""
        folder = make_folder(make_folder(self.folder / HISTORY_NAME) / note.id)
        kept = folder / f"v{note.version:06d}-{hashlib.sha256(data).hexdigest()[:8]}.md"
        kept.unlink(missing_ok=True)
        try:
            os.link(path, kept)
        except OSError:  # a file system without links
            write_atomic(kept, data)

    def _parsed(self, path: Path) -> Note:
        with explained("read", path):
            modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            return parse(path.read_bytes(), stem=path.stem, modified=modified).note

    def free_id(self, created: datetime) -> str:
        """Return an id nobody has; it is free for as long as the lock is held."""
        while True:
            key = f"note_{created:%Y%m%d_%H%M%S}_{secrets.token_hex(4)}"
            if not self._path(f"{key}.md").exists():
                return key

    def _path(self, name: str) -> Path:
        return self.folder / name

    def _history(self, key: str) -> Path:
        return self.folder / HISTORY_NAME / key


def now(clock: Clock) -> datetime:
    """Return the present moment as notes keep it: UTC, to the millisecond."""
    moment = clock.now()
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _masked(note: Note, old: Note | None = None) -> Note:
    """Return the note without secrets in what is new; what people wrote into the file themselves is theirs."""
    title = note.title if old and note.title == old.title else mask(note.title)
    content = note.content if old and note.content == old.content else mask(note.content)
    return note if (title, content) == (note.title, note.content) else replace(note, title=title, content=content)


def _changed(old: Note, new: Note) -> set[str]:
    fields = {name for name in _FIELDS if getattr(old, name) != getattr(new, name)}
    keys = old.extra.keys() | new.extra.keys()
    return fields | {key for key in keys if old.extra.get(key) != new.extra.get(key)}


def _bounded(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise InvalidNote(f"content makes a file of {len(data)} bytes: must be at most {MAX_BYTES}; split the note")
    return data


def _unknown(key: str) -> UnknownNote:
    return UnknownNote(f"no note has the id {key!r}: see `maintainer notes list`")
