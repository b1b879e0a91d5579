"""What is measured of functions: their size, and the windows and shapes by which copies are found."""

from typing import NamedTuple

from pydantic.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method as lizard measures it."""

    name: str
    line: int
    end: int
    complexity: int
    """Cyclomatic: 1 and one for each decision (McCabe 1976)."""
    lines: int
    """Of code, without blank lines and comments."""
    parameters: int
    """Without `self` and `cls`."""


BlockRow = tuple[int, int, int, int, int, int]
"""The fields of a `Block` in their order: there are many, and a row is read three times as fast."""


class Block(NamedTuple):
    """The fingerprint of a window of tokens."""

    hash: int
    place: int
    """Number of its first token in the function."""
    line: int
    end: int
    function: int
    """Index into the file's functions."""
    of: int
    """Tokens of the function."""


ShapeRow = tuple[int, int, int, int, int, int, int, int, int, int, bool]
"""The fields of a `Shape` in their order, as rows of a `Block`."""


class Shape(NamedTuple):
    """A statement of a function by its shape, whatever its names and numbers are."""

    hash: int
    message: int
    """Hash of the texts in it that are sentences, or 0."""
    parts: int
    statements: int
    decisions: int
    line: int
    end: int
    block: int
    """Number of the list of statements it stands in."""
    place: int
    """Its place in that list, from 0."""
    function: int
    refuses: bool
    """Whether it checks and raises."""
