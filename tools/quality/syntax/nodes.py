"""Nodes of trees that tree-sitter made: those below one, their text, a risk where one stands."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..facts.code import Risk

if TYPE_CHECKING:
    from tree_sitter import Node


def nodes_of(node: "Node") -> "Iterator[Node]":
    """Yield a node and all named ones below it, in the order of the text."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += reversed(each.named_children)


def text_of(node: "Node | None") -> str:
    """Return the text of a node, `""` of none."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""


def risk_at(node: "Node", rule: str) -> Risk:
    """Return a risk at the lines of a node, with the beginning of its text."""
    return Risk(node.start_point[0] + 1, node.end_point[0] + 1, rule, re.sub(r"\s+", " ", text_of(node))[:60])
