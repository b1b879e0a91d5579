"""Dates that are moved by their year or month and keep their day: on 29 February the new year has none."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node, written

_MINDS = re.compile(r"\b29\b|isleap|relativedelta|monthrange|add_(?:months|years)|\b28\b")
_FIRST_DAY = re.compile(r"first|start|begin|month|january|day=1|easter|monday|christmas", re.IGNORECASE)
_NO_DATES = frozenset({"dataclasses", "copy", "attrs", "attr"})


def leap_days(tree: ast.Module) -> Iterator[Risk]:
    """Yield them where the function does not think of days that a month or year does not have."""
    for function in every_node(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        moved = [each for each in every_node(function) if isinstance(each, ast.Call) and _moves(each)]
        if moved and not _MINDS.search(written(function)) and not _is_caught(function):
            for call in moved:
                yield Risk(call.lineno, call.end_lineno or call.lineno, "no-such-day", ast.unparse(call)[:60])


def _moves(call: ast.Call) -> bool:
    """Return whether a call makes a date of another year or month with the day of one there is."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "replace":
        named = {each.arg: each.value for each in call.keywords}
        holder = ast.unparse(call.func.value)
        moved = [value for name, value in named.items() if name in ("year", "month")]
        return (
            bool(moved)
            and "day" not in named
            and not any(isinstance(value, ast.Constant) for value in moved)
            and holder not in _NO_DATES
            and not _FIRST_DAY.search(holder)
        )
    if len(call.args) < 3 or ast.unparse(call.func).rpartition(".")[2] not in ("date", "datetime"):
        return False
    year, month, day = map(ast.unparse, call.args[:3])
    owner = month.removesuffix(".month")
    return (
        month.endswith(".month") and day == f"{owner}.day" and year != f"{owner}.year" and not _FIRST_DAY.search(owner)
    )


def _is_caught(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        isinstance(each, ast.ExceptHandler) and (each.type is None or "ValueError" in ast.unparse(each.type))
        for each in every_node(function)
    )
