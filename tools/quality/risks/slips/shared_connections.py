"""Connections that all calls of a program share, or that each call opens and nobody closes."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node, written
from ..requests.received import functions, is_handler

_OPENS = re.compile(
    r"^(?:sqlite3|psycopg2?|pymysql|MySQLdb|mysql\.connector|pyodbc|cx_Oracle|oracledb|mariadb|duckdb|asyncpg)\.connect$"
)
_MAKES_POOLS = re.compile(
    r"(?:^|\.)(?:create_engine|create_async_engine|create_pool|ConnectionPool|SimpleConnectionPool|ThreadedConnectionPool"
    r"|MongoClient|BlockingConnectionPool)$"
)
_GUARDS = re.compile(r"\b(?:R?Lock\(|threading\.local|ContextVar|Queue\(|scoped_session|Semaphore)")
_IS_WEB = re.compile(r"\b(?:flask|fastapi|starlette|django|bottle|quart|sanic|aiohttp\.web|litestar|falcon|wsgiref)\b")
_CLOSES = re.compile(r"\.close\(|closing\(|\.dispose\(|\.putconn\(|\.aclose\(")


def shared_connections(tree: ast.Module) -> Iterator[Risk]:
    """Yield connections opened for other threads on purpose, those of a module, and those a handler leaves open."""
    text = written(tree)
    if not re.search(r"connect\(|create_engine|create_pool|ConnectionPool|MongoClient", text):
        return
    inside = {
        id(each): function
        for function, _ in functions(tree)
        for each in every_node(function)
        if isinstance(each, ast.Call)
    }
    guarded = bool(_GUARDS.search(text))
    for node in every_node(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        function = inside.get(id(node))
        around = written(function) if function is not None else ""
        place = (node.lineno, node.end_lineno or node.lineno)
        if name == "sqlite3.connect" and not guarded and _is_for_all(node):
            kept = function is None or not ("yield" in around or _CLOSES.search(around) or "with " in around)
            if kept:
                yield Risk(*place, "connection-shared", name)
                continue
        if function is None and _OPENS.match(name) and not guarded and _IS_WEB.search(text) and _is_kept(tree, node):
            yield Risk(*place, "connection-shared", name)
    for function, owner in functions(tree):
        if is_handler(function, owner):
            around = written(function)
            for node in every_node(function):
                name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
                left = _OPENS.match(name) and not _CLOSES.search(around) and "yield" not in around
                if isinstance(node, ast.Call) and (left or _MAKES_POOLS.search(name)):
                    yield Risk(node.lineno, node.end_lineno or node.lineno, "opened-each-time", name)


def _is_for_all(node: ast.Call) -> bool:
    return any(each.arg == "check_same_thread" and ast.unparse(each.value) == "False" for each in node.keywords)


def _is_kept(tree: ast.Module, call: ast.Call) -> bool:
    """Return whether a module keeps a connection under a name, other than in what it does as a program."""
    return any(isinstance(each, ast.Assign) and each.value is call for each in tree.body)
