"""`test` and `[`: questions about files and texts, answered by an exit code."""

import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ...state.errors import CommandRefused

ABOUT_FILES: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "-e": os.path.exists,
        "-f": os.path.isfile,
        "-d": os.path.isdir,
        "-s": lambda path: os.path.exists(path) and os.path.getsize(path) > 0,
        "-r": lambda path: os.access(path, os.R_OK),
        "-x": lambda path: os.access(path, os.X_OK),
        "-L": os.path.islink,
        "-h": os.path.islink,
    }
)
ABOUT_TEXTS: Mapping[str, Callable[[str], bool]] = MappingProxyType({"-z": lambda text: not text, "-n": bool})
COMPARES: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "=": lambda one, other: one == other,
        "==": lambda one, other: one == other,
        "!=": lambda one, other: one != other,
        "-eq": lambda one, other: int(one) == int(other),
        "-ne": lambda one, other: int(one) != int(other),
        "-lt": lambda one, other: int(one) < int(other),
        "-le": lambda one, other: int(one) <= int(other),
        "-gt": lambda one, other: int(one) > int(other),
        "-ge": lambda one, other: int(one) >= int(other),
    }
)


def holds(words: Sequence[str], cwd: str, path: Callable[[str], str]) -> bool:
    """Return whether a condition holds.

    Args:
        words: The condition, without `test` or the brackets.
        cwd: Where relative paths start.
        path: Returns a path when it may be looked at and refuses it otherwise.

    Raises:
        CommandRefused: It is not a condition of one, two or three words, perhaps after `!`, or a path is outside.
    """
    match words:
        case []:
            return False
        case [text]:
            return bool(text)
        case [one, sign, other] if sign in COMPARES:
            return _compared(one, sign, other)
        case ["!", *rest]:
            return not holds(rest, cwd, path)
        case [sign, name] if sign in ABOUT_FILES:
            return ABOUT_FILES[sign](os.path.join(cwd, path(name)))
        case [sign, text] if sign in ABOUT_TEXTS:
            return ABOUT_TEXTS[sign](text)
    raise CommandRefused(f"test: {' '.join(words)[:60]!r} is not supported; ask one thing, such as test -f FILE")


def _compared(one: str, sign: str, other: str) -> bool:
    try:
        return COMPARES[sign](one, other)
    except ValueError:
        raise CommandRefused(f"test: {one[:20]!r} {sign} {other[:20]!r} needs whole numbers; use =") from None
