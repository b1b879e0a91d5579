"""Functions in trees of tree-sitter: what they are called, and which one is around a node."""

from typing import TYPE_CHECKING

from .nodes import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
"""Languages of scripts, by the names of their parsers."""
OF_SCRIPTS = frozenset(
    {
        *("function_declaration", "function_expression", "arrow_function", "method_definition"),
        "generator_function_declaration",
    }
)
"""Kinds of nodes that are functions of JavaScript and TypeScript."""
FUNCTIONS = OF_SCRIPTS | {"method_declaration", "constructor_declaration", "func_literal", "lambda_expression"}
"""Those of Java and Go, too."""


def function_around(node: "Node") -> "Node | None":
    """Return the innermost function of a script around a node."""
    each = node.parent
    while each is not None and each.type not in OF_SCRIPTS:
        each = each.parent
    return each


def named_around(node: "Node") -> "Node | None":
    """Return the innermost function of a script around a node that has a name."""
    each = function_around(node)
    while each is not None and not name_of(each):
        each = function_around(each)
    return each


def name_of(function: "Node") -> str:
    """Return the name of a function, or of the variable that holds it; `""` where it has none."""
    named = function.child_by_field_name("name")
    if named is None and function.parent is not None and function.parent.type == "variable_declarator":
        named = function.parent.child_by_field_name("name")
    return text_of(named)
