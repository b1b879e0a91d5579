"""Names in trees of Python: what a function or class is, what an expression is called."""

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def last_name(node: ast.expr) -> str:
    """Return the name an expression ends with, `filter` of `rows.filter`; `""` where it is no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def whole(text: str) -> str:
    """Return a text of code with `?` for halves of characters (`"\\ud800"`): facts are kept as UTF-8, without them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def last_two_names(node: ast.expr) -> str:
    """Return whom a call means, as its last two names: `find`, `loads.find`, `Loads.find` of `Loads(session).find`."""
    if isinstance(node, ast.Name):
        return node.id
    if not isinstance(node, ast.Attribute):
        return ""
    holder = node.value.func if isinstance(node.value, ast.Call) else node.value
    last = holder.id if isinstance(holder, ast.Name) else holder.attr if isinstance(holder, ast.Attribute) else ""
    return f"{last}.{node.attr}" if last else ""
