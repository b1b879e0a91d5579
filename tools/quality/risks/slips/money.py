"""Amounts of money as fractions: `int` cuts off where it should round, and `==` asks for what is never quite so."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_IS_MONEY = re.compile(
    r"(?:^|_)(?:prices?|amounts?|cents?|costs?|fees?|fares?|rents?|gross|salary|wages?|refunds?|deposits?|premiums?"
    r"|tariff|vat|surcharge|subtotal|euros?|dollars?|pence|pounds?|postage|commission|payout|discounts?)(?:$|_)"
)
_MAY_BE_MONEY = re.compile(
    r"(?:^|_)(?:totals?|sums?|nets?|balance|bills?|payments?|charges?|due|tax|credit|tip|share)$"
)
"""Counts as money where the file speaks of money elsewhere."""
_ROUNDS = re.compile(r"(?:^|\.)(?:round|ceil|floor|quantize|rint|to_integral\w*|Decimal)$")


def money(tree: ast.Module) -> Iterator[Risk]:
    """Yield amounts that are worked out as fractions and cut off by `int`, or compared with `==`."""
    names = {each.id for each in every_node(tree) if isinstance(each, ast.Name)}
    words = [_IS_MONEY, _MAY_BE_MONEY] if any(_IS_MONEY.search(each.lower()) for each in names) else [_IS_MONEY]
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _compared(node, words)
        cut = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int"
        if not cut or not isinstance(node, ast.Call) or len(node.args) != 1:
            continue
        value = node.args[0]
        if isinstance(value, ast.BinOp) and _is_fraction(value) and _is_amount(value, words) and not _is_rounded(value):
            yield Risk(node.lineno, node.end_lineno or node.lineno, "cut-off", ast.unparse(node)[:60])


def _is_fraction(value: ast.BinOp) -> bool:
    """Return whether a sum is no whole number: it is divided, multiplied by a fraction, or read as a float."""
    parts = list(every_node(value))
    if isinstance(value.op, ast.Mult):  # `int(price * 100)` of euros
        hundred = any(
            isinstance(each, ast.Constant) and each.value in (100, 1000) for each in (value.left, value.right)
        )
        read = any(isinstance(each, ast.Call) and ast.unparse(each.func) == "float" for each in parts)
        if hundred:
            return read or not any(isinstance(each, ast.BinOp) for each in (value.left, value.right))
    if isinstance(value.op, ast.Add) and any(
        isinstance(each, ast.Constant) and isinstance(each.value, float) and 0 < each.value < 1
        for each in (value.left, value.right)
    ):
        return False  # rounds by hand
    return any(
        (isinstance(each, ast.BinOp) and isinstance(each.op, ast.Div))
        or (isinstance(each, ast.Constant) and isinstance(each.value, float) and each.value % 1 != 0)
        for each in parts
    )


def _is_amount(value: ast.expr, words: list[re.Pattern[str]]) -> bool:
    """Return whether something in a sum is money by its name, or is read as a float and counted in hundredths."""
    names = [
        each.id if isinstance(each, ast.Name) else each.attr
        for each in every_node(value)
        if isinstance(each, ast.Name | ast.Attribute)
    ]
    keys = [
        str(each.slice.value)
        for each in every_node(value)
        if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant)
    ]
    return any(word.search(each.lower()) for each in (*names, *keys) for word in words)


def _is_rounded(value: ast.expr) -> bool:
    return any(isinstance(each, ast.Call) and _ROUNDS.search(ast.unparse(each.func)) for each in every_node(value))


def _compared(function: ast.FunctionDef | ast.AsyncFunctionDef, words: list[re.Pattern[str]]) -> Iterator[Risk]:
    """Yield amounts compared with `==` of which one is a float: it was divided, or its type says so.

    `!=` of two that are only handed in asks whether something has changed, and is right about that.
    """
    floats = _floats(function)
    for node in every_node(function):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            continue
        sides = [node.left, node.comparators[0]]
        if any(isinstance(each, ast.Constant) or _is_rounded(each) for each in sides):
            continue
        divided = any(isinstance(each, ast.BinOp) and _is_fraction(each) and _is_amount(each, words) for each in sides)
        typed = isinstance(node.ops[0], ast.Eq) and any(
            isinstance(each, ast.Name) and each.id in floats for each in sides
        )
        if divided or (typed and all(_is_amount(each, words) for each in sides)):
            yield Risk(node.lineno, node.end_lineno or node.lineno, "equal-to-fraction", ast.unparse(node)[:60])


def _floats(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Return the parameters of a function that are floats by their type."""
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return {each.arg for each in every if each.annotation and re.match(r"float\b", ast.unparse(each.annotation))}
