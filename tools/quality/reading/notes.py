"""What people left open in the code and said so: notes with a keyword, open ends, and plain words."""

import re
from collections.abc import Iterator, Set

from ..facts.file import Todo
from .open_ends import open_ends
from .plain_notes import notes_in_documentation, plain_notes

_TODO = re.compile(
    r"(?:#|//|/\*|<!--|\{#|--|;|%|^\s*\*|^\s*\"\"\"|^\s+(?=[A-Z]+[:(]))\s*(?:@?(TODO|FIXME|XXX|HACK|BUG)\b[:(\s]?|@?((?i:todo|fixme|hack))[:(])\s*(.*)"
)
"""In capitals, or in any case before a colon or the name of somebody."""
_KEYWORD = re.compile(r"\b(?:TODO|FIXME|XXX|HACK|BUG|(?i:todo|fixme))\b")
_COMMENT_END = re.compile(r"\s*(?:\*/|-->|#\})\s*$")
_MOST_TODO = 160


def notes(lines: list[str], *, plain: bool) -> Iterator[Todo]:
    """Yield the notes of a file.

    Args:
        plain: Whether those without a keyword are wanted, too.
    """
    for number, line in enumerate(lines, 1):
        if match := _TODO.search(line):
            text = _COMMENT_END.sub("", match[3]).strip()
            yield Todo(number, (match[1] or match[2]).upper(), text[:_MOST_TODO])
    for number, text in open_ends(lines):
        yield Todo(number, "NOTE", text[:_MOST_TODO])
    for number, text, only_when_over in plain_notes(lines) if plain else ():
        if not _KEYWORD.search(text):
            yield Todo(number, "UNTIL" if only_when_over else "NOTE", text[:_MOST_TODO])


def documented_notes(lines: list[str], shown: Set[int], told: Set[int]) -> Iterator[Todo]:
    """Yield the notes of documentation strings, which stand in the lines `shown`, other than in the lines `told`."""
    for number, text in notes_in_documentation(lines, shown):
        if number not in told:
            yield Todo(number, "NOTE", text[:_MOST_TODO])
