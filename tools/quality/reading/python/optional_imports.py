"""Imports of a Python module that need not succeed."""

import ast

from ...syntax.walking import every_node, written


def optional_lines(tree: ast.Module) -> set[int]:
    """Return the lines of imports that need not succeed: in `try` with a handler for it, or in a module's own `if`.

    In a function an `if` says when something is needed, not whether it is there.
    """
    lines: set[int] = set()
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, late = waiting.pop()
        asks = isinstance(node, ast.If) and (not late or "find_spec" in written(node.test))
        if asks or (isinstance(node, ast.Try) and any(map(_handles_imports, node.handlers))):
            imports = (each for each in every_node(node) if isinstance(each, ast.Import | ast.ImportFrom))
            lines |= {each.lineno for each in imports}
        late = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        waiting += [(child, late) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
    return lines


def _handles_imports(handler: ast.ExceptHandler) -> bool:
    caught = ast.unparse(handler.type) if handler.type else "Exception"
    return any(name in caught for name in ("ImportError", "ModuleNotFoundError", "Exception"))
