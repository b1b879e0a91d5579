"""Coroutines: which functions make one, and which calls in asynchronous functions stand alone."""

import ast

from .facts import LoopQuery


def coroutines(tree: ast.Module) -> list[str]:
    """Return the names of functions and methods whose call does nothing until it is awaited."""
    return sorted(
        {
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.AsyncFunctionDef)
            and not node.decorator_list  # a decorator may make something else of it
            and not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
        }
    )


def standing_alone(tree: ast.Module) -> list[LoopQuery]:
    """Return the calls that are statements of their own in asynchronous functions, with whom they call."""
    return [
        LoopQuery(node.lineno, ast.unparse(node.value.func)[:80], name)
        for function in ast.walk(tree)
        if isinstance(function, ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and (name := _called(node.value.func))
    ]


def _called(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""
