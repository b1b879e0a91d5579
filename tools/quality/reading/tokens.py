"""Functions as windows of normalised tokens, so that copies are found whatever their variables are called.

The windows are winnowed (Schleimer, Wilkerson, Aiken 2003): of every `_GUARANTEE` neighbours the smallest hash is kept,
so a common run of `WINDOW + _GUARANTEE - 1` tokens always shares a fingerprint. Lizard's own duplicate finder was tried
first: it has to see all files in one run, so nothing can be cached.
"""

import keyword
import re
import zlib
from collections.abc import Iterator, Sequence

from ..facts.measures import BlockRow, Function

WINDOW = 20
"""Tokens of one fingerprint: short enough that a copy with an edit in every third line still shares some."""
_GUARANTEE = 8
_BASE, _PRIME = 1_000_003, (1 << 61) - 1

_TOKEN = re.compile(
    r'(?P<string>[rbfuRBFU]{0,2}(?:"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'))'
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<space>\s+)|(?P<other>\S)"
)
_KEY = re.compile(r"""\[[ ]*(["'])([A-Za-z_]\w*)\1[ ]*\]""")
"""`row["name"]`: to a copy it is the same as `row.name`."""
_COMMENTS = {
    "hash": re.compile(r"#[^\n]*"),
    "slash": re.compile(r"//[^\n]*|/\*[\s\S]*?\*/"),
}
_HASH_LANGUAGES = frozenset({"python", "ruby"})
_KEYWORDS = frozenset(
    {
        *(
            "and",
            "as",
            "assert",
            "async",
            "await",
            "break",
            "case",
            "catch",
            "class",
            "const",
            "continue",
            "def",
            "del",
        ),
        *("do", "elif", "else", "except", "false", "finally", "for", "foreach", "from", "func", "function", "if", "in"),
        *(
            "is",
            "lambda",
            "let",
            "match",
            "new",
            "nil",
            "none",
            "not",
            "null",
            "or",
            "pass",
            "raise",
            "return",
            "switch",
        ),
        *("this", "throw", "true", "try", "var", "while", "with", "yield", "self"),
    }
)
_PYTHON = frozenset(word.lower() for word in keyword.kwlist) | {"self"}
"""Of Python only what is never a name: `case`, `new` and `match` may be variables."""


def blocks(text: str, functions: Sequence[Function], language: str) -> list[BlockRow]:
    """Return the fingerprints of every function long enough to have one."""
    lines = text.split("\n")
    found: list[BlockRow] = []
    for number, function in _apart(functions):
        body = _KEY.sub(r".\2", "\n".join(lines[function.line - 1 : function.end]))
        tokens = _without_head(list(_tokens(body, function.line, language)))
        found += [
            (value, place, tokens[place][1], tokens[place + WINDOW - 1][1], number, len(tokens))
            for place, value in _winnowed([zlib.crc32(word.encode()) for word, _ in tokens])
        ]
    return found


def _without_head(tokens: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the tokens of a function's body: overriding methods share their heads, and must."""
    depth = 0
    for number, (word, _) in enumerate(tokens):
        depth += (word in "([") - (word in ")]")
        if depth == 0 and word in (":", "{"):
            return tokens[number + 1 :]
    return tokens


def _apart(functions: Sequence[Function]) -> Iterator[tuple[int, Function]]:
    """Yield functions that do not overlap: a wrapper that is mostly its inner functions makes room for them."""
    last = 0
    for number, function in sorted(enumerate(functions), key=lambda each: (each[1].line, -each[1].end)):
        inner = [each for each in functions if function.line < each.line and each.end <= function.end]
        covered = {line for each in inner for line in range(each.line, each.end + 1)}
        if function.line > last and 2 * len(covered) <= function.end - function.line + 1:
            last = function.end
            yield number, function


def _tokens(text: str, line: int, language: str) -> Iterator[tuple[str, int]]:
    """Yield normalised tokens with their lines.

    Names are kept where they say what is done (called, or taken from something) and replaced where they only say what
    it is done with; strings and numbers are replaced.
    """
    kept = _PYTHON if language == "python" else _KEYWORDS
    comments = _COMMENTS["hash" if language in _HASH_LANGUAGES else "slash"]
    before = ""
    position = 0
    while position < len(text):
        if (comment := comments.match(text, position)) and comment.end() > position:
            line += comment.group().count("\n")
            position = comment.end()
            continue
        match = _TOKEN.match(text, position)
        assert match is not None, "every character is a space or something else"
        kind, word = match.lastgroup, match.group()
        position = match.end()
        if kind == "string":
            if before not in ("", ":", "\n") or not word.lstrip("rbfuRBFU").startswith(('"""', "'''")):
                yield "s", line
        elif kind == "number":
            yield "0", line
        elif kind == "name":
            called = text[position : position + 1] == "("
            yield (word if called or before == "." or word.lower() in kept else "$"), line
        elif kind == "other":
            yield word, line
        if kind != "space":
            before = word
        line += word.count("\n")


def _winnowed(codes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield place and hash of the windows that are kept."""
    if len(codes) < WINDOW:
        return
    power = pow(_BASE, WINDOW - 1, _PRIME)
    value = 0
    hashes = []
    for place, code in enumerate(codes):
        if place >= WINDOW:
            value = (value - codes[place - WINDOW] * power) % _PRIME
        value = (value * _BASE + code) % _PRIME
        if place >= WINDOW - 1:
            hashes.append(value)
    kept = -1
    for start in range(max(1, len(hashes) - _GUARANTEE + 1)):
        span = hashes[start : start + _GUARANTEE]
        least = start + min(range(len(span)), key=lambda offset: (span[offset], -offset))
        if least != kept:
            kept = least
            yield least, hashes[least]
