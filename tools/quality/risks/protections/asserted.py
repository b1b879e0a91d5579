"""Checks of what somebody handed in by `assert`: gone with `-O`, and otherwise a crash instead of an answer."""

import ast
import re
from collections.abc import Iterator, Set

from ...facts.code import Risk
from ...syntax.walking import every_node
from ..requests.flow import flow_of
from ..requests.received import taken

_WHO_MAY = re.compile(
    r"is_admin|is_staff|is_superuser|permission|\bcan_\w+|has_role|\.role\b|owner|authori[sz]ed|authenticated", re.I
)
"""What the linter tells as a hole."""
_LOOKS_UP = re.compile(
    r"\.(?:get|first|one_or_none|scalar|scalar_one_or_none|scalars|fetchone|find|find_one|get_or_none|find_by_\w+|by_\w+"
    r"|get_by_\w+|get_\w+|find_\w+|load_\w+|lookup)$"
)
"""What gives a row, or None where there is none of that name."""
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_PLAIN_CHECKS = frozenset({"isdigit", "isalpha", "isalnum", "startswith", "endswith", "match", "fullmatch", "strip"})


def asserted(tree: ast.Module) -> Iterator[Risk]:
    """Yield the asserts that check what their function was handed."""
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            asserts = [each for each in every_node(node) if isinstance(each, ast.Assert)]
            names = _handed(node) if asserts else frozenset()
            rows = _looked_up(node, names) if asserts else frozenset()
            for each in asserts:
                told = each.msg is not None and not isinstance(each.msg, ast.Name)
                missing = told and _is_there(each.test, rows)
                if (missing or _checks(each.test, names, told)) and not _WHO_MAY.search(ast.unparse(each.test)):
                    yield Risk(each.lineno, each.end_lineno or each.lineno, "checked-by-assert", _short(each.test))


def _handed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Set[str]:
    """Return the names of a function that hold something of its parameters: what it read of them too."""
    names = {each.arg for each in taken(node)}
    given = flow_of(node).given
    for _ in range(3):
        names |= {
            name.id
            for target, value in given
            if names & {each.id for each in every_node(value) if isinstance(each, ast.Name)}
            for name in every_node(target)
            if isinstance(name, ast.Name)
        }
    return names


def _looked_up(node: ast.FunctionDef | ast.AsyncFunctionDef, names: Set[str]) -> Set[str]:
    """Return the variables of a function that hold the row somebody named, or nothing."""
    found = set()
    for target, value in flow_of(node).given:
        call = value.value if isinstance(value, ast.Await) else value
        if isinstance(target, ast.Name) and isinstance(call, ast.Call) and _LOOKS_UP.search(ast.unparse(call.func)):
            given = [*call.args, *(each.value for each in call.keywords)]
            used = {each.id for value in given for each in every_node(value) if isinstance(each, ast.Name)}
            found |= {target.id} if used & names else set()
    return found


def _is_there(test: ast.expr, rows: Set[str]) -> bool:
    """Return whether a test asks whether a row was found."""
    if isinstance(test, ast.Compare):
        nothing = ast.unparse(test.comparators[0]) == "None" and isinstance(test.ops[0], ast.IsNot | ast.NotEq)
        return nothing and ast.unparse(test.left) in rows
    return isinstance(test, ast.Name) and test.id in rows


def _checks(test: ast.expr, names: Set[str], told: bool) -> bool:
    """Return whether a test looks at the value of what came in, not at its type or whether it is there."""
    if isinstance(test, ast.BoolOp):
        return any(_checks(each, names, told) for each in test.values)
    if isinstance(test, ast.UnaryOp):
        return _checks(test.operand, names, told)
    used = {each.id for each in every_node(test) if isinstance(each, ast.Name)}
    if not used & names:
        return False
    if isinstance(test, ast.Call):
        return told and isinstance(test.func, ast.Attribute) and test.func.attr in _PLAIN_CHECKS
    if not isinstance(test, ast.Compare) or any(isinstance(each, ast.Is | ast.IsNot) for each in test.ops):
        return False
    numbers = any(isinstance(each, ast.Constant) for each in test.comparators)
    return told or (numbers and isinstance(test.ops[0], _ORDERS) and "len(" not in ast.unparse(test))


def _short(node: ast.expr) -> str:
    return ast.unparse(node)[:60]
