"""Of scripts: statements that stand after the end of a path, and the methods of their classes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...facts.code import Defined
from ...syntax.nodes import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ENDS = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_LISTS = frozenset({"statement_block", "switch_case", "switch_default", "program"})
_RUNS_ANYWAY = frozenset(
    {
        *("comment", "function_declaration", "generator_function_declaration", "empty_statement", "break_statement"),
        *("interface_declaration", "type_alias_declaration", "export_statement", "class_declaration"),
    }
)
"""What is known before its line is reached, what does nothing, and the `break` that a `case` ends with by habit."""
_CALLED_BY_OTHERS = frozenset(
    {"constructor", "toString", "toJSON", "valueOf", "render", "then", "dispose", "asyncDispose"}
)


def after_ends(root: "Node") -> list[tuple[int, int]]:
    """Return first and last line of statements after a return, throw, break or continue of the same list."""
    found = []
    for node in _all(root):
        if node.type not in _LISTS:
            continue
        children = [child for child in node.named_children if child.type != "comment"]
        end = next((place for place, child in enumerate(children) if child.type in _ENDS), len(children))
        rest = [child for child in children[end + 1 :] if child.type not in _RUNS_ANYWAY and not _only_declares(child)]
        if rest:
            found.append((rest[0].start_point[0] + 1, rest[-1].end_point[0] + 1))
    return sorted(found)


def methods(root: "Node") -> list[Defined]:
    """Return the methods of classes that have no base, without those that are decorated or called by the language."""
    found = []
    for node in _all(root):
        body = node.child_by_field_name("body") if node.type in ("class_declaration", "class") else None
        if body is None or any(child.type == "class_heritage" and _extends(child) for child in node.named_children):
            continue
        owner = node.child_by_field_name("name")
        before = ""
        for child in body.named_children:
            name = child.child_by_field_name("name")
            plain = child.type == "method_definition" and before != "decorator"
            before = child.type
            if not plain or name is None or name.type not in ("property_identifier", "private_property_identifier"):
                continue
            if text_of(name) not in _CALLED_BY_OTHERS and not any(each.type == "decorator" for each in child.children):
                lines = child.start_point[0] + 1, child.end_point[0] + 1
                found.append(Defined(text_of(name), "method", *lines, text_of(owner) if owner is not None else "", ""))
    return found


def own_name(node: "Node") -> bool:
    """Return whether a name is the one of the method it begins."""
    parent = node.parent
    return parent is not None and parent.type == "method_definition" and parent.child_by_field_name("name") == node


def _extends(heritage: "Node") -> bool:
    """Return whether a class has a base; what it implements has its names."""
    return any(child.type != "implements_clause" for child in heritage.named_children)


def _only_declares(node: "Node") -> bool:
    return node.type == "variable_declaration" and "=" not in text_of(node)


def _all(root: "Node") -> "Iterator[Node]":
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.named_children
