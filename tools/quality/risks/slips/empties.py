"""Means and shares of lists that may be empty: the first month without an entry divides by zero."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ASKS = re.compile(
    r"\.(?:all|fetchall|filter|filter_by|exclude|scalars|values_list|mappings|find|select|order_by|to_list)$|^(?:list|sorted)$"
)
_COUNTS = re.compile(r"^(?:sum|len)$|\.count$")
_STEPS = 3
_MEANS = re.compile(r"^(?:statistics\.)?(?:mean|fmean|median|mode|harmonic_mean)$")
_CAUGHT = re.compile(r"ZeroDivision|Arithmetic|StatisticsError|\bException\b|ValueError")


def empties(tree: ast.Module) -> Iterator[Risk]:
    """Yield divisions by the length or the sum of what a function picked or asked for, and did not look at."""
    for function in every_node(tree):
        if isinstance(function, _Function):
            divided = [
                each for each in every_node(function) if isinstance(each, ast.BinOp | ast.Call) and _divides(each)
            ]
            if divided:
                yield from _unlooked(function, divided)


def _divides(node: ast.BinOp | ast.Call) -> bool:
    if isinstance(node, ast.Call):
        return bool(node.args) and isinstance(node.args[0], ast.Name) and bool(_MEANS.search(ast.unparse(node.func)))
    return isinstance(node.op, ast.Div | ast.FloorDiv) and isinstance(node.right, ast.Name | ast.Call)


def _unlooked(function: _Function, divided: list[ast.BinOp | ast.Call]) -> Iterator[Risk]:
    given = _given(function)
    if _is_caught(function):
        return
    looked = _looked_at(function)
    for node in divided:
        by = node.right if isinstance(node, ast.BinOp) else node
        counted = _counted(by, given)
        if counted is None:
            continue
        names = _origins(counted, given) | ({by.id} if isinstance(by, ast.Name) else set())
        if _may_be_empty(counted, given, _STEPS) and not names & looked:
            yield Risk(node.lineno, node.end_lineno or node.lineno, "divided-by-nothing", ast.unparse(by)[:60])


def _given(function: _Function) -> dict[str, list[ast.expr]]:
    """Return what a function sets its names to."""
    found: dict[str, list[ast.expr]] = {}
    for each in every_node(function):
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(each.value)
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            found.setdefault(each.target.id, []).extend([each.value, each.value])  # more than one: not followed
    return found


def _counted(by: ast.expr, given: dict[str, list[ast.expr]]) -> ast.expr | None:
    """Return what a divisor counts: `rows` of `len(rows)`, of `total = sum(rows)`, and of `mean(rows)`."""
    if isinstance(by, ast.Name):
        values = given.get(by.id, [])
        by = values[0] if len(values) == 1 else by
    if not isinstance(by, ast.Call):
        return None
    name = ast.unparse(by.func)
    if not (_COUNTS.search(name) or _MEANS.search(name)):
        return None
    return by.args[0] if by.args and not name.endswith(".count") else by


def _may_be_empty(counted: ast.expr, given: dict[str, list[ast.expr]], steps: int) -> bool:
    """Return whether a list was picked or asked for here; what a caller hands in is the caller's to look at."""
    if isinstance(counted, ast.Name):
        values = given.get(counted.id, [])
        followed = steps > 0 and len(values) == 1 and not isinstance(values[0], ast.Name)
        return followed and _may_be_empty(values[0], given, steps - 1)
    if isinstance(counted, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        first = counted.generators[0]
        source = first.iter
        asked = isinstance(source, ast.Name | ast.Call) and _may_be_empty(source, given, steps)
        return asked or bool(first.ifs and isinstance(source, ast.Attribute))
    if isinstance(counted, ast.List):  # filled later, if at all
        return not counted.elts
    return isinstance(counted, ast.Call) and _is_asked(counted)


def _is_asked(call: ast.Call) -> bool:
    """Return whether a call asks for rows, or lists some that it asked for."""
    name = ast.unparse(call.func)
    if name in ("list", "sorted"):
        return bool(call.args) and isinstance(call.args[0], ast.Call) and _is_asked(call.args[0])
    return bool(
        _ASKS.search(name) or re.search(r"\b(?:query|objects|filter|filter_by|where)\b.*\.count$", name, re.DOTALL)
    )


def _origins(counted: ast.expr, given: dict[str, list[ast.expr]]) -> set[str]:
    """Return the names a list is made of, over a few steps."""
    found = {each.id for each in every_node(counted) if isinstance(each, ast.Name)}
    for _ in range(2):
        found |= {
            each.id
            for name in found & given.keys()
            for value in given[name]
            for each in every_node(value)
            if isinstance(each, ast.Name)
        }
    return found


def _looked_at(function: _Function) -> set[str]:
    """Return the names that some condition of a function, or a loop, asks; so does `max(1, len(rows))`."""
    tests: list[ast.AST] = []
    for each in every_node(function):
        if isinstance(each, ast.If | ast.IfExp | ast.While | ast.Assert):
            tests.append(each.test)
        elif isinstance(each, ast.BoolOp):
            tests.append(each)
        elif isinstance(each, ast.For):
            tests.append(each.iter)
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "max":
            tests += each.args
    return {each.id for test in tests for each in every_node(test) if isinstance(each, ast.Name)}


def _is_caught(function: _Function) -> bool:
    return any(
        isinstance(each, ast.ExceptHandler) and (each.type is None or _CAUGHT.search(ast.unparse(each.type)))
        for each in every_node(function)
    )
