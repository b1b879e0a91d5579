"""Amounts of money that lose their fraction: `int` cuts off where it should round."""

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
    """Yield amounts that are worked out as fractions and cut off by `int`."""
    names = {each.id for each in every_node(tree) if isinstance(each, ast.Name)}
    words = [_IS_MONEY, _MAY_BE_MONEY] if any(_IS_MONEY.search(each.lower()) for each in names) else [_IS_MONEY]
    for node in every_node(tree):
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
