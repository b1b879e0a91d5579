"""Walks over a syntax tree and its text, which many finders ask for: made once, kept on the nodes."""

import ast
from collections.abc import Sequence

_PLACE, _TEXT = "_place_in_flat", "_text"


def flatten(tree: ast.AST) -> None:
    """Remember for each node of a tree where it and what is below it stand in one list, parents before children.

    Contexts (`ast.Load`) are left out: the parser shares one object among all names, and nobody looks for them.
    """
    flat: list[ast.AST] = []
    starts: list[tuple[ast.AST, int]] = []
    ahead: list[ast.AST | None] = [tree]  # None: all below the last one begun has been seen
    while ahead:
        node = ahead.pop()
        if node is None:
            begun, start = starts.pop()
            vars(begun)[_PLACE] = (flat, start, len(flat))
            continue
        starts.append((node, len(flat)))
        flat.append(node)
        below = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)]
        ahead += [None, *reversed(below)]


def every_node(node: ast.AST) -> Sequence[ast.AST]:
    """Return a node and all below it, parents before children: `ast.walk`, but far faster where it was flattened."""
    place: tuple[list[ast.AST], int, int] | None = vars(node).get(_PLACE)
    if place is None:
        return list(ast.walk(node))
    flat, start, end = place
    return flat[start:end]


def written(node: ast.AST) -> str:
    """Return a node as source; kept, since several finders look through the text of the same function."""
    kept = vars(node)
    if _TEXT not in kept:
        kept[_TEXT] = ast.unparse(node)
    text: str = kept[_TEXT]
    return text
