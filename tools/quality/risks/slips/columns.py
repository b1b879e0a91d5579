"""Conditions on columns that Python works out itself, so that the database never sees them."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_FILTERS = frozenset({"filter", "where", "having", "exclude", "and_", "or_", "not_", "any", "has", "on"})
_GATHERS = re.compile(r"(?:cond|condition|clause|filter|criteria|criterion|where)\w*$", re.I)
_COLUMN = re.compile(r"^[A-Z]\w*[a-z]\w*\.(?:c\.)?[a-z]\w*$|^\w+\.c\.\w+$")
"""`Loan.returned_at`, `loans.c.returned_at`."""


def columns(tree: ast.Module) -> Iterator[Risk]:
    """Yield conditions of queries that are decided before the database is asked."""
    for node in every_node(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            queries = name in _FILTERS and (isinstance(node.func, ast.Attribute) or name.endswith("_"))
            gathers = (
                isinstance(node.func, ast.Attribute)
                and name == "append"
                and _GATHERS.search(ast.unparse(node.func.value)) is not None
            )
            for each in node.args if queries or gathers else ():
                if _is_decided(each):
                    yield Risk(each.lineno, each.end_lineno or each.lineno, "decided-in-python", ast.unparse(each)[:60])


def _is_decided(node: ast.expr) -> bool:
    """Return whether a condition is worked out by Python: by `is`, `not`, `in`, `and`, `or` on columns."""
    if isinstance(node, ast.Compare):
        by_python = isinstance(node.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn)
        return by_python and bool(_COLUMN.match(ast.unparse(node.left)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return bool(_COLUMN.match(ast.unparse(node.operand))) or _is_condition(node.operand)
    if isinstance(node, ast.BoolOp):
        return all(map(_is_condition, node.values))
    return False


def _is_condition(node: ast.expr) -> bool:
    """Return whether an expression is a condition on a column, such as `Loan.due < day`, or one of Django's `Q`."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] == "Q"
    return isinstance(node, ast.Compare) and bool(_COLUMN.match(ast.unparse(node.left)))
