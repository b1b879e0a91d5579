"""Defaults that documents give variables of the environment, in sentences and tables, against those of the code."""

import re
from collections.abc import Iterator

from ...known.project import Project
from .claims import Claim

_VARIABLE = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_SAID = re.compile(
    r"\bdefaults?(?: is| to|:)?\s*`?([\w.-]+)`?|`?([\w.-]+)`? by default|默认(?:值?为|值是|是|:|:)?\s*`?([\w.-]+)`?",
    re.I,
)
_GIVEN = re.compile(
    r"(?:getenv|environ\.get|env(?:\.\w+)?|config)\(\s*[\"']\0[\"']\s*,\s*(?:default\s*=\s*)?([\"']?[\w.-]+[\"']?)\s*[),]"
    r"|(?:environ(?:\.get)?|getenv|env(?:\.\w+)?|config)[([.]\s*[\"']?\0[\"']?[\])]?\s*(?:\bor\b|\|\||\?\?)\s*"
    r"([\"']?[\w.-]+[\"']?)(?![\w.(])"
)
"""`env("X", 12)`, `environ.get("X") or 12`, `process.env.X ?? 12`."""
_COLUMN = re.compile(r"^\W*(?:default(?: value)?s?|standard|默认值?|缺省值?)\W*$", re.IGNORECASE)
_CELL = re.compile(r"^`?(-?\d[\d_,]*(?:\.\d+)?|true|false|on|off|yes|no|[a-z][a-z0-9_.-]*)`?$", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"^[a-z]+$", re.IGNORECASE)
_SAME = {"1": "true", "yes": "true", "on": "true", "0": "false", "no": "false", "off": "false"}


def default_claims(project: Project, number: int, line: str, head: str) -> Iterator[Claim]:
    """Yield a default that a document gives a variable of the environment and the code another.

    Args:
        head: The first row of the table that the line is a row of, `""` in running text.
    """
    names = [name for name in re.findall(r"`(\w+)`", line) if _VARIABLE.match(name)] if "`" in line else []
    if len(names) != 1:
        return
    value = _of_row(line, head) if head else ""
    if not value and (said := _SAID.search(line)):
        value = next(each for each in said.groups() if each is not None).rstrip(".,;")
    if value and any(_is_other(value, given) for given in _given(project, names[0])):
        yield Claim(number, f"{names[0]} = {value}", "the code has another default", "stale_path", 0.75)


def _of_row(line: str, head: str) -> str:
    """Return what a row has in the column of defaults, where that is one literal."""
    columns, cells = head.strip().strip("|").split("|"), line.strip().strip("|").split("|")
    place = next((place for place, column in enumerate(columns) if _COLUMN.match(column)), len(cells))
    cell = cells[place].strip() if place < len(cells) and len(cells) == len(columns) else ""
    match = _CELL.match(cell)
    return match[1] if match and ("`" in cell or not _PLAIN_WORD.match(match[1])) else ""


def _given(project: Project, name: str) -> Iterator[str]:
    """Yield the first default that each source file which reads a variable gives it."""
    for facts in project.of_role("source"):
        code = facts.python or facts.tree
        if code and (name in code.words or name in code.used):
            given = _GIVEN.search(project.text_of(facts.path).replace(name, "\0"))
            if given:
                yield given[1] or given[2]


def _is_other(said: str, given: str) -> bool:
    first, second = (re.sub(r"[\"'`_,]", "", each).lower() for each in (said, given))
    return _SAME.get(first, first) != _SAME.get(second, second)
