"""What asks a database behind a plain look at a row: properties of models, and columns of lists in Django's admin."""

import ast
from collections.abc import Iterator, Set

from ...facts.code import LoopQuery
from ...syntax.names import Function, last_name
from ...syntax.walking import every_node
from .database_calls import chain_of, is_query

_ASKS_ANEW = frozenset({"first", "last", "filter", "exclude", "aggregate", "order_by", "latest", "earliest"})
_ASKED = _ASKS_ANEW | {"all", "count", "exists"}
"""Those besides take what was loaded along, where it was."""


def asking_properties(tree: ast.Module) -> list[str]:
    """Return the properties of classes that ask for rows of their row each time: `self.lines.count()`."""
    return sorted(
        {
            method.name
            for owner in every_node(tree)
            if isinstance(owner, ast.ClassDef)
            for method in owner.body
            if isinstance(method, Function) and _is_property(method) and next(_asked(method, "self", _ASKS_ANEW), None)
        }
    )


def admin_columns(tree: ast.Module) -> Iterator[LoopQuery]:
    """Yield where a column of a list in Django's admin asks once for every row of it."""
    for owner in every_node(tree):
        if not isinstance(owner, ast.ClassDef) or not any(last_name(base).endswith("Admin") for base in owner.bases):
            continue
        if any(isinstance(each, Function) and each.name in ("get_queryset", "queryset") for each in owner.body):
            continue  # what it loads along is said there
        shown = {
            str(each.value)
            for node in owner.body
            if isinstance(node, ast.Assign) and last_name(node.targets[0]) == "list_display"
            for each in every_node(node.value)
            if isinstance(each, ast.Constant)
        }
        for method in owner.body:
            if isinstance(method, Function) and method.name in shown and len(method.args.args) > 1:
                for call in list(_asked(method, method.args.args[1].arg, _ASKED))[:1]:
                    yield LoopQuery(call.lineno, ast.unparse(call.func)[:80], loop=method.lineno)


def _is_property(method: Function) -> bool:
    return any(last_name(each) in ("property", "hybrid_property") for each in method.decorator_list)


def _asked(method: Function, row: str, asked: Set[str]) -> Iterator[ast.Call]:
    """Yield the queries of a method, and what it asks of the rows that belong to its row."""
    for node in every_node(method):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        chain = chain_of(node.func.value)
        of_row = chain[:1] == [row] and len(chain) > 1 and node.func.attr in asked and not _is_plain(node)
        if is_query(node) or of_row:
            yield node


def _is_plain(call: ast.Call) -> bool:
    """Return whether a method is one of texts and lists: `self.name.count("a")`."""
    return call.func.attr == "count" and bool(call.args)  # type: ignore[attr-defined]
