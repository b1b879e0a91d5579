"""What the variables of a function hold, as far as it tells whether a call on them asks a database."""

import ast
from collections.abc import Callable, Set

from ...syntax.walking import every_node
from .database_calls import chain_of

_CONTAINERS = frozenset(
    {
        "dict",
        "list",
        "set",
        "defaultdict",
        "Counter",
        "deque",
        "OrderedDict",
        "sorted",
        "frozenset",
        "tuple",
        "ChainMap",
    }
)
_ANSWERS = frozenset(
    {
        "first",
        "last",
        "get",
        "one",
        "one_or_none",
        "count",
        "exists",
        "scalar",
        "aggregate",
        "latest",
        "earliest",
        "pop",
    }
)
_ASKED = _ANSWERS - {"pop"} | {"first_or_404", "get_or_404", "one_or_404", "update", "delete", "in_bulk"}


def containers(function: ast.AST) -> Set[str]:
    """Return the variables that are only ever set to dictionaries, lists and sets: their `get` asks nobody."""
    return _only(function, _is_container)


def query_sets(function: ast.AST) -> Set[str]:
    """Return the variables that hold a query that has not run yet: each `count()` on them is one."""
    begun = {
        node.targets[0].id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_query_set(node.value, "")
    }
    return _only(function, _is_query_set) & begun


def loaded_along(function: ast.AST) -> Set[str]:
    """Return the relations that queries of a function load along with their rows: `prefetch_related("lines")`."""
    return {
        name
        for node in every_node(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "prefetch_related"
        for part in every_node(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
        for name in part.value.split("__")
    }


def asks_held(call: ast.Call, held: Set[str]) -> bool:
    """Return whether a call runs a query that a variable holds: `sessions.filter(kind=kind).count()`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _ASKED:
        return False
    chain = chain_of(call.func.value)
    return bool(chain) and chain[0] in held


def _only(function: ast.AST, fits: Callable[[ast.expr, str], bool]) -> Set[str]:
    """Return the variables of which every value fits."""
    values: dict[str, list[ast.expr]] = {}
    for node in every_node(function):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name) and node.value is not None:
            values.setdefault(target.id, []).append(node.value)
    return frozenset(name for name, set_to in values.items() if all(fits(each, name) for each in set_to))


def _is_container(value: ast.expr, _name: str) -> bool:
    if isinstance(value, ast.Call):
        called = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return called in _CONTAINERS
    return isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)


def _is_query_set(value: ast.expr, name: str) -> bool:
    """Return whether a value is a query, or the same query with another condition."""
    if not isinstance(value, ast.Call | ast.Attribute):
        return False
    chain = chain_of(value)
    if not chain or chain[-1] in _ANSWERS:
        return False
    if chain[0] == name:
        return True
    return "objects" in chain or ("query" in chain[:2] and chain[-1] != "all")
