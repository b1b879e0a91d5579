"""Generators that are gone through twice: the second time they are empty."""

import ast
from collections.abc import Iterator, Mapping, Set

from ...facts.code import Risk
from ...syntax.walking import every_node
from ..requests.received import Function

_GOES_THROUGH = frozenset(
    {
        *("list", "tuple", "set", "frozenset", "dict", "sum", "min", "max", "sorted", "enumerate", "len", "Counter"),
        *("any", "all", "join", "extend", "executemany", "writerows", "writelines", "fsum", "mean", "median", "deque"),
    }
)
"""Calls that go through what they are given; `any` and `all` at least through some of it."""
_MAKES = frozenset({"map", "filter", "zip", "reversed", "iter"})
_Branch = tuple[tuple[int, str], ...]
"""The conditions a node is under, each with which side of it."""


def used_up(tree: ast.Module) -> Iterator[Risk]:
    """Yield where a function goes through a generator for the second time."""
    generators = {
        node.name
        for node in every_node(tree)
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and _yields(node)
    }
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _in_function(node, generators)


def _yields(node: ast.FunctionDef) -> bool:
    inner = {
        id(each)
        for child in every_node(node)
        if isinstance(child, Function) and child is not node
        for each in every_node(child)
    }
    return any(isinstance(each, ast.Yield | ast.YieldFrom) and id(each) not in inner for each in every_node(node))


def _in_function(node: Function, generators: Set[str]) -> Iterator[Risk]:
    stored: dict[str, list[ast.expr]] = {}
    for each in every_node(node):
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            stored.setdefault(each.targets[0].id, []).append(each.value)
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            stored.setdefault(each.id, [])
    sets = [each.id for each in every_node(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    made = {name for name, values in stored.items() if len(values) == 1 and _is_made(values[0], generators)}
    once = {name for name in made if sets.count(name) == 1}
    if not once:
        return
    uses: dict[str, list[tuple[ast.expr, _Branch]]] = {name: [] for name in once}
    _gather(node.body, (), uses)
    for name, places in uses.items():
        for at, (second, branch) in enumerate(places):
            before = [under for _, under in places[:at] if not _is_apart(under, branch)]
            if before:
                yield Risk(second.lineno, second.end_lineno or second.lineno, "used-up", name)
                break


def _is_made(value: ast.expr, generators: Set[str]) -> bool:
    if isinstance(value, ast.GeneratorExp):
        return True
    named = isinstance(value, ast.Call) and isinstance(value.func, ast.Name | ast.Attribute)
    if not named or not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Name):
        return value.func.id in _MAKES | generators
    own = isinstance(value.func, ast.Attribute) and ast.unparse(value.func.value) == "self"
    return own and isinstance(value.func, ast.Attribute) and value.func.attr in generators


def _is_apart(first: _Branch, second: _Branch) -> bool:
    """Return whether two places are on different sides of one condition, or the first is where its function ends."""
    sides: Mapping[int, str] = dict(first)
    return any(sides.get(at, side) != side for at, side in second) or any(side.endswith("!") for side in sides.values())


def _gather(body: list[ast.stmt], branch: _Branch, uses: dict[str, list[tuple[ast.expr, _Branch]]]) -> None:
    """Note in order where the names are gone through, with the conditions around."""
    for statement in body:
        fresh = {each.id for each in getattr(statement, "targets", ()) if isinstance(each, ast.Name)}
        old = {name: places for name, places in uses.items() if name not in fresh}  # `rows = (f(x) for x in rows)`
        for field in ("test", "iter", "value", "exc", "msg"):
            part = getattr(statement, field, None)
            if isinstance(part, ast.expr):
                _note(part, branch, old, isinstance(statement, ast.For) and field == "iter")
        for item in getattr(statement, "items", ()):
            _note(item.context_expr, branch, uses, False)
        for side in ("body", "orelse", "finalbody"):
            inner = getattr(statement, side, None)
            if isinstance(inner, list) and inner and not isinstance(statement, Function | ast.ClassDef):
                splits = isinstance(statement, ast.If)
                ends = splits and isinstance(inner[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
                mark = ((id(statement), f"{side}!" if ends else side),) if splits else ()
                first = statement.iter if isinstance(statement, ast.For) and side == "body" else None
                taken = first.id if isinstance(first, ast.Name) else ""  # a loop that takes the rest knows
                _gather(inner, (*branch, *mark), {name: places for name, places in uses.items() if name != taken})
        for handler in getattr(statement, "handlers", ()):
            _gather(handler.body, (*branch, (id(statement), f"{handler.lineno}!")), uses)


def _note(part: ast.expr, branch: _Branch, uses: dict[str, list[tuple[ast.expr, _Branch]]], looped: bool) -> None:
    if looped and isinstance(part, ast.Name) and part.id in uses:
        uses[part.id].append((part, branch))
    for each in every_node(part):
        given: list[ast.expr] = []
        if isinstance(each, ast.Call):
            name = each.func.id if isinstance(each.func, ast.Name) else getattr(each.func, "attr", "")
            given = [value.value if isinstance(value, ast.Starred) else value for value in each.args]
            given = given if name in _GOES_THROUGH else [v.value for v in each.args if isinstance(v, ast.Starred)]
        elif isinstance(each, ast.comprehension):
            given = [each.iter]
        for value in given:
            if isinstance(value, ast.Name) and value.id in uses:
                uses[value.id].append((value, branch))
