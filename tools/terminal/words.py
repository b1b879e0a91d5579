"""One word of a command line: quotes taken off, but remembered; nothing in it is ever replaced by a shell."""

import re
from dataclasses import dataclass

from ...state.errors import CommandRefused

ENDS_WORD = frozenset(" \t\n|&;()<>")
EXPANDED = re.compile(r"[A-Za-z0-9_{(\[?$!#@*\-]")
"""What makes bash replace the `$` before it."""
ESCAPED_IN_DOUBLE = frozenset('$`"\\')


@dataclass(frozen=True, slots=True)
class Word:
    """One word, with a mark on every character that was quoted and so means only itself."""

    text: str = ""
    quoted: tuple[bool, ...] = ()

    def bare(self, characters: str) -> bool:
        """Return whether one of the characters stands in the word unquoted."""
        return any(c in characters and not q for c, q in zip(self.text, self.quoted, strict=True))

    def __add__(self, other: "Word") -> "Word":
        return Word(self.text + other.text, self.quoted + other.quoted)

    def part(self, start: int, end: int | None = None) -> "Word":
        """Return the characters from start to before end."""
        return Word(self.text[start:end], self.quoted[start:end])


def read_word(text: str, at: int) -> tuple[Word, int]:
    """Return the word that starts at a place, and the place behind it.

    Raises:
        CommandRefused: A quote is not closed, or bash would replace a part of the word.
    """
    pieces: list[Word] = []
    while at < len(text) and (character := text[at]) not in ENDS_WORD:
        if character == "'":
            piece, at = _single(text, at)
        elif character == '"':
            piece, at = _double(text, at)
        elif character == "\\":
            piece, at = _escaped(text, at)
        else:
            if character in "$`":
                _check_expansion(text, at, quoting="'\"")
            piece, at = Word(character, (False,)), at + 1
        pieces.append(piece)
    return Word("".join(piece.text for piece in pieces), tuple(mark for piece in pieces for mark in piece.quoted)), at


def _literal(text: str) -> Word:
    return Word(text, (True,) * len(text))


def _escaped(text: str, at: int) -> tuple[Word, int]:
    following = text[at + 1 : at + 2]
    if not following:
        raise CommandRefused("the command ends in a backslash; leave it out")
    return _literal("" if following == "\n" else following), at + 2


def _single(text: str, at: int) -> tuple[Word, int]:
    end = text.find("'", at + 1)
    if end < 0:
        raise CommandRefused("a single quote ' is not closed; add the closing one")
    return _literal(text[at + 1 : end]), end + 1


def _double(text: str, at: int) -> tuple[Word, int]:
    found: list[str] = []
    at += 1
    while at < len(text):
        character, following = text[at], text[at + 1 : at + 2]
        if character == '"':
            return _literal("".join(found)), at + 1
        if character == "\\" and following and following in ESCAPED_IN_DOUBLE:
            found.append(following)
            at += 2
        elif character == "\\" and following == "\n":
            at += 2
        else:
            if character in "$`":
                _check_expansion(text, at, quoting="")
            found.append(character)
            at += 1
    raise CommandRefused('a double quote " is not closed; add the closing one')


def _check_expansion(text: str, at: int, *, quoting: str) -> None:
    """Refuse a `$` or a backquote that bash would replace by something; `quoting`: quotes that count after `$`."""
    character, following = text[at], text[at + 1 : at + 2]
    if character == "`" or following == "(":
        form = "`…`" if character == "`" else "$(…)"
        raise CommandRefused(f"command substitution {form} is not supported; run the inner command first")
    if following and following in quoting:
        raise CommandRefused(f"${following}…{following} quoting is not supported; use plain quotes")
    if following and EXPANDED.match(following):
        raise CommandRefused(
            f"variable expansion {text[at : at + 2]}… is not supported; "
            "write the literal value (single-quote a literal $)"
        )
