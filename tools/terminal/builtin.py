"""The commands that need no process: echo, pwd, which, whereis, df, test, true, false, show. `cd` is the session's."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ...state.errors import CommandRefused
from .condition import holds
from .policy import ALLOWED
from .policy.check import FOLDERS, installed


@dataclass(frozen=True, slots=True)
class Said:
    """What a built-in command answers."""

    out: str = ""
    err: str = ""
    code: int = 0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What built-in commands may know."""

    cwd: str
    path: Callable[[str], str]
    """Returns a path when it may be read and refuses it otherwise."""
    original: Callable[[str], str | None]
    """Returns the full text behind a handle, or None."""


ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}

HEXADECIMAL, OCTAL = "0123456789abcdefABCDEF", "01234567"
NUMBERED = {"0": (OCTAL, 3), "x": (HEXADECIMAL, 2), "u": (HEXADECIMAL, 4), "U": (HEXADECIMAL, 8)}
"""Escapes that name a character by number: its digits, and how many at most."""


def echo(words: Sequence[str], _: Surroundings) -> Said:
    """Print the words, as bash's echo with -n, -e and -E."""
    rest = list(words)
    flags = ""
    while rest and len(rest[0]) > 1 and rest[0][0] == "-" and set(rest[0][1:]) <= set("neE"):
        flags += rest.pop(0)[1:]
    text = " ".join(rest)
    escaped = max(flags.rfind("e"), -1) > flags.rfind("E")
    text, ended = _unescape(text) if escaped else (text, False)
    return Said(text + ("" if "n" in flags or ended else "\n"))


def _unescape(text: str) -> tuple[str, bool]:
    parts, rest = [], text
    while "\\" in rest:
        before, _, rest = rest.partition("\\")
        parts.append(before)
        letter = rest[:1]
        if letter == "c":
            return "".join(parts), True
        if letter in ESCAPES and letter:
            parts.append(ESCAPES[letter])
            rest = rest[1:]
        elif letter in NUMBERED:
            digits, longest = NUMBERED[letter]
            number = rest[1 : 1 + longest]
            number = number[: len(number) - len(number.lstrip(digits))]
            code = int(number, 8 if digits == OCTAL else 16) if number else 0
            if letter in "0x" and 0x80 <= code <= 0xFF:
                code += 0xDC00  # a byte, not a character
            parts.append(chr(code) if number and code < 0x110000 else "\0" if letter == "0" else "\\" + letter)
            rest = rest[1 + len(number) :]
        else:
            parts.append("\\")
    return "".join(parts) + rest, False


def pwd(words: Sequence[str], around: Surroundings) -> Said:
    """Print the current directory."""
    if any(word not in ("-L", "-P") for word in words):
        raise CommandRefused(f"pwd: {words[0]!r} is not allowed; leave it out")
    return Said(around.cwd + "\n")


def which(words: Sequence[str], _: Surroundings) -> Said:
    """Print where the programs are that may be used; 1 when one of them is not there."""
    found = [_program(word) for word in words if word not in ("-a", "-s", "--")]
    return Said("".join(f"{path}\n" for path in found if path), code=0 if found and all(found) else 1)


def whereis(words: Sequence[str], _: Surroundings) -> Said:
    """Print each name with its place, as far as it is a program that may be used."""
    names = [word for word in words if not word.startswith("-")]
    return Said("".join(f"{name}: {_program(name) or ''}".rstrip() + "\n" for name in names))


def _program(name: str) -> str | None:
    if name not in ALLOWED and name not in BUILTINS:
        return None
    return next(
        (f"{folder}/{name}" for folder in FOLDERS if installed(name) and os.path.exists(f"{folder}/{name}")), None
    )


UNITS = "KMGTPE"


def df(words: Sequence[str], around: Surroundings) -> Said:
    """Print the size of the file system the workspace is on; `-h` in units people read."""
    flags = {word for word in words if word.startswith("-")}
    unknown = flags - {"-h", "-k", "-P", "-H", "--human-readable"}
    if unknown:
        raise CommandRefused(f"df: option {min(unknown)!r} is not allowed; use df -h")
    place = os.path.join(around.cwd, around.path(next((word for word in words if not word.startswith("-")), ".")))
    try:
        data = os.statvfs(place)
    except OSError as error:
        return Said(err=f"df: {error.strerror}\n", code=1)
    size, free, left = (count * data.f_frsize for count in (data.f_blocks, data.f_bfree, data.f_bavail))
    show = _human if flags & {"-h", "-H", "--human-readable"} else (lambda count: str(count // 1024))
    percent = -(-(size - free) * 100 // (size - free + left)) if size - free + left else 0
    head = (
        f"{'Filesystem':<12}{'Size' if '-h' in flags else '1K-blocks':>12}{'Used':>12}{'Avail':>12} Use% Mounted on\n"
    )
    return Said(f"{head}{'workspace':<12}{show(size):>12}{show(size - free):>12}{show(left):>12} {percent:>3}% .\n")


def _human(count: int) -> str:
    size, unit = float(count), 0
    while size >= 1024 and unit < len(UNITS):
        size, unit = size / 1024, unit + 1
    return f"{size:.1f}{UNITS[unit - 1]}" if unit else str(count)


def show(words: Sequence[str], around: Surroundings) -> Said:
    """Print the full text behind a handle."""
    if len(words) != 1:
        raise CommandRefused("show: give exactly one handle, as it stands in a shortened result")
    text = around.original(words[0])
    if text is None:
        return Said(err=f"show: nothing is kept under {words[0]!r}\n", code=1)
    return Said(text if text.endswith("\n") or not text else text + "\n")


def true(_: Sequence[str], __: Surroundings) -> Said:
    """Succeed."""
    return Said()


def test(words: Sequence[str], around: Surroundings) -> Said:
    """Answer a question about a file or a text by the exit code."""
    return Said(code=0 if holds(words, around.cwd, around.path) else 1)


def bracket(words: Sequence[str], around: Surroundings) -> Said:
    """Answer as `test` does; the last word must be `]`."""
    if not words or words[-1] != "]":
        raise CommandRefused("'[' is not closed; end it with ' ]'")
    return test(words[:-1], around)


def false(_: Sequence[str], __: Surroundings) -> Said:
    """Fail."""
    return Said(code=1)


BUILTINS: "Mapping[str, Callable[[Sequence[str], Surroundings], Said]]" = MappingProxyType(
    {
        "echo": echo,
        "pwd": pwd,
        "which": which,
        "whereis": whereis,
        "df": df,
        "show": show,
        "test": test,
        "[": bracket,
        "true": true,
        "false": false,
        ":": true,
    }
)
