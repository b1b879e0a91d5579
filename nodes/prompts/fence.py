"""Content made harmless: no packet can forge a header, close a fence or hide text from the reader.

Borders of the prompt are lines of their own: ``[Task]``, ``---``, ``<<rag src/app.py:3>>``. A line of content that
looks like one is changed just enough not to be one; everything else stays as it is.
"""

import re
from functools import lru_cache

SEPARATOR = "---"
QUOTING = ("State", "Evidence", "Context")
"""Sections that hold packets, in their order. A new one is one name here, and its types in `SECTION_OF_TYPE`."""
HEADERS = ("Role & Policies", "Task", *QUOTING, "Output")

# Controls (but not tab and newline), zero-width and direction marks, and the invisible "tag" letters.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]"
)
_BREAK = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANKS = r"[^\S\n]*"
_NAMES = "|".join(
    name.replace(" & ", rf"{_BLANKS}(?:[&＆+]|and){_BLANKS}").replace(" ", rf"{_BLANKS}") for name in HEADERS
)
_HEADER = re.compile(
    rf"^([^\w\[［【〔\n]*)[\[［【〔]({_BLANKS}(?:{_NAMES}){_BLANKS})[\]］】〕]", re.IGNORECASE | re.MULTILINE
)
_FENCE = re.compile(r"^([^\S\n]*)([-‐-―−－]{3,})([^\S\n]*)$", re.MULTILINE)
_LABEL = re.compile(r"^([^\S\n]*)<<(?=[^\n]*>>[^\S\n]*$)", re.MULTILINE)


def plain(text: str) -> str:
    """Return a text that can be sent: every line break as a newline, lone surrogates as U+FFFD."""
    return _SURROGATE.sub("\ufffd", _BREAK.sub("\n", text))


def harmless(text: str) -> str:
    """Return content that cannot be taken for a border of the prompt; the same when applied twice."""
    return _remembered(text) if len(text) <= _SHORT else _harmless(text)


def _harmless(text: str) -> str:
    text = _INVISIBLE.sub("", _SURROGATE.sub("\ufffd", _BREAK.sub("\n", text)))
    return without_headers(_LABEL.sub(r"\1< <", _FENCE.sub(r"\1- - -\3", text)))


_SHORT = 4_000
"""Characters: longer texts are not remembered, so that memory stays small."""
_remembered = lru_cache(maxsize=2_048)(_harmless)


def one_line(text: str) -> str:
    """Return the first line of a text, without what terminals take for commands."""
    return _INVISIBLE.sub("", _BREAK.sub("\n", text.lstrip()).partition("\n")[0]).rstrip()


def without_headers(text: str) -> str:
    """Return a text none of whose lines can be taken for the beginning of a section."""
    return _HEADER.sub(r"\1(\2)", text)


def label(source: str, place: str = "") -> str:
    """Return the line that says where content comes from."""
    said = " ".join(harmless(f"{source} {place}").replace("<", "").replace(">", "").split())
    return f"<<{said[:160]}>>"
