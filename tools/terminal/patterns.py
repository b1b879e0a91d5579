"""`*`, `?` and `[...]`: one segment of a path pattern against one name, in linear time."""

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ...state.errors import CommandRefused
from .words import Word

ANY, MANY = object(), object()
Pattern = tuple[object, ...]
"""`ANY`, `MANY`, a character, or a frozen set of characters and ranges with a sign."""

CLASSES: Mapping[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": lambda character: character in "0123456789",
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "blank": lambda character: character in " 	",
    "punct": lambda character: character in string.punctuation,
    "xdigit": lambda character: character in string.hexdigits,
}


@dataclass(frozen=True, slots=True)
class Bracket:
    """`[a-z0-9]`, `[!x]`, `[[:alpha:]]`."""

    negated: bool
    ranges: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]

    def holds(self, character: str) -> bool:
        """Return whether it stands for the character."""
        inside = any(low <= character <= high for low, high in self.ranges) or any(
            CLASSES[name](character) for name in self.classes
        )
        return inside != self.negated


@lru_cache(maxsize=256)
def compiled(segment: Word) -> Pattern:
    """Return the elements of one segment of a pattern.

    Raises:
        CommandRefused: A bracket names a class that does not exist.
    """
    elements: list[object] = []
    place = 0
    while place < len(segment.text):
        character, quoted = segment.text[place], segment.quoted[place]
        place += 1
        if quoted or character not in "*?[":
            elements.append(character)
        elif character == "*":
            if not elements or elements[-1] is not MANY:
                elements.append(MANY)
        elif character == "?":
            elements.append(ANY)
        else:
            bracket, place = _bracket(segment, place)
            elements.append(bracket)
    return tuple(elements)


def _bracket(segment: Word, place: int) -> tuple[object, int]:
    """Read `[...]` after its opening; a bracket that is not closed is the character itself."""
    text, quoted = segment.text, segment.quoted
    opened = place
    negated = place < len(text) and text[place] in "!^" and not quoted[place]
    place += negated
    first = place
    ranges: list[tuple[str, str]] = []
    classes: list[str] = []
    while place < len(text):
        character = text[place]
        if character == "]" and place > first and not quoted[place]:
            return Bracket(negated, tuple(ranges), tuple(classes)), place + 1
        if character == "[" and text[place + 1 : place + 2] in (":", ".", "=") and not quoted[place]:
            end = text.find(":]", place + 2)
            name = text[place + 2 : end]
            if text[place + 1] != ":" or end < 0 or name not in CLASSES:
                raise CommandRefused(f"the bracket {text[opened - 1 :]!r} is not supported; write the characters")
            classes.append(name)
            place = end + 2
            continue
        high = place
        if (
            text[place + 1 : place + 2] == "-"
            and text[place + 2 : place + 3] not in ("", "]")
            and not quoted[place + 1]
        ):
            high = place + 2
        ranges.append((character, text[high]))
        place = high + 1
    return "[", opened


def matches(pattern: Pattern, name: str) -> bool:
    """Return whether a name matches, in time linear in pattern times name: one place to go back to is enough."""
    at = seen = 0
    star, resume = -1, 0
    while at < len(name):
        if seen < len(pattern) and pattern[seen] is MANY:
            star, resume = seen, at
            seen += 1
        elif seen < len(pattern) and _fits(pattern[seen], name[at]):
            seen += 1
            at += 1
        elif star >= 0:
            resume += 1
            seen, at = star + 1, resume
        else:
            return False
    return all(element is MANY for element in pattern[seen:])


def _fits(element: object, character: str) -> bool:
    if isinstance(element, Bracket):
        return element.holds(character)
    return element is ANY or element == character
