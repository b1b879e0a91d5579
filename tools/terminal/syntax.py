"""From text to pipelines: the part of bash that has one meaning. What is parsed here is what runs.

No shell is involved at any time, so there is no second parser that could read the same text differently. Everything
outside the part is refused by name: variables, substitutions, files written, background jobs, control structures.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ...state.errors import CommandRefused
from .words import ENDS_WORD, Word, read_word

Joint = Literal[";", "&&", "||"]
Stream = Literal["out", "err", "null"]

LONGEST_LINE = 32_768
MOST_PIPELINES, MOST_STAGES, MOST_WORDS = 32, 16, 4096

BLANK = " \t"
ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])?\+?=")
NAMES_OF_KEYWORDS = "if then else elif fi for while until do done case esac select function coproc time in [[ ]] { } !"
KEYWORDS = frozenset(NAMES_OF_KEYWORDS.split())
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One command of a pipeline."""

    words: tuple[Word, ...]
    stdin: Word | None = None
    """A file to read instead of the pipe."""
    out: Stream = "out"
    err: Stream = "err"


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands joined by pipes, and how the whole hangs on what came before."""

    joint: Joint
    """`"&&"` and `"||"`: only after success, or failure, of the one before; `";"`: always."""
    stages: tuple[Stage, ...]
    text: str
    """As it was written."""


def parse(text: str) -> tuple[Pipeline, ...]:
    """Return the pipelines of a command line.

    Raises:
        CommandRefused: It is not in the supported part of the language; the message says what to write instead.
    """
    if len(text) > LONGEST_LINE:
        raise CommandRefused(f"the command is longer than {LONGEST_LINE} characters; use a shorter one")
    hidden = INVISIBLE.search(text)
    if hidden:
        raise CommandRefused(f"the invisible character U+{ord(hidden[0]):04X} is not allowed; leave it out")
    return tuple(_Parser(text).pipelines())


class _Parser:
    """A position in the text, moving forward only."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def pipelines(self) -> Iterator[Pipeline]:
        joint: Joint = ";"
        count = 0
        self._skip("\n")
        while self.at < len(self.text) or joint != ";" or not count:
            begun = self.at
            stages = tuple(self._stages())
            yield Pipeline(joint, stages, self.text[begun : self.at].strip())
            count += 1
            if count == MOST_PIPELINES and self._rest():
                raise CommandRefused(f"more than {MOST_PIPELINES} commands in one line; send them in several calls")
            joint = self._joint()
            if joint != ";" or self._rest():
                self._skip("\n")

    def _rest(self) -> bool:
        self._skip("\n")
        return self.at < len(self.text)

    def _joint(self) -> Joint:
        joints: tuple[Joint, ...] = ("&&", "||")
        for joint in joints:
            if self.text.startswith(joint, self.at):
                self.at += 2
                return joint
        if self.text.startswith(";", self.at):
            self.at += 1
        return ";"

    def _stages(self) -> Iterator[Stage]:
        for _ in range(MOST_STAGES):
            yield self._stage()
            if not self.text.startswith("|", self.at) or self.text.startswith("||", self.at):
                return
            self.at += 1
            if self.text.startswith("&", self.at):
                raise CommandRefused("'|&' is not supported; write '2>&1 |'")
            self._skip("\n")
        raise CommandRefused(f"more than {MOST_STAGES} commands in one pipeline; use fewer")

    def _stage(self) -> Stage:
        words: list[Word] = []
        stdin: Word | None = None
        streams: dict[int, Stream] = {1: "out", 2: "err"}
        while True:
            self._skip("")
            character = self.text[self.at : self.at + 1]
            if character in ("", "\n", "|", ";") or self.text.startswith("&&", self.at):
                break
            if character in "()":
                raise CommandRefused(
                    "subshells, groups and function definitions are not supported; send plain commands"
                )
            if character == "&" and not self.text.startswith("&>", self.at):
                raise CommandRefused("background execution '&' is not allowed; commands run one after the other")
            number = re.compile(r"[0-9]*(?=[<>])").match(self.text, self.at)
            if number or character == "&":
                stdin = self._redirection(streams) or stdin
                continue
            word = self._read_word()
            if not words:
                _check_command_position(word)
            words.append(word)
            if len(words) > MOST_WORDS:
                raise CommandRefused(f"more than {MOST_WORDS} words in one command; use a glob or fewer names")
        if not words:
            raise CommandRefused(self._missing())
        return Stage(words=tuple(words), stdin=stdin, out=streams[1], err=streams[2])

    def _missing(self) -> str:
        near = self.text[max(0, self.at - 10) : self.at + 10].strip()
        return f"a command is missing near {near!r}; write one, for example 'ls'" if near else "the command is empty"

    def _redirection(self, streams: dict[int, Stream]) -> Word | None:
        """Read one redirection; change where the streams go, or return the file to read."""
        match = re.compile(r"([0-9]*)(<<<|<<|<>|<&|<\(|<|&>>|&>|>>|>\||>&|>\(|>)").match(self.text, self.at)
        if match is None:
            raise CommandRefused("'&' is not allowed here; commands run one after the other")
        number, operator = match.groups()
        self.at = match.end()
        if operator in ("<<", "<<<"):
            raise CommandRefused("here-documents and here-strings are not supported; use echo TEXT | COMMAND")
        if operator in ("<(", ">("):
            raise CommandRefused(f"process substitution '{operator}…)' is not supported; run the inner command first")
        if operator in ("<>", "<&"):
            raise CommandRefused(f"redirection '{operator}' is not supported; use '< FILE'")
        if operator == ">&" and self.text[self.at : self.at + 1] in ("1", "2"):
            self._duplicate(number or "1", streams)
            return None
        self._skip("")
        if self.at >= len(self.text) or self.text[self.at] in ENDS_WORD:
            raise CommandRefused(f"the redirection '{operator}' names no file")
        target = self._read_word()
        if operator == "<":
            if number not in ("", "0"):
                raise CommandRefused(f"redirection '{number}<' is not supported; use '< FILE'")
            return target
        if target.text != "/dev/null" or number not in ("", "1", "2") or (number and operator == ">&"):
            raise CommandRefused(
                f"output redirection to a file ({number}{operator} {target.text}) is not allowed: "
                "the terminal is read-only; only /dev/null is accepted"
            )
        for stream in (1, 2) if operator in ("&>", "&>>") or (operator == ">&") else (int(number or 1),):
            streams[stream] = "null"
        return None

    def _duplicate(self, number: str, streams: dict[int, Stream]) -> None:
        source = int(self.text[self.at])
        self.at += 1
        if number not in ("1", "2") or (self.at < len(self.text) and self.text[self.at] not in ENDS_WORD):
            raise CommandRefused(f"redirection '{number}>&{source}' is not supported; use '2>&1'")
        streams[int(number)] = streams[source]

    def _read_word(self) -> Word:
        word, self.at = read_word(self.text, self.at)
        return word

    def _skip(self, more: str) -> None:
        """Pass over blanks, joined lines, comments, and the characters in `more`."""
        while self.at < len(self.text):
            if self.text.startswith("\\\n", self.at):
                self.at += 2
            elif self.text[self.at] in BLANK or self.text[self.at] in more:
                self.at += 1
            elif self.text[self.at] == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                return


def _check_command_position(word: Word) -> None:
    """Refuse what is not the plain name of a program where one must stand."""
    plain = not any(word.quoted)
    if plain and word.text in KEYWORDS:
        raise CommandRefused(f"shell keyword '{word.text}' is not supported; send single commands")
    match = ASSIGNMENT.match(word.text)
    if match and not any(word.quoted[: match.end()]):
        raise CommandRefused(f"environment assignments before a command ({match[0]}…) are not allowed; leave it out")
    if word.text != "[" and word.bare("*?[{~"):
        raise CommandRefused(f"the command name {word.text!r} is a pattern; write the name itself")
