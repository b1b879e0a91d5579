"""The log: records appended and forced to disk, never changed, each with a checksum.

One line per record: eight hexadecimal digits (CRC-32 of the rest), a space, JSON. A killed process or a power cut can
only leave a torn last line; it was never acknowledged, so it is cut off, and that is said.
"""

import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...state.errors import StoreError
from ..files import explained, make_folder, sync_folder

Record = Mapping[str, Any]
SEGMENT_BYTES = 16 * 2**20
"""A segment that has reached this size is closed and a new one begun."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where a record stands: segment number, first byte, number of bytes."""

    segment: int
    offset: int
    size: int

    @property
    def end(self) -> tuple[int, int]:
        """Return segment and offset just behind the record."""
        return self.segment, self.offset + self.size


class Log:
    """The segments of one folder. Callers hold the archive's lock while they append or cut."""

    def __init__(self, folder: Path, *, segment_bytes: int = SEGMENT_BYTES) -> None:
        self._folder = make_folder(folder)
        self._segment_bytes = segment_bytes

    def append(self, records: Sequence[Record]) -> list[Position]:
        """Write records behind the last one; when this returns they are on disk.

        Raises:
            StoreError: The disk is full or read-only. What was half written is taken back.
        """
        segment, offset = self.end()
        if offset >= self._segment_bytes:
            segment, offset = segment + 1, 0
        lines = [_line(record) for record in records]
        path = self._path(segment)
        with explained("write", path):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            try:
                os.lseek(descriptor, offset, os.SEEK_SET)
                view = memoryview(b"".join(lines))
                while view:
                    view = view[os.write(descriptor, view) :]
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, offset)
                raise
            finally:
                os.close(descriptor)
            if not offset:
                sync_folder(self._folder)
        positions = []
        for line in lines:
            positions.append(Position(segment, offset, len(line)))
            offset += len(line)
        return positions

    def read(self, position: Position) -> Record:
        """Return the record at a position.

        Raises:
            StoreError: It cannot be read or its checksum is wrong.
        """
        path = self._path(position.segment)
        with explained("read", path), path.open("rb") as file:
            file.seek(position.offset)
            record = _record(file.read(position.size))
        if record is None:
            raise StoreError(
                f"{path} is damaged at byte {position.offset}: the checksum is wrong; restore it from a backup"
            )
        return record

    def scan(self, start: tuple[int, int] = (0, 0)) -> Iterator[tuple[Position, Record | None]]:
        """Yield every record behind `start` with its position; None stands for a damaged or torn line."""
        for segment in self._segments():
            if segment < start[0]:
                continue
            path = self._path(segment)
            with explained("read", path), path.open("rb") as file:
                offset = start[1] if segment == start[0] else 0
                file.seek(offset)
                for line in file:
                    yield Position(segment, offset, len(line)), _record(line)
                    offset += len(line)

    def cut(self, at: tuple[int, int]) -> None:
        """Take away everything from segment and offset on: bytes that were never acknowledged."""
        path = self._path(at[0])
        with explained("cut", path), path.open("r+b") as file:
            file.truncate(at[1])
            os.fsync(file.fileno())

    def blank(self, position: Position) -> None:
        """Overwrite a record with one of the same size that says nothing; no other record moves."""
        body = b'{"t":"gone"}'.ljust(position.size - len(b"%08x \n" % 0))
        path = self._path(position.segment)
        with explained("write", path), path.open("r+b") as file:
            file.seek(position.offset)
            file.write(b"%08x %s\n" % (zlib.crc32(body), body))
            file.flush()
            os.fsync(file.fileno())

    def end(self) -> tuple[int, int]:
        """Return the last segment and its size in bytes; ``(0, 0)`` for an empty log."""
        segments = self._segments()
        return (segments[-1], self._path(segments[-1]).stat().st_size) if segments else (0, 0)

    def bytes(self) -> int:
        """Return the size of all segments, in bytes."""
        return sum(self._path(segment).stat().st_size for segment in self._segments())

    def path(self, segment: int) -> Path:
        """Return the file of a segment, for messages."""
        return self._path(segment)

    def _path(self, segment: int) -> Path:
        return self._folder / f"{segment:06d}.log"

    def _segments(self) -> list[int]:
        with explained("read", self._folder):
            return sorted(int(path.stem) for path in self._folder.glob("[0-9]*.log") if path.stem.isdigit())


def _line(record: Record) -> bytes:
    # surrogates (odd file names) are kept as escapes: ensure_ascii would cost Chinese three times the bytes
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _record(line: bytes) -> Record | None:
    if not line.endswith(b"\n") or line[8:9] != b" ":
        return None
    try:
        checksum = int(line[:8], 16)
    except ValueError:
        return None
    body = line[9:-1]
    if zlib.crc32(body) != checksum:
        return None
    record: Record = json.loads(body.decode("utf-8", "surrogatepass"))
    return record
