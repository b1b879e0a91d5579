"""Names in trees of Python: what a function or class is, what an expression is called."""

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def last_name(node: ast.expr) -> str:
    """Return the name an expression ends with, `filter` of `rows.filter`; `""` where it is no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
