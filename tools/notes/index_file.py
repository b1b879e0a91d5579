"""`notes_index.json`: what is known of every note by id, one row a line, always valid JSON.

A new row overwrites the closing brace, so adding one costs the same at ten notes and at fifty thousand. A row that
is written again stands there twice until the file is written afresh; the later one counts, as JSON readers do it.
The file is a cache: whatever is wrong with it, the notes' own files say what should be in it.
"""

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from ..files import explained, write_atomic
from .rows import DamagedIndex, Entry, read_lines

INDEX_NAME = "notes_index.json"
_BEGIN, _NEXT, _END = b"{\n", b",\n", b"\n}\n"
_EMPTY = b"{\n}\n"
_PART = 2**20
"""Bytes that are read at once."""
_ANCHOR = 200
"""Bytes of the last row that are compared before rows added after it are believed."""


class IndexFile:
    """The file, and how far it has been read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = 0
        """Rows in the file, with the outdated ones."""
        self._seen = (-1, -1)
        self._anchor = b""

    def news(self) -> tuple[bool, list[Entry]]:
        """Return (whether it is everything, rows): the rows written since the last call, or all of them.

        Raises:
            DamagedIndex: The file is missing or no index.
        """
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                if (status.st_size, status.st_mtime_ns) == self._seen:
                    return False, []
                everything = not self._stands_at_anchor(file, status.st_size)
                if everything:
                    file.seek(0)
                entries, tail = _read_rows(file, _BEGIN if everything else _NEXT)
        except OSError as error:
            raise DamagedIndex((error.strerror or str(error)).lower()) from error
        self.lines = len(entries) + (0 if everything else self.lines)
        self._keep_place(tail, status)
        return everything, entries

    def append(self, entries: Sequence[Entry]) -> None:
        """Add rows at the end; `news` must have been called before, under the same lock.

        Raises:
            StoreError: The file cannot be written; what it holds is then unknown.
        """
        data = (_NEXT if self.lines else b"") + _NEXT.join(entry.line for entry in entries) + _END
        with explained("write", self.path), self.path.open("r+b") as file:
            file.seek(self._seen[0] - len(_END) + (0 if self.lines else 1))
            file.write(data)
            file.flush()
            status = os.fstat(file.fileno())
        self.lines += len(entries)
        self._keep_place(data, status)

    def rewrite(self, entries: Iterable[Entry]) -> None:
        """Write the whole file afresh: all of it or, on an error, nothing.

        Raises:
            StoreError: The file cannot be written.
        """
        self._write([entry.line for entry in entries])

    def drop(self, keys: Collection[str]) -> None:
        """Take rows out, by id.

        Raises:
            StoreError: The file cannot be written.
        """
        starts = tuple(f'"{key}": '.encode() for key in keys)
        with explained("read", self.path):
            data = self.path.read_bytes()
        if data != _EMPTY:
            lines = data.removeprefix(_BEGIN).removesuffix(_END).split(_NEXT)
            self._write([row for row in lines if not row.startswith(starts)])

    def forget(self) -> None:
        """Remove the file: it will be read from the start, or rebuilt."""
        self._seen, self._anchor = (-1, -1), b""
        with suppress(OSError):
            self.path.unlink()

    def _write(self, rows: Sequence[bytes]) -> None:
        data = _BEGIN + _NEXT.join(rows) + _END if rows else _EMPTY
        write_atomic(self.path, data)
        self.lines = len(rows)
        self._keep_place(data, self.path.stat())

    def _stands_at_anchor(self, file: BinaryIO, size: int) -> bool:
        """Go to the end of what has been read, if the file still holds the same row there."""
        end = self._seen[0] - len(_END)
        if not self._anchor or size <= self._seen[0]:
            return False
        file.seek(end - len(self._anchor))
        return file.read(len(self._anchor)) == self._anchor

    def _keep_place(self, tail: bytes, status: os.stat_result) -> None:
        self._seen = (status.st_size, status.st_mtime_ns)
        self._anchor = tail[-_ANCHOR - len(_END) : -len(_END)]


def _read_rows(file: BinaryIO, begin: bytes) -> tuple[list[Entry], bytes]:
    """Return the rows from here, where it must say `begin`, to the end of the file, and its last bytes.

    A part at a time: at 50,000 notes the memory for the whole text costs as much time as reading it.

    Raises:
        DamagedIndex: It is no index, or does not end as one.
    """
    if file.read(len(begin)) != begin:
        raise DamagedIndex("it does not begin with a brace")
    entries: list[Entry] = []
    tail = b""
    while part := file.read(_PART):
        part = tail + part
        cut = part.rfind(b"\n", 0, -len(_END))
        entries += read_lines(part, 0, max(cut, 0))
        tail = part[cut + 1 :]
    if begin + tail == _EMPTY:
        return [], _EMPTY
    if not tail.endswith(_END):
        raise DamagedIndex("it does not end with a brace")
    return entries + read_lines(tail, 0, len(tail) - len(_END)), tail
