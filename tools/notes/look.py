"""A look at every file of the notes' folder: which are not as the index says, and when to look again."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from time import perf_counter

from .rows import Entry, is_note_file, stamp_of

_ALWAYS_S = 0.0005
"""A look at every file that takes no longer than this, in seconds, is taken before every answer."""
_FEW = 100
"""A look at no more files than that is, too: however long it took, on a busy machine it says nothing of the next."""
_PAUSE = 20
"""A longer look is followed by a pause of so many times its length: hand edits cost 5% of the time at most."""


class FolderLook:
    """Compares files with the entries that speak of them.

    Args:
        folder: Where the notes are; exists when it is looked at.
    """

    def __init__(self, folder: Path) -> None:
        self.spare: dict[str, int] = {}
        """Files that give no row, by name, with their stamp: second files of an id, unreadable ones."""
        self._folder = folder
        self._folder_time = -1
        self._took_s, self._looked_at = 0.0, 0.0
        self._many = 0

    def due(self) -> bool:
        """Return whether it is time to look: files came or went, or the last look is long enough ago."""
        if self._many <= _FEW or self._took_s <= _ALWAYS_S or self._folder.stat().st_mtime_ns != self._folder_time:
            return True
        return perf_counter() - self._looked_at > _PAUSE * self._took_s

    @contextmanager
    def own_change(self) -> Iterator[None]:
        """Let files come and go in the block without making a look due, if nobody else changed the folder before."""
        alone = self._folder.stat().st_mtime_ns == self._folder_time
        yield
        if alone:
            self._folder_time = self._folder.stat().st_mtime_ns

    def differences(self, known: Mapping[bytes, Entry]) -> tuple[list[str], list[Entry]]:
        """Return the names of files that are not as their entry says, and the entries whose files are gone.

        Args:
            known: Entries by the names of their files.
        """
        started = perf_counter()
        self._folder_time = self._folder.stat().st_mtime_ns
        changed: list[str] = []
        gone: list[Entry] = []
        folder = os.fsencode(os.path.join(self._folder, ""))
        for entry in known.values():  # in their own order: twice as quick as in that of the folder
            try:
                status = os.lstat(folder + entry.name)
            except OSError:
                gone.append(entry)
                continue
            if stamp_of(status) != int(entry.stamp):
                if S_ISREG(status.st_mode):
                    changed.append(entry.name.decode())
                else:
                    gone.append(entry)
        unknown = set(os.listdir(folder)).difference(known)
        changed += filter(self._is_new, map(os.fsdecode, unknown))
        self._many = len(known) + len(unknown)
        self._looked_at = perf_counter()
        self._took_s = self._looked_at - started
        return changed, gone

    def _is_new(self, name: str) -> bool:
        """Return whether a file without an entry is a note's, and nobody has read it as it is."""
        if is_note_file(name):
            with suppress(OSError):
                status = (self._folder / name).lstat()
                return S_ISREG(status.st_mode) and stamp_of(status) != self.spare.get(name)
        return False
