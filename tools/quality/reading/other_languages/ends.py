"""Of scripts: statements that stand after the end of a path."""

from typing import TYPE_CHECKING

from ...syntax.nodes import nodes_of, text_of

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


def after_ends(root: "Node") -> list[tuple[int, int]]:
    """Return first and last line of statements after a return, throw, break or continue of the same list."""
    found = []
    for node in nodes_of(root):
        if node.type not in _LISTS:
            continue
        children = [child for child in node.named_children if child.type != "comment"]
        end = next((place for place, child in enumerate(children) if child.type in _ENDS), len(children))
        rest = [child for child in children[end + 1 :] if child.type not in _RUNS_ANYWAY and not _only_declares(child)]
        if rest:
            found.append((rest[0].start_point[0] + 1, rest[-1].end_point[0] + 1))
    return sorted(found)


def _only_declares(node: "Node") -> bool:
    return node.type == "variable_declaration" and "=" not in text_of(node)
