"""git: a subcommand that reads, its options from a table, its operands inside the workspace."""

import os
import re
from collections.abc import Callable, Sequence

from ....state.errors import CommandRefused
from .git_commands import COMMANDS, DEFAULT_VERB, GLOBAL, LISTS_WITH, READS_CONFIG
from .options import Parsed, check_count, take_apart

Path = Callable[[str], str]
WRITING_VERBS = frozenset({"expire", "delete", "drop", "write"})


def git(words: Sequence[str], path: Path) -> list[str]:
    """Return git's arguments.

    Raises:
        CommandRefused: The subcommand or an option is not allowed, or a path is outside.
    """
    if list(words) == ["--version"]:
        words = ["version"]
    outer = take_apart("git", GLOBAL, words, path, in_order=True)
    if not outer.operands:
        raise CommandRefused(f"git: the subcommand is missing; allowed: {', '.join(COMMANDS)}")
    key, rest = _subcommand(outer.operands[0], outer.operands[1:])
    command, name = COMMANDS[key], f"git {key}"
    folder = os.path.join("", *outer.values("-C"))
    _check_inside(folder, path)

    def inside(text: str) -> str:
        path(os.path.join(folder, text))  # git has gone there before it reads its operands
        return text

    parsed = take_apart(name, command, rest, inside)
    check_count(name, command, parsed.operands)
    _check_reading(key, parsed)
    for operand in parsed.operands:
        _check_operand(operand, inside)
    before = len(parsed.operands) if parsed.dashes_at is None else parsed.dashes_at
    operands = parsed.operands[:before] or (["HEAD"] if key == "shortlog" else [])  # or it would read its input
    dashes = [] if parsed.dashes_at is None else ["--", *parsed.operands[before:]]
    return ["--no-pager", *outer.options, *key.split(), *command.forced, *parsed.options, *operands, *dashes]


def _check_inside(folder: str, path: Path) -> None:
    if folder:
        path(folder)


def _subcommand(name: str, rest: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the key of the subcommand in `COMMANDS`, with its verb, and what follows."""
    verbs = [key.partition(" ")[2] for key in COMMANDS if key.startswith(f"{name} ")]
    first = rest[0] if rest else ""
    if first in verbs:
        return f"{name} {first}", rest[1:]
    default = DEFAULT_VERB.get(name)
    if default and first not in WRITING_VERBS:
        return f"{name} {default}", rest
    if name in COMMANDS and not (verbs and first and not first.startswith("-")):
        return name, rest
    shown = f"git {name} {first}".strip()[:60] if verbs else f"git {name[:40]}"
    allowed = [f"{name} {verb}" for verb in verbs] or COMMANDS
    raise CommandRefused(f"{shown}: not a read-only subcommand of this tool; allowed: {', '.join(allowed)}")


def _check_reading(key: str, parsed: Parsed) -> None:
    """Refuse what would create or set something for lack of an option that says "list" or "get"."""
    operands = parsed.operands
    if key in LISTS_WITH and operands and not parsed.names & LISTS_WITH[key]:
        raise CommandRefused(f"git {key} {operands[0]!r} would create it; add --list to look for it")
    if key == "config" and len(operands) != 1 and not parsed.names & READS_CONFIG:
        raise CommandRefused("git config: only reading is allowed; use --get NAME or --list")


def _check_operand(operand: str, path: Path) -> None:
    """Refuse an operand that, taken as a path, is outside; revisions and patterns are no paths and stay as they are."""
    if operand.startswith(":"):
        return  # pathspec magic, or a path in the index: never leaves the work tree
    path(operand)
    if re.match(r"[^/]+:", operand):  # REVISION:PATH
        path(operand.split(":", 1)[1] or ".")
