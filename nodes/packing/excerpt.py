"""A part of a text that is too long: around its best lines, or its two ends."""

import re
from collections.abc import Callable, Sequence

from ...tools.tokens import TokenCounter

SHORTEST_PIECE, LONGEST_PIECE = 20, 300
"""Characters: longer lines (minified code, JSON in one line) are cut into pieces, for a piece has to fit."""
_BREAK = re.compile(r"(?<=[。！？；;,，}\])>\s])")


def excerpt(text: str, tokens: int, counter: TokenCounter, worth: Callable[[str], float], note: str = "") -> str:
    """Return the lines around the best of them that count at most `tokens`; `""` where not even a part fits.

    The best line is the one with the largest `worth`; its neighbours are added in turn, better ones first. What is
    left out is marked "...", and `note` (how to read the whole) stands at the end and is counted.
    """
    tail = f"\n[{note}]" if note else ""
    pieces = _pieces(text, longest=max(SHORTEST_PIECE, min(LONGEST_PIECE, tokens)))
    worths = [worth(piece) for piece in pieces]
    sizes = [counter.count(piece) for piece in pieces]
    room = tokens - counter.count(tail) - 4  # the two marks
    while room > 0:
        start, end, body = _grown(pieces, worths, sizes, room, counter)
        more = end < len(pieces) or len(body) < len("".join(pieces[start:end]).strip("\n"))
        cut = f"{'... ' if start else ''}{body}{' ...' if more else ''}{tail}"
        over = counter.count(cut) - tokens  # parts counted one by one may count less than together
        if over <= 0:
            return cut
        room -= over
    return ""


def _grown(
    pieces: Sequence[str], worths: Sequence[float], sizes: Sequence[int], room: int, counter: TokenCounter
) -> tuple[int, int, str]:
    """Return the first and the last place (not included) of the pieces taken, and their text."""
    start = max(range(len(pieces)), key=lambda place: (worths[place], -place))
    end, used = start + 1, sizes[start]
    if used > room:
        return start, end, counter.head(pieces[start], room)
    while True:
        up = start > 0 and used + sizes[start - 1] <= room
        down = end < len(pieces) and used + sizes[end] <= room
        if up and (not down or worths[start - 1] > worths[end]):
            start -= 1
            used += sizes[start]
        elif down:
            used += sizes[end]
            end += 1
        else:
            return start, end, "".join(pieces[start:end]).strip("\n")


def ends(text: str, tokens: int, counter: TokenCounter, note: str) -> str:
    """Return the head (two thirds) and the tail of a text with `note` between them, at most `tokens` long.

    `""` where not even the note fits.
    """
    middle = f"\n[... {note} ...]\n"
    room = tokens - counter.count(middle) - 2
    if room < 2:
        return ""
    return counter.head(text, room * 2 // 3) + middle + counter.tail(text, room // 3)


def _pieces(text: str, longest: int) -> list[str]:
    """Return the lines of a text with their ends, over-long ones in pieces, cut where a clause ends if possible."""
    pieces: list[str] = []
    for line in text.splitlines(keepends=True):
        start = 0
        while len(line) - start > longest:
            cuts = [match.start() for match in _BREAK.finditer(line, start + longest // 2, start + longest)]
            end = cuts[-1] if cuts else start + longest
            pieces.append(line[start:end])
            start = end
        pieces.append(line[start:])
    return pieces or [text]
