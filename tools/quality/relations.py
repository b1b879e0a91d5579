"""Rows that are reached from the row of a round: which relations models have, and where loops follow one."""

import ast
from collections.abc import Iterator

from .facts import LoopQuery

_MAKES_RELATION = ("ForeignKey", "OneToOneField", "relationship", "ForeignKeyField", "relation", "ReferenceField")
_LOADED_ALONG = ("joined", "selectin", "subquery", "immediate", "raise")
_LOADS = (
    *("select_related", "prefetch_related", "joinedload", "selectinload", "subqueryload", "contains_eager", "options"),
    *("values", "values_list", "only_fields", "join_related"),
)
_ASKS = frozenset({"objects", "query", "session", "select"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def relations(tree: ast.Module) -> tuple[list[str], list[str]]:
    """Return the attributes of models by which other rows are reached: one query each, and loaded along."""
    found: set[str] = set()
    along: set[str] = set()
    for owner in ast.walk(tree):
        for node in owner.body if isinstance(owner, ast.ClassDef) else ():
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if isinstance(target, ast.Name) and isinstance(value, ast.Call) and _makes_relation(value):
                (along if _is_loaded_along(value) else found).add(target.id)
                found |= {
                    str(each.value.value)
                    for each in value.keywords
                    if each.arg in ("backref", "related_name") and isinstance(each.value, ast.Constant)
                }
    return sorted(found), sorted(along)


def _makes_relation(call: ast.Call) -> bool:
    return ast.unparse(call.func).endswith(_MAKES_RELATION)


def _is_loaded_along(call: ast.Call) -> bool:
    lazy = next((each.value for each in call.keywords if each.arg == "lazy"), None)
    return isinstance(lazy, ast.Constant) and (lazy.value in _LOADED_ALONG or lazy.value is False)


def followed(tree: ast.Module) -> Iterator[LoopQuery]:
    """Yield the attributes of a row's attributes in loops over the rows of a query that loads nothing along."""
    names = {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(tree)}
    for function in ast.walk(tree) if names & _ASKS else ():
        if not isinstance(function, _Function):
            continue
        rows = {
            each.targets[0].id
            for each in ast.walk(function)
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _asks_plainly(each.value)
        }
        for loop in ast.walk(function):
            if not isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension) or not isinstance(
                loop.target, ast.Name
            ):
                continue
            if _asks_plainly(loop.iter) or (isinstance(loop.iter, ast.Name) and loop.iter.id in rows):
                yield from _in_loop(function, loop, loop.target.id)


def _asks_plainly(node: ast.expr) -> bool:
    """Return whether an expression is the rows of a query, whole rows and nothing else with them."""
    names = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    names |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return isinstance(node, ast.Call | ast.Attribute | ast.Await) and bool(names & _ASKS) and not names & {*_LOADS}


def _in_loop(function: _Function, loop: ast.For | ast.AsyncFor | ast.comprehension, row: str) -> Iterator[LoopQuery]:
    inside = loop.body if isinstance(loop, ast.For | ast.AsyncFor) else _around(function, loop)
    told: set[str] = set()
    for part in inside:
        for node in ast.walk(part):
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Attribute):
                continue
            owner = node.value
            if isinstance(owner.value, ast.Name) and owner.value.id == row and owner.attr not in told:
                told.add(owner.attr)
                yield LoopQuery(node.lineno, ast.unparse(node)[:80], relation=owner.attr)


def _around(function: _Function, wanted: ast.comprehension) -> list[ast.expr]:
    """Return what a comprehension makes in each round."""
    for node in ast.walk(function):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp) and wanted in node.generators:
            return [node.elt, *wanted.ifs]
        if isinstance(node, ast.DictComp) and wanted in node.generators:
            return [node.key, node.value, *wanted.ifs]
    return []
