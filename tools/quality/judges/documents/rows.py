"""Numbers that documents give for one row of a table and that the table in the code does not have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from ...known.project import Project
from .claims import Claim
from .numbers import NUMBER, Constant, are_kin, is_same, value_of

_CLAUSES = re.compile(r"[;；。，]\s*|[.,!](?:\s+|$)| (?:and|but|unless|while) ")
_WORD = re.compile(r"[a-z]{3,}")
_SHARE = re.compile(r"\s*(?:%|percent\b|per cent\b)", re.IGNORECASE)
_OF_SHARES = frozenset({"percent", "rate", "rates", "discount", "discounts", "share", "shares", "rebate", "rebates"})
_SAYS_LITTLE = frozenset({"per", "the", "for", "max", "min", "most", "least", "default", "cents", "days", "hours"})


def rows_of(project: Project) -> Mapping[str, Sequence[Constant]]:
    """Return the rows of the tables of numbers, by their words."""
    found: dict[str, list[Constant]] = {}
    for facts in project.of_role("source"):
        for each in facts.python.named_numbers if facts.python else ():
            if each.row:
                name = f"{each.name}_{each.unit.upper()}" if each.unit else each.name
                found.setdefault(each.row, []).append(Constant(name, Decimal(each.value), facts.path, each.row))
    return found


def row_claims(rows: Mapping[str, Sequence[Constant]], number: int, line: str, heading: str) -> Iterator[Claim]:
    """Yield the number of a clause that names one row of exactly one table, by the table's words, and gives another."""
    if not rows or not NUMBER.search(line):
        return
    for clause in _CLAUSES.split(line):
        numbers = list(NUMBER.finditer(clause))
        said = value_of(numbers[0]) if len(numbers) == 1 else None
        words = {*_WORD.findall(clause.lower())}
        keys = [key for key in rows if words & {key, f"{key}s"}]
        if said is None or len(keys) != 1:
            continue
        share = _SHARE.match(clause[numbers[0].end() :]) is not None
        around = words | {*_WORD.findall(heading.lower())}
        meant = [each for each in rows[keys[0]] if _is_meant(each, around - {*keys}, share=share)]
        if len(meant) == 1 and not any(_has(each.value, said) for each in rows[keys[0]]):
            told = f"{meant[0].name}[{keys[0]}]: {said:f}"
            yield Claim(number, told, "the code has another value", "stale_path", 0.65)


def _is_meant(row: Constant, words: set[str], *, share: bool) -> bool:
    """Return whether words tell of what a table holds; a share of a hundred is told of a table of shares."""
    parts = {part for part in row.name.lower().split("_") if len(part) > 2} - _SAYS_LITTLE
    if share != bool(parts & _OF_SHARES):
        return False
    what = parts - _OF_SHARES
    near = [any(are_kin(part, word) for word in words) for part in what]
    return any(near) or (share and not what)


def _has(value: Decimal, said: Decimal) -> bool:
    """Return whether a table has a number in some unit, or what it leaves of, or adds to, a hundred percent."""
    return any(is_same(each, value) for each in (said, 100 - said, 100 + said) if each)
