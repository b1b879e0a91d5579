"""Queries that run once per round of a loop, by the shape of the call."""

import ast
import builtins
from collections.abc import Iterator

from .facts import LoopQuery

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ENDS = frozenset(
    {
        *("all", "count", "execute", "exists", "fetchall", "fetchone", "filter", "filter_by", "find", "find_one"),
        *("first", "first_or_404", "get", "get_or_404", "get_or_create", "one", "one_or_none", "query", "scalar"),
        *("scalar_one", "scalar_one_or_none", "scalars", "select", "update_or_create"),
    }
)
_SESSIONS = frozenset({"session", "db_session", "dbsession"})
_CONNECTIONS = frozenset({"cursor", "cur", "conn", "connection", "engine", "db", "database"})
_STATEMENTS = frozenset({"execute", "executescript", "scalar", "scalars", "fetch_one", "fetch_all", "fetchone"})
_BATCHES = ("batch", "chunk", "page", "block", "statement", "stmt", "sql", "table", "migration", "attempt", "retry")


def loop_queries(tree: ast.Module) -> tuple[list[LoopQuery], list[str]]:
    """Return the queries and calls made in loops, and the names of functions that query a database themselves."""
    found: list[LoopQuery] = []
    querying: list[str] = []
    waiting: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while waiting:
        node, function, looping = waiting.pop()
        if isinstance(node, ast.Call):
            if is_query(node):
                querying.append(function)
                if looping:
                    found.append(LoopQuery(node.lineno, ast.unparse(node.func)[:80]))
            elif looping and (name := _called(node)):
                found.append(LoopQuery(node.lineno, f"{ast.unparse(node.func)[:80]}", name))
        waiting += _inner(node, function, looping)
    by_line = {(each.line, each.callee): each for each in sorted(found, key=lambda each: (each.line, len(each.call)))}
    return list(by_line.values()), sorted({name for name in querying if name})


def _inner(node: ast.AST, function: str, looping: bool) -> Iterator[tuple[ast.AST, str, bool]]:
    """Yield the children of a node with the function they are in and whether they run in a loop."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for child in ast.iter_child_nodes(node):
            yield child, node.name, False
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield node.iter, function, looping
        inside = looping or not _by_batches(node.target)
        for child in (*node.body, *node.orelse):
            yield child, function, inside
    elif isinstance(node, ast.While):
        yield node.test, function, looping
        for child in node.body:
            yield child, function, looping or not _endless(node)
    elif isinstance(node, _COMPREHENSIONS):
        first, *others = node.generators
        yield first.iter, function, looping
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        inside = looping or not _by_batches(first.target)
        for child in (*parts, *others, *first.ifs):
            yield child, function, inside
    else:
        for child in ast.iter_child_nodes(node):
            yield child, function, looping


def _by_batches(target: ast.expr) -> bool:
    """Return whether a loop goes over batches or statements: one query each is the right number."""
    names = {node.id.lower() for node in ast.walk(target) if isinstance(node, ast.Name)}
    return any(name.startswith(_BATCHES) or name.rstrip("s").endswith(_BATCHES) for name in names)


def _endless(loop: ast.While) -> bool:
    """Return whether a loop waits for something: one query a round is how polling works."""
    return isinstance(loop.test, ast.Constant)


def is_query(call: ast.Call) -> bool:
    """Return whether a call asks a database, judged by its chain of names.

    Known are the query interfaces of SQLAlchemy, Flask-SQLAlchemy, Django and peewee, and the cursors and connections
    of the database interface for Python (PEP 249).
    """
    if not isinstance(call.func, ast.Attribute):
        return False
    end, chain = call.func.attr, _chain(call.func.value)
    if not chain:
        return False
    if end in _ENDS and "query" in chain[1:] and chain[0][:1].isupper():  # User.query.filter_by(...).first()
        return True
    if end in _ENDS and "objects" in chain[1:]:  # User.objects.get(...)
        return True
    if chain[-1] in _SESSIONS or (len(chain) > 1 and _SESSIONS & set(chain)):  # db.session.get(...), session.query(...)
        return end in {
            "query",
            "execute",
            "get",
            "scalar",
            "scalars",
            "first",
            "all",
            "one",
            "one_or_none",
            "count",
        } and (
            end != "get" or bool(call.args and len(call.args) > 1)  # not the session of a web request or of HTTP
        )
    return chain[-1] in _CONNECTIONS and end in _STATEMENTS


def _chain(node: ast.expr) -> list[str]:
    """Return the names of `a.b(...).c` from the left, without calls; empty where it starts with something else."""
    names: list[str] = []
    while True:
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Name):
            return [node.id, *reversed(names)]
        else:
            return []


def _called(call: ast.Call) -> str:
    """Return the name of a called function, or of a function of a module; `""` for built-in ones and for classes."""
    if isinstance(call.func, ast.Name):
        return "" if hasattr(builtins, call.func.id) or call.func.id[0].isupper() else call.func.id
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        return f"{call.func.value.id}.{call.func.attr}"
    return ""
