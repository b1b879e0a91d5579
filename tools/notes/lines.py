"""Lines of a file: named, summed up, found again, compared. Pure."""

import hashlib
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from ...state.errors import InvalidNote

_MAX_WINDOWS = 20_000
"""Places tried for lines that moved within their file."""
_LINES = re.compile(r"([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?")


def split(data: bytes) -> list[bytes]:
    """Return the lines of a file without their ends, the same for LF and CRLF."""
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def digest(lines: Sequence[bytes]) -> str:
    """Return the SHA-256 of lines joined by newlines, as hexadecimal digits."""
    return hashlib.sha256(b"\n".join(lines)).hexdigest()


def span(lines: str, total: int) -> tuple[int, int]:
    """Return first and last line, 1-based and included; all `total` lines for `""`.

    Raises:
        InvalidNote: It is written otherwise than ``12-40`` or ``12``.
    """
    if not lines:
        return 1, total
    match = _LINES.fullmatch(lines)
    start = int(match[1]) if match else 0
    end = int(match[2] or start) if match else 0
    if not 1 <= start <= end:
        raise InvalidNote(f"lines is {lines!r}: must be such as 12-40")
    return start, end


def find_lines(text: Sequence[bytes], sha256: str, count: int, near: int) -> int:
    """Return the first line, 1-based, of the `count` lines with this digest nearest to `near`; 0 if none has it.

    Blank lines are not looked for: they are everywhere. In long files only the 20,000 nearest places are tried.
    """
    starts = sorted(range(1, len(text) - count + 2), key=lambda start: abs(start - near))[:_MAX_WINDOWS]
    for start in starts:
        window = text[start - 1 : start - 1 + count]
        if any(line.strip() for line in window) and digest(window) == sha256:
            return start
    return 0


def changed_lines(old: Sequence[bytes], new: Sequence[bytes], start: int, end: int) -> int:
    """Return how many lines were removed from and added to lines `start` to `end` (1-based, included) of `old`."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=True)
    changed = 0
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        first, last = max(old_from + head, start - 1), min(old_to + head, end)
        inserted = tag == "insert" and start - 1 < old_from + head < end
        if tag != "equal" and (first < last or inserted):
            changed += max(0, last - first) + (new_to - new_from)
    return changed
