"""What a query loads along with its rows, as far as it is named there."""

import ast

from ...syntax.names import last_name
from ...syntax.walking import every_node

_LOADERS = frozenset(
    {"select_related", "prefetch_related", "joinedload", "selectinload", "subqueryload", "contains_eager", "Prefetch"}
)
_PLAIN = frozenset({"load_only", "defer", "undefer", "with_expression"})
"""Options that load nothing along."""
_LOADS = _LOADERS | {"options", "values", "values_list", "only_fields", "join_related"}


def loads_along(node: ast.expr) -> bool:
    """Return whether a query loads something along with its rows, or only some values of them."""
    return any(getattr(each, "attr", getattr(each, "id", "")) in _LOADS for each in every_node(node))


def named_loads(node: ast.expr) -> frozenset[str]:
    """Return the relations that a query loads along; empty where not all of them are named."""
    found: set[str] = set()
    for each in every_node(node):
        name = last_name(each.func) if isinstance(each, ast.Call) else ""
        if not isinstance(each, ast.Call) or name not in _LOADS:
            continue
        if name == "options":
            if not all(isinstance(part, ast.Call) and last_name(part.func) in _LOADERS | _PLAIN for part in each.args):
                return frozenset()
            continue
        named = [_named(part) for part in (each.args[:1] if name == "Prefetch" else each.args)]
        if name not in _LOADERS or not named or not all(named):
            return frozenset()
        found.update(*named)
    return frozenset(found)


def _named(part: ast.expr) -> list[str]:
    """Return the relations of one argument: `"lines__product"`, `Order.lines`, `Prefetch("lines")`."""
    if isinstance(part, ast.Call) and last_name(part.func) == "Prefetch" and part.args:
        return _named(part.args[0])
    if isinstance(part, ast.Attribute):
        return [part.attr]
    named = isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value != "*"
    return part.value.split("__") if named else []  # type: ignore[attr-defined]
