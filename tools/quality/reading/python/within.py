"""Who names whom inside one Python module."""

import ast
from collections.abc import Iterator, Set

from ...syntax.names import Function, last_name
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


def of_objects(tree: ast.Module) -> list[str]:
    """Return the names of the file's own functions, and what is asked of objects only: `Boats(session).moored(pier)`.

    What holds a module may go by any name; an object is told by what made it, or by standing in `self`.
    """
    imported = {each for node in every_node(tree) if isinstance(node, ast.alias) for each in (node.name, node.asname)}
    asked = {node.name for node in tree.body if isinstance(node, Function)} - imported
    other = {node.id for node in every_node(tree) if isinstance(node, ast.Name)} - asked | imported
    of_functions: dict[int, str] = {}
    for function in every_node(tree):
        if isinstance(function, Function):
            made = _made(function)
            of_functions |= {id(node): node.attr for node in _attributes(function) if _is_object(node.value, made)}
    for node in _attributes(tree):
        (asked if id(node) in of_functions else other).add(node.attr)
    return sorted(asked - other - {None})


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


def _attributes(tree: ast.AST) -> Iterator[ast.Attribute]:
    return (node for node in every_node(tree) if isinstance(node, ast.Attribute))


def _made(function: Function) -> Set[str]:
    """Return the variables of a function that hold objects it makes."""
    return {
        node.targets[0].id
        for node in every_node(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _makes(node.value)
    }


def _is_object(node: ast.expr, made: Set[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "self"
    return _makes(node) or (isinstance(node, ast.Name) and node.id in made)


def _makes(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func).lstrip("_")[:1].isupper()
