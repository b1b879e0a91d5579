"""Options by allow-list: exact names only, every value of a known kind, the command line built anew.

A table is a text such as `"-n --number -m=num --include=text --color[=text]"`: a name alone takes no value, `=kind`
needs one, `[=kind]` may have one attached. What is not in the table does not exist, and no abbreviation counts.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Literal

from ....state.errors import CommandRefused

Operands = Literal["paths", "text then paths", "one path", "one text", "text", "none"]
ENTRY = re.compile(r"(--?[^=\[\s]+)(?:(\[)?=(\w+)\]?)?")
KINDS: Mapping[str, re.Pattern[str]] = {
    "num": re.compile(r"[+-]?[0-9]{1,9}"),
    "size": re.compile(r"[+-]?[0-9]{1,9}(b|[kKMGT](i?B)?)?"),
    "width": re.compile(r"[0-9]{1,4}"),
    "text": re.compile(r"[\s\S]*"),
    "path": re.compile(r"[\s\S]+"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """How an option takes its value."""

    kind: str = ""
    optional: bool = False


@cache
def table(text: str) -> Mapping[str, Option]:
    """Return the options a table names."""
    found = {}
    for entry in text.split():
        match = ENTRY.fullmatch(entry)
        assert match, f"not an entry of a table: {entry}"
        name, optional, kind = match.groups()
        found[name] = Option(kind or "", bool(optional))
    return found


ALWAYS: Mapping[str, Option] = {"--help": Option(), "--version": Option()}
"""What every program may be asked about itself."""


def names(text: str) -> frozenset[str]:
    """Return the names in a text."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What one program may be asked."""

    options: str
    """A table."""
    operands: Operands = "paths"
    forced: tuple[str, ...] = ()
    """Options it always gets."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Options worth an explanation, with the reason."""
    pattern_options: frozenset[str] = frozenset()
    """Options that take the place of the text before the paths (`grep -e`)."""
    digits: bool = False
    """Whether `-5` is a number."""
    attached: bool = False
    """Whether the value of a short option must follow without a blank (`git diff -U0`)."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """Options that are given under another name."""
    dashes: bool = True
    """Whether it knows `--`; where not, operands that start with a dash are refused."""
    runs_as: str = ""
    """Another program that does the same, where the named one would wait for a key or is a shell script."""
    dropped: frozenset[str] = frozenset()
    """Options that are accepted and left out: colour, paging."""


@dataclass(slots=True)
class Parsed:
    """A command line taken apart."""

    options: list[str] = field(default_factory=list)
    operands: list[str] = field(default_factory=list)
    dashes_at: int | None = None
    """How many operands stood before `--`; None where there was none."""
    names: set[str] = field(default_factory=set)
    """The options that were given."""

    def values(self, option: str) -> list[str]:
        """Return the values a short option was given, in order."""
        return [value for key, value in pairwise(self.options) if key == option]

    def add(self, program: Program, key: str, value: str | None = None) -> None:
        """Take an option that was found to be allowed."""
        self.names.add(key)
        if key in program.dropped:
            return
        shown = program.rename.get(key, key)
        if value is None:
            self.options.append(shown)
        elif shown.startswith("--"):
            self.options.append(f"{shown}={value}")
        elif (program.attached and value) or table(program.options)[key].optional:
            self.options.append(shown + value)
        else:
            self.options += [shown, value]  # tree takes no attached values


def take_apart(
    name: str, program: Program, words: Sequence[str], path: Callable[[str], str], *, in_order: bool = False
) -> Parsed:
    """Return options, each checked, and operands, not checked yet.

    Args:
        name: As it stands in messages.
        program: What is allowed.
        words: The arguments.
        path: Returns a path when it may be read and refuses it otherwise.
        in_order: Whether options end at the first operand, as before git's subcommand.

    Raises:
        CommandRefused: An option is unknown, refused, or its value is of another kind.
    """
    parsed = Parsed()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            parsed.dashes_at = len(parsed.operands)
            parsed.operands += rest
            break
        if not word.startswith("-") or word == "-":
            parsed.operands.append(word)
            if in_order:
                parsed.operands += rest
                break
        elif program.digits and re.fullmatch(r"-[0-9]{1,9}", word):
            parsed.options.append(word)
        elif word.startswith("--"):
            _long(name, program, word, rest, parsed, path)
        else:
            _short(name, program, word, rest, parsed, path)
    return parsed


def _long(name: str, program: Program, word: str, rest: list[str], parsed: Parsed, path: Callable[[str], str]) -> None:
    key, has_value, value = word.partition("=")
    option = _find(name, program, key)
    if not option.kind:
        if has_value:
            raise CommandRefused(f"{name}: option '{key}' takes no value; leave out '={value[:60]}'")
        parsed.add(program, key)
        return
    if not has_value:
        if option.optional:
            parsed.add(program, key)
            return
        if not rest:
            raise CommandRefused(f"{name}: option '{key}' needs a value; add one")
        value = rest.pop(0)
    parsed.add(program, key, _value(name, key, option.kind, value, path))


def _short(name: str, program: Program, word: str, rest: list[str], parsed: Parsed, path: Callable[[str], str]) -> None:
    if word in table(program.options) and len(word) > 2:  # one dash and a word, as find and some of git's have it
        parsed.add(program, word)
        return
    letters = word[1:]
    while letters:
        key, letters = "-" + letters[0], letters[1:]
        option = _find(name, program, key)
        if not option.kind:
            parsed.add(program, key)
            continue
        if not letters and not option.optional:
            if not rest:
                raise CommandRefused(f"{name}: option '{key}' needs a value; add one")
            letters = rest.pop(0)
        parsed.add(program, key, _value(name, key, option.kind, letters, path) if letters else None)
        return


def _find(name: str, program: Program, key: str) -> Option:
    if key in program.refused:
        raise CommandRefused(f"{name}: option '{key}' {program.refused[key]}; leave it out")
    option = table(program.options).get(key) or ALWAYS.get(key)
    if option is None:
        near = [each for each in table(program.options) if each.startswith(key) and key.startswith("--")]
        hint = f"write '{near[0]}'" if len(near) == 1 else "leave it out"
        raise CommandRefused(f"{name}: option {key!r} is not allowed; {hint}")
    return option


def _value(name: str, key: str, kind: str, value: str, path: Callable[[str], str]) -> str:
    if not KINDS[kind].fullmatch(value):
        raise CommandRefused(f"{name}: {key} {value[:60]!r} is no {kind}; give a plain one")
    return path(value) if kind == "path" else value


def command_line(name: str, program: Program, words: Sequence[str], path: Callable[[str], str]) -> list[str]:
    """Return the arguments for a program: forced options, given options, `--`, operands.

    Raises:
        CommandRefused: Something in them is not allowed.
    """
    parsed = take_apart(name, program, words, path)
    operands = _operands(name, program, parsed, path)
    if not program.dashes:
        dashed = next((each for each in operands if each.startswith("-") and each != "-"), None)
        if dashed:
            raise CommandRefused(f"{name}: operand {dashed!r} starts with a dash; write './{dashed}'")
        return [*program.forced, *parsed.options, *operands]
    return [*program.forced, *parsed.options, "--", *operands]


def _operands(name: str, program: Program, parsed: Parsed, path: Callable[[str], str]) -> list[str]:
    operands = parsed.operands
    check_count(name, program, operands)
    if program.operands in ("text", "one text"):
        return operands
    if program.operands == "text then paths" and not parsed.names & program.pattern_options:
        if not operands and parsed.names.isdisjoint(ALWAYS):
            raise CommandRefused(f"{name}: what to look for is missing; add it")
        return [*operands[:1], *readable(operands[1:], path)]
    return readable(operands, path)


def check_count(name: str, program: Program, operands: Sequence[str]) -> None:
    """Refuse more operands than a program may be given."""
    if program.operands == "none" and operands:
        raise CommandRefused(f"{name}: {operands[0]!r} is not expected; leave it out")
    if program.operands in ("one path", "one text") and len(operands) > 1:
        raise CommandRefused(f"{name}: {operands[1]!r}: a second name is not allowed; give one only")


def readable(operands: Sequence[str], path: Callable[[str], str]) -> list[str]:
    """Return operands that are paths, each checked; `-` is standard input."""
    return [each if each == "-" else path(each) for each in operands]
