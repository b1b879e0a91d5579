"""How deep the blocks of Python functions go."""

import ast

from ...facts.code import DEEP

_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)


def nested(tree: ast.Module) -> dict[int, int]:
    """Return, by the line of a function, how deep its blocks go where they go deep; `elif` goes no deeper than `if`."""
    found: dict[int, int] = {}
    waiting: list[tuple[ast.AST, int, int]] = [(tree, 0, 0)]
    while waiting:
        node, line, depth = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                waiting.append((child, child.lineno, 0))
            elif isinstance(child, _BLOCKS):
                otherwise = (
                    isinstance(child, ast.If) and isinstance(node, ast.If) and child.col_offset == node.col_offset
                )
                inner = depth + (not otherwise and not isinstance(child, ast.With | ast.AsyncWith))
                found[line] = max(found.get(line, 0), inner)
                waiting.append((child, line, inner))
            elif not isinstance(child, ast.expr):
                waiting.append((child, line, depth))
    return {line: depth for line, depth in sorted(found.items()) if line and depth >= DEEP}
