"""awk: its options, and its program read token by token.

The kernel keeps awk from starting processes and opening files for writing; what stands here refuses early and says
why, and is the whole defence where the kernel offers none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ....state.errors import CommandRefused
from .options import Program, names, readable, take_apart
from .programs import LISTS, WRITES

_AWK = Program(
    options="-F=text -v=text --field-separator=text --assign=text",
    refused={
        **dict.fromkeys(("-f", "--file", "-E", "--exec", "-i", "--include", "-l", "--load"), LISTS),
        **dict.fromkeys(("-o", "-p", "-d", "--pretty-print", "--profile", "--dump-variables"), WRITES),
    },
    rename={"--field-separator": "-F", "--assign": "-v"},
)
FORBIDDEN = {
    "system": "runs another program",
    "getline": "reads other files or programs",
    "close": "belongs to files and programs opened by the script",
    "fflush": "belongs to files and programs opened by the script",
    "ENVIRON": "reads the environment",
    "PROCINFO": "reads the process",
    "ARGV": "changes what is read",
    "ARGC": "changes what is read",
    "SYMTAB": "reaches everything by name",
    "FUNCTAB": "reaches everything by name",
}
BEFORE_REGEX = names("( , { ; } ! ~ && || == != < > <= >= = += -= *= /= %= ^= ? : + - * % ^ /")
WORDS_BEFORE_REGEX = names("print printf return in else do case and or")
TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\n|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<string>"(?:[^"\\\n]|\\[\s\S])*")
      | (?P<word>[A-Za-z_]\w*)
      | (?P<number>(?:0[xX][0-9A-Fa-f]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))
      | (?P<sign>>>|\|&|&&|\|\||\+\+|--|\*\*=?|[-+*/%^=!<>]=|[-+*/%^!<>|?:~$=,;(){}\[\]@&.'])""",
    re.VERBOSE,
)
REGEX = re.compile(r"/((?:[^/\\\n\[]|\\[^\n]|\[\^?\]?(?:[^\]/\\\n]|\\[^\n])*\])*)/")


def awk(words: Sequence[str], path: Callable[[str], str], flavour: str) -> list[str]:
    """Return awk's arguments.

    Args:
        words: As given.
        path: Checks a path.
        flavour: The name of the program behind `awk`.

    Raises:
        CommandRefused: An option or the script is not allowed, or this awk is unknown.
    """
    forced = {"gawk": ["--sandbox"], "mawk": [], "original-awk": ["-safe"], "nawk": ["-safe"]}.get(flavour)
    if forced is None:
        raise CommandRefused(f"awk: this system's awk ({flavour}) is not supported; use cut, sed or grep")
    parsed = take_apart("awk", _AWK, words, path, in_order=True)
    if not parsed.operands:
        raise CommandRefused("awk: the program is missing; add it, for example '{print $1}'")
    for value in parsed.values("-v"):
        if not re.match(r"[A-Za-z_]\w*=", value):
            raise CommandRefused(f"awk: -v {value[:40]!r} assigns nothing; write -v NAME=VALUE")
    check_awk(parsed.operands[0])
    files = readable(parsed.operands[1:], path)
    return [*forced, *parsed.options, "--", parsed.operands[0], *files]


class Token(NamedTuple):
    """One token of an awk program."""

    kind: str
    text: str


def check_awk(script: str) -> None:
    """Refuse an awk program that could reach anything but its input and its output.

    Where a slash could start a regular expression or be a division, it is read as the division: what follows is then
    looked at as program text, so nothing can hide in it.

    Raises:
        CommandRefused: Quotes the part.
    """
    printing, depth = False, 0
    for token in _awk_tokens(script):
        if token.kind == "word":
            if token.text in FORBIDDEN:
                raise CommandRefused(f"awk: '{token.text}' {FORBIDDEN[token.text]}; not allowed: use plain patterns")
            if token.text in ("print", "printf"):
                printing, depth = True, 0
        elif token.kind == "newline" or token.text in (";", "}", "{"):
            printing = False
        elif token.text in ("(", "["):
            depth += 1
        elif token.text in (")", "]"):
            depth -= 1
        elif token.text in ("|", "|&", "@", ">>", "&"):
            raise CommandRefused(f"awk: '{token.text}' opens files or programs; not allowed: print plainly")
        elif token.text in (">", ">=") and printing and depth <= 0:
            raise CommandRefused("awk: '>' after print writes a file; put a comparison into parentheses")


def _awk_tokens(script: str) -> Iterator[Token]:
    at, before = 0, Token("newline", "\n")
    while at < len(script):
        regex = REGEX.match(script, at) if script[at] == "/" and _regex_may_follow(before) else None
        match = regex or TOKEN.match(script, at)
        if match is None:
            raise CommandRefused(f"awk: {script[at : at + 20]!r} is not understood; write it more plainly")
        token = Token("regex", match[0]) if regex else Token(str(match.lastgroup), match[0])
        at = match.end()
        if token.kind == "blank":
            continue
        yield token
        before = token


def _regex_may_follow(token: Token) -> bool:
    if token.kind == "word":
        return token.text in WORDS_BEFORE_REGEX
    return token.kind == "newline" or token.text in BEFORE_REGEX
