"""Whether a text of JavaScript, TypeScript, Java or Go has values in it, or stands there as it is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


def is_put_together(node: "Node") -> bool:
    """Return whether a text has a value in it: a template that is filled in, or a sum with more than texts."""
    if node.type == "template_string":
        return any(child.type == "template_substitution" for child in node.named_children)
    if node.type == "binary_expression":
        return any(not is_literal(each) for each in node.named_children)
    if node.type == "ternary_expression":
        return any(map(is_put_together, node.named_children[1:]))
    return node.type == "parenthesized_expression" and any(map(is_put_together, node.named_children))


def is_literal(node: "Node") -> bool:
    """Return whether a text stands there as it is, also broken over several lines."""
    if node.type == "binary_expression":
        return all(is_literal(each) for each in node.named_children)
    return "string" in node.type and not is_put_together(node)
