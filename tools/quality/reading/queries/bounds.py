"""Numbers and lists of a function that cannot be large: a guard refuses more, or a step cuts them."""

import ast
from collections.abc import Iterator, Set

from ...syntax.names import Function, last_name
from ...syntax.walking import every_node

SMALL = 12
"""Rounds up to which a query each is no matter."""
_WITHIN = 7
"""The same for what a caller may give otherwise: a week, not a month."""


def bounded(function: ast.AST, known: Set[str]) -> set[str]:
    """Return the variables that hold a small number, or a list that a small number bounds.

    Args:
        function: A function.
        known: Names that are known to hold a small number.
    """
    found: set[str] = set()
    for node in every_node(function):
        if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Raise):
            found.update(name for test in _parts(node.test) for name in _refused(test, known))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_cut(node.value, known):
            found.add(node.targets[0].id)
    if isinstance(function, Function):
        found.update(_by_default(function.args))
    return found


def is_small_number(value: ast.expr | None, most: int = SMALL) -> bool:
    """Return whether an expression is a small whole number."""
    return isinstance(value, ast.Constant) and type(value.value) is int and 0 < value.value <= most


def _by_default(arguments: ast.arguments) -> Iterator[str]:
    plain = [*arguments.posonlyargs, *arguments.args]
    plain = plain[len(plain) - len(arguments.defaults) :]
    for each, value in (
        *zip(plain, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ):
        if is_small_number(value, _WITHIN):
            yield each.arg


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """Yield what is enough, each by itself, for a condition to hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        for each in test.values:
            yield from _parts(each)
    else:
        yield test


def _refused(test: ast.expr, known: Set[str]) -> Iterator[str]:
    """Yield what is small wherever a condition does not hold: `weeks > 5`, `not 0 <= weeks <= 5`, `len(tags) > 8`."""
    inside = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    compare = test.operand if isinstance(test, ast.UnaryOp) else test
    if not isinstance(compare, ast.Compare):
        return
    measured = compare.comparators[-2] if len(compare.comparators) > 1 else compare.left
    limits = (ast.Lt, ast.LtE) if inside else (ast.Gt, ast.GtE)
    if not isinstance(compare.ops[-1], limits) or not _is_limit(compare.comparators[-1], known):
        return
    if isinstance(measured, ast.Call) and last_name(measured.func) == "len" and measured.args:
        measured = measured.args[0]
    if isinstance(measured, ast.Name):
        yield measured.id


def _is_cut(value: ast.expr, known: Set[str]) -> bool:
    """Return whether a number is cut: `min(weeks, 5)`, `max(1, min(weeks, 5))`."""
    if not isinstance(value, ast.Call) or last_name(value.func) not in ("min", "max"):
        return False
    if last_name(value.func) == "min":
        return any(_is_limit(each, known) for each in value.args)
    return bool(value.args) and all(_is_limit(each, known) or _is_cut(each, known) for each in value.args)


def _is_limit(value: ast.expr, known: Set[str]) -> bool:
    named = isinstance(value, ast.Name | ast.Attribute) and last_name(value).isupper() and last_name(value) in known
    return named or is_small_number(value)
