"""Names of columns that a function looked up in what is written down, before it puts them into SQL."""

import ast
import re
from collections.abc import Iterator

from ...syntax.walking import every_node

_LEAVES = (ast.Raise, ast.Return, ast.Continue)
_WRITTEN_DOWN = re.compile(r"\b_?[A-Z][A-Z0-9_]{2,}\b")
_OF_SETS = frozenset({"difference", "issubset"})


def is_looked_up(name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function goes no further with a name, or one of several, that a constant does not hold.

    So say `if column not in _COLUMNS: raise ...` and, of several, `unknown = set(values) - set(_COLUMNS)` with
    `if unknown: raise ...`, also as `any(each not in _COLUMNS for each in values)` and `set(values) <= _COLUMNS`.
    """
    for node in every_node(function):
        if isinstance(node, ast.If) and _turns_away(node, name):
            compared = [node.test, *_meant(node.test, function)]
            if any(_asks(part, name) for each in compared for part in every_node(each)):
                return True
        elif isinstance(node, ast.For) and _goes_through(node, name) and isinstance(node.target, ast.Name | ast.Tuple):
            row = next((each.id for each in every_node(node.target) if isinstance(each, ast.Name)), "")
            if any(_refuses(each, row) for each in every_node(node)):
                return True
    return False


def _turns_away(node: ast.If, name: str) -> bool:
    """Return whether a branch leaves, or sets the name anew, and is not for names that a constant holds."""
    known = isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.In)
    return not known and any(isinstance(each, _LEAVES) or _sets(each, name) for each in node.body)


def _refuses(node: ast.AST, name: str) -> bool:
    """Return whether a condition raises for a name that a constant does not hold."""
    return (
        isinstance(node, ast.If)
        and any(isinstance(each, ast.Raise) for each in node.body)
        and any(_asks(part, name) for part in every_node(node.test))
    )


def _asks(node: ast.AST, name: str) -> bool:
    """Return whether an expression compares a name, or what a list of that name holds, with a constant."""
    inside: list[ast.expr] = []
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.NotIn | ast.In | ast.LtE | ast.Lt | ast.GtE):
        inside = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        inside = [node.left, node.right]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_SETS:
        inside = [node.func.value, *node.args]
    elif isinstance(node, ast.GeneratorExp | ast.ListComp) and _goes_through(node.generators[0], name):
        return any(
            _asks(each, row) for row in _names(node.generators[0].target) for each in every_node(node) if each != node
        )
    fixed = [each for each in inside if _is_written_down(each)]
    open_ones = [each for each in inside if not _is_written_down(each)]
    return bool(fixed) and any(name in _names(each) for each in open_ones)


def _is_written_down(node: ast.expr) -> bool:
    """Return whether a value is a constant by its name, or a list or set that stands here."""
    inside = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else node
    if isinstance(inside, ast.Set | ast.List | ast.Tuple):
        return bool(inside.elts) and all(isinstance(each, ast.Constant) for each in inside.elts)
    return isinstance(inside, ast.Name | ast.Attribute) and bool(
        _WRITTEN_DOWN.fullmatch(ast.unparse(inside).rpartition(".")[2])
    )


def _names(node: ast.AST) -> Iterator[str]:
    yield from (each.id for each in every_node(node) if isinstance(each, ast.Name))


def _goes_through(loop: ast.For | ast.comprehension, name: str) -> bool:
    """Return whether a loop goes through a list or the keys of a dict of that name."""
    return bool(re.fullmatch(rf"{re.escape(name)}(?:\.(?:keys|items)\(\))?", ast.unparse(loop.iter)))


def _sets(node: ast.stmt, name: str) -> bool:
    """Return whether a statement puts something else in the place of the name."""
    return isinstance(node, ast.Assign) and any(ast.unparse(each) == name for each in node.targets)


def _meant(test: ast.expr, function: ast.AST) -> Iterator[ast.expr]:
    """Yield what the names of a condition were set to: `unknown` of `if unknown: raise`."""
    asked = set(_names(test))
    for node in every_node(function):
        if isinstance(node, ast.Assign) and any(ast.unparse(each) in asked for each in node.targets):
            yield node.value
