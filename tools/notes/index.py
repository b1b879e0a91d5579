"""The notes of a folder as rows in memory, kept true to the files: whoever wrote them, whenever."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from ...state.errors import StoreError
from ...state.notes import Note, NoteRow
from ..collector import collector_resting
from ..files import explained
from .index_file import INDEX_NAME, IndexFile
from .look import FolderLook
from .markdown import Parsed, parse
from .rows import DamagedIndex, Entry, entry_of, stamp_of

MAX_BYTES = 10 * 2**20
"""Largest file that is read as a note."""
_SPARE_LINES = 1000
"""The index is written afresh when it has more outdated rows than notes and this many."""


class NoteIndex:
    """Rows by id and newest first; `notices` says in words what was found wrong and put right.

    Args:
        folder: Where the notes are; may be missing.
        lock: Gives a context in which no other process writes into the folder.
    """

    def __init__(self, folder: Path, lock: Callable[[], AbstractContextManager[None]]) -> None:
        self.notices: list[str] = []
        self.touched: set[str] = set()
        """Ids whose row changed or went; emptied by whoever follows the index."""
        self._folder, self._lock = folder, lock
        self._file = IndexFile(folder / INDEX_NAME)
        self._entries: dict[bytes, Entry] = {}
        self._files: dict[bytes, Entry] = {}
        """The same entries, by the names of their files."""
        self._rows: dict[bytes, NoteRow | None] = {}
        """Of entries that somebody asked for; None where the note's file says no row of this id."""
        self._look = FolderLook(folder)
        self._newest: list[tuple[bytes, bytes]] = []
        self._memory_only = False

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: str) -> NoteRow | None:
        """Return the row of an id, or None."""
        return self._row(key.encode())

    def stamp(self, key: str) -> int:
        """Return the stamp of a note's file as the row knows it; 0 without a row."""
        entry = self._entries.get(key.encode())
        return int(entry.stamp) if entry else 0

    def newest(self) -> Iterator[NoteRow]:
        """Yield all rows, the last updated first."""
        return (row for _, key in reversed(self._newest) if (row := self._row(key)))

    def ids(self) -> list[str]:
        """Return all ids, the last updated first."""
        return [key.decode() for _, key in reversed(self._newest)]

    def spare_files(self) -> list[str]:
        """Return the names of files that are no note of their own: copies with another note's id, unreadable ones."""
        return sorted(self._look.spare)

    def refresh(self) -> None:
        """Make the rows true: take what others added to the index and, when it is time, look at every file.

        Raises:
            StoreError: The folder cannot be read.
        """
        with explained("read", self._folder):
            if not self._folder.is_dir():
                return
            if self._take_news() or (self._look.due() and any(self._look.differences(self._files))):
                self.repair()

    def repair(self) -> None:
        """Look at every file and put right what the index says wrong, on disk too where that can be written.

        Raises:
            StoreError: The folder cannot be read.
        """
        with explained("read", self._folder):
            if not self._folder.is_dir():
                return
        try:
            with self._lock():
                self._repair(write=True)
        except StoreError as error:
            self._say(f"the index of the notes is kept in memory only: {error}")
            self._memory_only = True
            self._repair(write=False)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock for the block, with the rows as the other processes left them."""
        with self._lock():
            self._memory_only = False
            if self._take_news():
                self._repair(write=True)
            with self._look.own_change():
                yield

    def put(self, note: Note, name: str) -> NoteRow:
        """Take in a note just written to the file `name`; only inside `writing`."""
        entry = entry_of(note, name, stamp_of((self._folder / name).lstat()))
        self._apply(entry)
        self._save(lambda: self._file.append([entry]))
        if self._file.lines > 2 * len(self._entries) + _SPARE_LINES:
            self._save(lambda: self._file.rewrite(self._entries.values()))
        return entry.row()

    def drop(self, keys: Iterable[str]) -> None:
        """Forget notes whose files are gone; only inside `writing`."""
        keys = list(keys)
        for key in keys:
            self._forget(key.encode())
        self._save(lambda: self._file.drop(keys))

    def parse(self, name: str) -> Parsed | None:
        """Return the note in a file as it is now; None where the file is gone, no real file, or too large."""
        path = self._folder / name
        try:
            status = path.lstat()
            if not S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        return parse(data, stem=name.removesuffix(".md"), modified=datetime.fromtimestamp(status.st_mtime, UTC))

    def _repair(self, *, write: bool) -> None:
        damage = self._take_news()
        if damage:
            self._take(True, [])
        changed, gone = self._look.differences(self._files)
        if gone:
            self._look.spare.clear()  # a second file of the id may take its place
            changed, _ = self._look.differences(self._files)
        for lost in gone:
            self._forget(lost.key)
        fresh = [entry for name in sorted(changed) if (entry := self._read(name))]
        for entry in fresh:
            self._apply(entry)
        if damage and self._entries:
            self._say(f"{INDEX_NAME} could not be used ({damage}): rebuilt from {len(self._entries)} notes")
        elif fresh or gone:
            away = {lost.key for lost in gone} - self._entries.keys()
            self._say(f"the notes were changed by hand: {len(fresh)} new or edited, {len(away)} gone")
        if write and (damage or gone or len(fresh) > _SPARE_LINES):
            self._save(lambda: self._file.rewrite(self._entries.values()))
        elif write and fresh:
            self._save(lambda: self._file.append(fresh))

    def _take_news(self) -> str:
        """Take in what others wrote into the index; return what is wrong with it, or `""`."""
        if self._memory_only:
            return ""
        try:
            with collector_resting():
                self._take(*self._file.news())
        except DamagedIndex as error:
            return str(error)
        return ""

    def _read(self, name: str) -> Entry | None:
        """Return the entry of a file, or None where it gives no row of its own."""
        with suppress(OSError):
            now = stamp_of((self._folder / name).lstat())
            parsed = self.parse(name)
            if parsed is None:
                self._look.spare[name] = now
                self._say(f"{name} is not read as a note: unreadable, or larger than {MAX_BYTES >> 20} MiB")
                return None
            other = self.get(parsed.note.id)
            if other and other.file_path != name:
                if name != f"{parsed.note.id}.md":
                    self._look.spare[name] = now
                    return None
                self._look.spare[other.file_path] = self.stamp(
                    other.id
                )  # the file that carries the id as its name wins
            return entry_of(parsed.note, name, now)
        return None

    def _row(self, key: bytes) -> NoteRow | None:
        """Return the row of an id; where the index tells nonsense, the note's file is asked."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if key not in self._rows:
            try:
                self._rows[key] = entry.row()
            except DamagedIndex:
                self._rows[key] = None  # so that reading the file does not ask for the row again
                fresh = self._read(entry.name.decode())
                self._rows[key] = fresh.row() if fresh and fresh.key == key else None
        return self._rows[key]

    def _take(self, everything: bool, entries: list[Entry]) -> None:
        if everything:
            before = self._entries.keys()
            latest = {entry.key: entry for entry in entries}
            self._files = {entry.name: entry for entry in latest.values()}
            self._entries = {entry.key: entry for entry in self._files.values()}
            self._newest = sorted([(entry.updated, key) for key, entry in self._entries.items()])
            self._rows.clear()
            self.touched.update(map(bytes.decode, before | latest.keys()))
        else:
            for entry in entries:
                self._apply(entry)

    def _apply(self, entry: Entry) -> None:
        self._forget(entry.key)
        if (other := self._files.get(entry.name)) is not None:
            self._forget(other.key)
        self._entries[entry.key] = entry
        self._files[entry.name] = entry
        insort(self._newest, (entry.updated, entry.key))
        self.touched.add(entry.key.decode())

    def _forget(self, key: bytes) -> None:
        if entry := self._entries.pop(key, None):
            del self._files[entry.name]
            del self._newest[bisect_left(self._newest, (entry.updated, key))]
            self._rows.pop(key, None)
            self.touched.add(key.decode())

    def _save(self, write: Callable[[], None]) -> None:
        """Write the index; it is a cache, so a failure costs a notice, and the file goes, rather than the note."""
        try:
            write()
        except (OSError, StoreError, DamagedIndex) as error:
            self._say(f"{INDEX_NAME} could not be written and will be rebuilt: {error}")
            self._file.forget()

    def _say(self, notice: str) -> None:
        if notice not in self.notices:
            self.notices.append(notice)
