"""A file cut into the pieces that are found: functions, small classes, heads of large ones, the rest of the module."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .parse import Definition

SMALL_CLASS = 25
"""Classes up to this many lines stay whole; of larger ones the head and each member are pieces of their own."""
MAX_LINES, CUT_AT = 120, 80
"""A piece of more lines is cut into pieces of `CUT_AT`."""
TEXT_LINES = 40
"""Aim for the length of a piece of prose or data."""
_REST = 15
"""A last piece shorter than this stays with the one before."""
_HEADING = re.compile(r"^(#{1,6}\s+\S|[=\-~^\"']{4,}\s*$)")

Kind = Literal["function", "class", "head", "module", "text"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines of one file, counted from 1, both ends included."""

    start: int
    end: int
    kind: Kind
    name: str = ""
    """Qualified name of the definition it is or belongs to."""


def cut_code(lines: Sequence[str], definitions: Sequence[Definition]) -> list[Chunk]:
    """Return the pieces of a source file in order; together they cover every line that is not blank, once."""
    pieces: list[Chunk] = []
    next_line = 1
    for piece in sorted(_marked(definitions), key=lambda piece: (piece.start, -piece.end)):
        start = max(piece.start, next_line)
        if start > piece.end:
            continue
        if start > next_line:
            pieces.append(Chunk(next_line, start - 1, "module"))
        pieces.append(Chunk(start, piece.end, piece.kind, piece.name))
        next_line = piece.end + 1
    pieces.append(Chunk(next_line, len(lines), "module"))
    return [part for piece in pieces for part in _in_size(_trimmed(piece, lines))]


def cut_text(lines: Sequence[str]) -> list[Chunk]:
    """Return the pieces of a text that has no known structure: at headings, else at blank lines, `TEXT_LINES` long."""
    pieces, start = [], 1
    for number, line in enumerate(lines, 1):
        long = number - start >= TEXT_LINES
        heading = number - start >= 2 and _HEADING.match(line) and not lines[number - 2].strip()
        if heading or (long and not line.strip()) or number - start >= CUT_AT:
            pieces.append(Chunk(start, number - 1, "text"))
            start = number
    pieces.append(Chunk(start, len(lines), "text"))
    return [piece for piece in (_trimmed(piece, lines) for piece in pieces) if piece.start <= piece.end]


def _marked(definitions: Sequence[Definition]) -> Iterator[Chunk]:
    whole_until = 0
    for definition in definitions:
        if definition.end <= whole_until:
            continue
        if definition.kind == "function":
            yield Chunk(definition.start, definition.end, "function", definition.name)
            whole_until = definition.end
        elif definition.end - definition.start < SMALL_CLASS:
            yield Chunk(definition.start, definition.end, "class", definition.name)
            whole_until = definition.end
        else:
            yield Chunk(definition.start, definition.head_end, "head", definition.name)


def _trimmed(piece: Chunk, lines: Sequence[str]) -> Chunk:
    start, end = piece.start, min(piece.end, len(lines))
    while start <= end and not lines[start - 1].strip():
        start += 1
    while end >= start and not lines[end - 1].strip():
        end -= 1
    return Chunk(start, end, piece.kind, piece.name)


def _in_size(piece: Chunk) -> Iterator[Chunk]:
    start = piece.start
    long = piece.end - piece.start + 1 > MAX_LINES
    while start <= piece.end:
        end = min(piece.end, start + CUT_AT - 1) if long else piece.end
        if piece.end - end < _REST:
            end = piece.end
        yield Chunk(start, end, piece.kind, piece.name)
        start = end + 1
