"""What the code index keeps of files, pieces and definitions."""

from dataclasses import dataclass

from .choice import Role
from .chunks import Kind


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file in the index."""

    id: int
    path: str
    size: int
    mtime_ns: int
    sha256: str
    language: str
    role: Role
    lines: int
    problem: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A file that was read and found unfit: binary, minified, generated, unreadable."""

    path: str
    size: int
    mtime_ns: int
    reason: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece in the index; lines are counted from 1, both ends included."""

    number: int
    file: int
    start: int
    end: int
    kind: Kind
    name: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in the index."""

    path: str
    name: str
    """With the names around it, parted by dots."""
    kind: str
    line: int
    end: int
    signature: str
