"""Branches for values that are left over where every value that can come was handled above them."""

import ast
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.names import Function, last_name
from ...syntax.walking import every_node

_ENUMS = frozenset({"Enum", "StrEnum", "IntEnum"})
_MOST = 30
_Guard = tuple[int, str]
"""Line after which a variable has one of some values, and those: `=a,b` as they are written, or the constant's name."""


def listed(tree: ast.Module) -> dict[str, list[str]]:
    """Return, by constant that lists values and by enumeration, all values: texts, or names in capitals."""
    found: dict[str, list[str]] = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name) and target.id.isupper():
            if node.value is not None and (values := _values(node.value)):
                found[target.id] = values
        elif isinstance(node, ast.ClassDef) and any(last_name(base) in _ENUMS for base in node.bases):
            set_to = [each.targets[0] for each in node.body if isinstance(each, ast.Assign)]
            found[node.name] = sorted(each.id for each in set_to if isinstance(each, ast.Name))
    return found


def handled_before(tree: ast.Module) -> list[Risk]:
    """Return the last branches after which nothing can be left over, if some constant holds no more than was handled.

    `what` names what was handled, `given` the constant or the values that all are. A branch that refuses, or gives
    nothing back, is a guard against values of tomorrow.
    """
    found: list[Risk] = []
    for function in every_node(tree):
        if isinstance(function, Function):
            guards = _guards(function)
            inner = {id(node.orelse[0]) for node in every_node(function) if isinstance(node, ast.If) and node.orelse}
            for node in every_node(function) if guards else ():
                if isinstance(node, ast.If) and id(node) not in inner:
                    found += _left_over(node, function, guards)
    return sorted(found, key=lambda each: each.line)


def _left_over(node: ast.If, function: Function, guards: dict[str, _Guard]) -> Iterator[Risk]:
    name, first = _asked(node.test)[0], node
    after, given = guards.get(name, (0, ""))
    if not given or first.lineno <= after or _is_set(function, name, range(after + 1, first.lineno)):
        return
    handled: set[str] = set()
    while True:
        asked, values = _asked(node.test)
        if asked != name or not values:
            return
        handled.update(values)
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            break
        node = node.orelse[0]
    if node.orelse and not all(map(_is_guard, node.orelse)):
        last = node.orelse[-1].end_lineno or node.lineno
        yield Risk(node.orelse[0].lineno, last, "handled", ",".join(sorted(handled)), given)


def _is_guard(node: ast.stmt) -> bool:
    """Return whether a statement refuses or does nothing: it may stand where nothing comes."""
    if isinstance(node, ast.Return):
        return node.value is None or isinstance(node.value, ast.Constant)
    asserts = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and "never" in last_name(node.value.func)
    return asserts or isinstance(node, ast.Raise | ast.Assert | ast.Pass | ast.Continue | ast.Break)


def _guards(function: Function) -> dict[str, _Guard]:
    """Return, by variable, from which line on it has one of some values: others are refused, or its type says so."""
    found: dict[str, _Guard] = {}
    for each in (*function.args.args, *function.args.kwonlyargs):
        kind = each.annotation
        if isinstance(kind, ast.Name) and kind.id[:1].isupper():
            found[each.arg] = function.lineno, kind.id
        elif isinstance(kind, ast.Subscript) and last_name(kind.value) == "Literal" and (values := _values(kind.slice)):
            found[each.arg] = function.lineno, "=" + ",".join(values)
    for node in function.body:
        match node:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.NotIn()], comparators=[within]),
                body=[*_, ast.Raise() | ast.Return()],
                orelse=[],
            ):
                values = _values(within)
                given = "=" + ",".join(values) if values else last_name(within) if last_name(within).isupper() else ""
                if given:
                    found[name] = node.end_lineno or node.lineno, given
            case _:
                pass
    return found


def _asked(test: ast.expr) -> tuple[str, list[str]]:
    """Return the variable a condition asks for some values, and those; nothing where it asks for anything else."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        parts = [_asked(each) for each in test.values]
        same = len({name for name, _ in parts}) == 1 and all(values for _, values in parts)
        return (parts[0][0], [each for _, values in parts for each in values]) if same else ("", [])
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.Is()], comparators=[value]):
            return name, [each for each in [_value(value)] if each]
        case ast.Compare(left=ast.Name(id=name), ops=[ast.In()], comparators=[within]):
            return name, _values(within)
    return "", []


def _values(node: ast.expr) -> list[str]:
    """Return the values that are written down one by one; empty where some are not."""
    if isinstance(node, ast.Call) and last_name(node.func) in ("frozenset", "set", "tuple") and node.args:
        node = node.args[0]
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
    values = [_value(each) for each in parts]
    return sorted(values) if all(values) and len(values) <= _MOST else []


def _value(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) and "," not in node.value else ""
    return last_name(node) if last_name(node).isupper() else ""


def _is_set(function: Function, name: str, lines: range) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) and node.lineno in lines
        for node in every_node(function)
    )
