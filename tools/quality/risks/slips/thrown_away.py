"""Objects that are made by a statement of their own and that nobody takes: exceptions that are never raised."""

import ast

from ...facts.code import LoopQuery
from ...syntax.walking import every_node


def thrown_away(tree: ast.Module) -> list[LoopQuery]:
    """Return the calls of classes, by their capital, that are statements: `NotAllowed("somebody else signs")`."""
    return [
        LoopQuery(node.lineno, ast.unparse(node.value)[:60], name)
        for node in every_node(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and (name := _class(node.value.func))
        and name.rpartition(".")[2][:1].isupper()
    ]


def _class(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""
