"""When the linter's rules of slips matter: names that hide, defaults made once, values thrown away, lost errors."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from .kept_functions import outlives_its_round
from .said import Check, Said

SWALLOWED = ("E722", "S110", "S112")
"""Three views of one thing: a handler that lets errors disappear; the first that speaks is told."""
PASSED_OVER = ("S110", "S112")
_UNDONE = re.compile(r"TODO|FIXME|XXX|HACK|noqa")
_CHANGES_WITH_TIME = re.compile(r"\b(?:now|today|utcnow|time|monotonic|uuid\d|random|randint|token_\w+|getenv)\b")
"""Functions whose answer is another one at each call; a default that calls them keeps the first."""
_EVERYBODY_CALLS = frozenset(
    {
        *("all", "any", "bool", "bytes", "dict", "enumerate", "float", "int", "isinstance", "len", "list", "open"),
        *("print", "sorted", "str", "sum", "min", "max", "set", "tuple", "zip"),
    }
)
"""Names of Python that nobody uses for anything else; `id`, `type`, `format` are everyday words."""
_OF_COLUMNS = re.compile(r"\b[A-Z]\w*\.\w+\s*(?:==|!=)\s*None|\.c\.\w+\s*(?:==|!=)\s*None|\b(?:filter|where|having)\(")
"""A comparison with None that a mapper turns into IS NULL."""
_SHRINKS = re.compile(r"\.(?:remove|pop|popitem|discard|clear)\(|\bdel\b")
_RAW = re.compile(r"\b[rR][bB]?[\"']")
_ONE_WORD = re.compile(r"([\"'])[^\s\"'{}]{1,40}\1\s*$")
_EXPECTS = re.compile(r"^\s*(?:async )?with\b.*(?:raises|warns|assertRaises\w*|assertWarns\w*|suppress)\b")
_NEAR_ABOVE = 12
"""Lines in which the head of a block is looked for."""


def _is_unexplained(said: Said) -> bool:
    """Return whether no comment in the handler says why the error is passed over, other than that it should not be.

    When an object is thrown away there is nobody left to tell.
    """
    if "def __del__" in said.around:
        return False
    return not any("#" in line and not _UNDONE.search(line) for line in said.itself.split("\n"))


def _changes_with_time(said: Said) -> bool:
    return bool(_CHANGES_WITH_TIME.search(said.message))


def _hides_what_everybody_calls(said: Said) -> bool:
    """Return whether a hidden name is one that all call, or that the same function calls."""
    line = said.lines[said.line - 1]
    name = re.escape(said.quoted)
    if re.search(rf"=.*\.{name}\b|\b{name}\s*=\s*{name}\s*(?:#|$)", line):
        return False  # `max = self.max`: what somebody else called so; `str = str` hands the same on
    called = re.search(rf"(?<![\w.]){name}\(", said.around.replace(said.itself, ""))
    return said.quoted in _EVERYBODY_CALLS or bool(called)


def _has_no_effect(said: Said) -> bool:
    """Return whether a comparison is for nothing: not one that is to fail or to warn."""
    above = said.lines[max(0, said.line - _NEAR_ABOVE) : said.line - 1]
    indent = len(said.lines[said.line - 1]) - len(said.lines[said.line - 1].lstrip())
    heads = (each for each in reversed(above) if each.strip() and len(each) - len(each.lstrip()) < indent)
    return not _EXPECTS.search(next(heads, ""))


def _is_written_down(said: Said) -> bool:
    """Return whether two members of an enumeration are the same value, not two objects made alike."""
    return "(" not in said.quoted


def _compares_no_columns(said: Said) -> bool:
    """Return whether `== None` compares a value; a mapper makes IS NULL of a column's."""
    near = "\n".join(said.lines[max(0, said.line - 4) : said.end])
    return not _OF_COLUMNS.search(near)


def _loses_elements(said: Said) -> bool:
    """Return whether a loop shortens what it goes through; adding to it is how a list of open work is done."""
    return bool(_SHRINKS.search(said.itself))


def _outlives_its_round(said: Said) -> bool:
    return outlives_its_round(said.project.text_of(said.facts.path), said.line)


def _is_no_test_for_nan(said: Said) -> bool:
    """Return whether a comparison with itself is no `x != x`, which asks whether a number is none."""
    return "!=" not in said.message


def _is_no_formula(said: Said) -> bool:
    """Return whether braces stand in a plain text: in a raw one they are TeX's or a pattern's."""
    return not _RAW.search(said.itself)


def _lacks_a_comma(said: Said) -> bool:
    """Return whether the texts that run together are single words: sentences are broken over lines on purpose."""
    lines = said.itself.split("\n")
    return len(lines) > 1 and all(_ONE_WORD.search(line.strip()) for line in lines[:-1])


def _assigns_one(said: Said) -> bool:
    """Return whether a single variable is assigned, within something: in `a, b = a, f(b)` one of two just stays, and a
    module that says `str = str` hands a name on.
    """
    return "," not in said.itself.partition("=")[0] and said.itself[:1].isspace()


def _is_worked_out(said: Said) -> bool:
    """Return whether a value is worked out and thrown away; a name or an attribute alone asks whether it is there."""
    return not re.fullmatch(r"\s*[\w.]+\s*(?:#.*)?", said.itself) and "bench" not in said.facts.path


def _asks_for_type(said: Said) -> bool:
    return "type(" in said.itself


SLIPS: Mapping[str, Check] = MappingProxyType(
    {
        **dict.fromkeys(PASSED_OVER, _is_unexplained),
        "A001": _hides_what_everybody_calls,
        "B008": _changes_with_time,
        "B015": _has_no_effect,
        "B018": _is_worked_out,
        "B023": _outlives_its_round,
        "B909": _loses_elements,
        "E711": _compares_no_columns,
        "E721": _asks_for_type,
        "ISC004": _lacks_a_comma,
        "PIE796": _is_written_down,
        "PLR0124": _is_no_test_for_nan,
        "PLW0127": _assigns_one,
        "RUF009": _changes_with_time,
        "RUF027": _is_no_formula,
    }
)
"""Rule to what decides whether it matters."""
