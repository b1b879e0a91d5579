"""Definitions of a Python module, what it uses, and what in it never runs, as vulture finds them."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...facts.code import Defined
from ...syntax.names import Definition
from ...syntax.walking import every_node
from .kept import decorators, why_kept

if TYPE_CHECKING:
    from vulture.core import Item, Vulture


def scanned(text: str, path: str) -> "Vulture":
    """Return what vulture has seen in a module."""
    from vulture.core import Vulture

    vulture = Vulture()
    vulture.scan(text, path)
    return vulture


def unreachable(vulture: "Vulture", lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield first and last line of code that never runs; a lone `yield` is there to make its function a generator."""
    for item in vulture.unreachable_code:
        if item.first_lineno != item.last_lineno or not lines[item.first_lineno - 1].strip().startswith("yield"):
            yield item.first_lineno, item.last_lineno


def definitions(vulture: "Vulture", tree: ast.Module) -> list[Defined]:
    """Return functions, classes, methods and properties in the order of lines, with why some are kept."""
    every = list(defs(tree, None))
    nodes = {node.lineno: (node, owner) for node, owner in every}
    nodes |= {node.decorator_list[0].lineno: (node, owner) for node, owner in every if node.decorator_list}
    exported = _exported(tree)
    found = []
    items: list[tuple[str, list[Item]]] = [
        ("function", vulture.defined_funcs),
        ("class", vulture.defined_classes),
        ("method", vulture.defined_methods),
        ("property", vulture.defined_props),
    ]
    for what, group in items:
        for item in group:
            node, owner = nodes.get(item.first_lineno, (None, None))
            if node is None or node.name != item.name:
                continue
            kept = "exported" if item.name in exported and owner is None else why_kept(node, owner, what)
            by = decorators(node) if kept in ("decorated", "of templates") else []
            name = owner.name if owner is not None else ""
            found.append(Defined(item.name, what, item.first_lineno, item.last_lineno, name, kept, by))
    return sorted(found, key=lambda each: (each.line, each.name))


def defs(node: ast.AST, owner: Definition | None) -> Iterator[tuple[Definition, Definition | None]]:
    """Yield every definition with the definition around it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child, owner
            yield from defs(child, child)
        elif not isinstance(child, ast.expr):
            yield from defs(child, owner)


def _exported(tree: ast.Module) -> set[str]:
    """Return the strings of `__all__`."""
    return {
        element.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
        and "__all__" in ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        for element in every_node(node)
        if isinstance(element, ast.Constant) and isinstance(element.value, str)
    }
