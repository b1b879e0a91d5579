"""Coroutines: which functions make one, and which calls in asynchronous functions nobody awaits."""

import ast
from collections.abc import Iterator

from ...facts.code import LoopQuery, Risk
from ...syntax.walking import every_node

_OF_SESSIONS = frozenset({"commit", "rollback", "flush", "refresh", "execute", "scalar", "scalars", "close", "delete"})
_OF_CLIENTS = frozenset({"get", "post", "put", "patch", "delete", "request", "send", "aclose"})
_KNOWN = {"AsyncSession": _OF_SESSIONS, "AsyncConnection": _OF_SESSIONS, "AsyncClient": _OF_CLIENTS}
"""Methods of well-known classes that make coroutines."""
_ALWAYS = frozenset({"asyncio.sleep", "asyncio.wait_for", "asyncio.to_thread", "asyncio.wait", "anyio.sleep"})
_Async = ast.AsyncFunctionDef


def coroutines(tree: ast.Module) -> list[str]:
    """Return the names of functions and methods whose call does nothing until it is awaited."""
    plain = {node.name for node in every_node(tree) if isinstance(node, ast.FunctionDef)}
    return sorted(
        {
            node.name
            for node in every_node(tree)
            if isinstance(node, _Async)
            and node.name not in plain  # a twin of the same name
            and not node.decorator_list  # a decorator may make something else of it
            and not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in every_node(node))
        }
    )


def standing_alone(tree: ast.Module) -> list[LoopQuery]:
    """Return the calls in asynchronous functions that are statements of their own or conditions, with whom they call.

    A coroutine is always true.
    """
    return [
        LoopQuery(call.lineno, ast.unparse(call.func)[:80], name)
        for function in every_node(tree)
        if isinstance(function, _Async)
        for node in every_node(function)
        for call in _unawaited(node)
        if (name := _called(call.func))
    ]


def forgotten(tree: ast.Module) -> Iterator[Risk]:
    """Yield statements that make a coroutine of a well-known class, or of a method that is awaited beside them."""
    for function in every_node(tree):
        if not isinstance(function, _Async):
            continue
        typed = {each.arg: _known(each.annotation) for each in every_node(function.args) if isinstance(each, ast.arg)}
        typed |= {
            ast.unparse(item.optional_vars): _known(item.context_expr)
            for each in every_node(function)
            if isinstance(each, ast.AsyncWith)
            for item in each.items
            if item.optional_vars is not None
        }
        awaited = {
            ast.unparse(each.value.func)
            for each in every_node(function)
            if isinstance(each, ast.Await) and isinstance(each.value, ast.Call)
        }
        sessions = {
            name.rpartition(".")[0] for name in awaited if name.rpartition(".")[2] in ("commit", "rollback", "flush")
        }
        for node in every_node(function):
            for call in _unawaited(node):
                name = ast.unparse(call.func)
                holder, _, method = name.rpartition(".")
                lost = name in _ALWAYS or name in awaited or method in typed.get(holder, ())
                if lost or (holder in sessions and method in _OF_SESSIONS):
                    yield Risk(call.lineno, call.end_lineno or call.lineno, "never-awaited", name[:60])


def _known(node: ast.expr | None) -> frozenset[str]:
    """Return the methods that make coroutines, of the class that an expression names."""
    named = ast.unparse(node) if node is not None else ""
    return next((methods for name, methods in _KNOWN.items() if name in named), frozenset())


def _unawaited(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls whose answer a statement throws away, or only asks whether it is true."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node.value
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
        parts = test.values if isinstance(test, ast.BoolOp) else [test]
        yield from (part for part in parts if isinstance(part, ast.Call))


def _called(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""
