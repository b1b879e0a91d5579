"""Who names whom inside one Python module."""

import ast
from collections.abc import Set

from ...syntax.walking import every_node
from .definitions import defs


def calls(tree: ast.Module) -> dict[str, list[str]]:
    """Return, by function, the functions of the file that it names."""
    functions = [node for node in every_node(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    ours = {node.name for node in functions}
    found: dict[str, set[str]] = {}
    for node in functions:
        named = {each.id for each in every_node(node) if isinstance(each, ast.Name)}
        named |= {each.attr for each in every_node(node) if isinstance(each, ast.Attribute)}
        found.setdefault(node.name, set()).update(named & ours - {node.name})
    return {name: sorted(names) for name, names in sorted(found.items()) if names}


def inner(tree: ast.Module) -> dict[str, list[str]]:
    """Return, by outermost definition, which outermost definitions it names; `""` for the code outside of them."""
    outer = [(node, owner) for node, owner in defs(tree, None) if owner is None]
    ours = {node.name for node, _ in outer}
    inside = {id(node) for node, _ in outer}
    found: dict[str, set[str]] = {}
    for node, _ in outer:
        found.setdefault(node.name, set()).update(_names_in(node, frozenset()) & ours)
    found[""] = _names_in(tree, inside) & ours
    return {name: sorted(names) for name, names in sorted(found.items()) if names}


def _names_in(node: ast.AST, without: Set[int]) -> set[str]:
    """Return the names and attributes used below a node, passing over the nodes with the given ids."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.Attribute):
            found.add(each.attr)
        waiting += [child for child in ast.iter_child_nodes(each) if id(child) not in without]
    return found
