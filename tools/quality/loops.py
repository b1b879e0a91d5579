"""Queries that run once per round of a loop, by the shape of the call."""

import ast
import builtins
from collections.abc import Iterator

from .facts import LoopQuery

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
_STATEMENTS = frozenset({"execute", "executescript", "scalar", "scalars", "fetch_one", "fetch_all"})
_BATCHES = (
    *("batch", "chunk", "page", "block", "attempt", "retry", "migration", "table"),
    *("statement", "stmt", "sql", "command", "query", "ddl", "script"),
)


Loops = frozenset[str] | None
"""None outside loops, else the names the loops around go through."""


def loop_queries(tree: ast.Module) -> tuple[list[LoopQuery], list[str]]:
    """Return the queries and calls made in loops, and the names of functions that query a database themselves."""
    found: list[LoopQuery] = []
    querying: set[str] = set()
    waiting: list[tuple[ast.AST, str, Loops]] = [(tree, "", None)]
    while waiting:
        node, function, loops = waiting.pop()
        if isinstance(node, ast.Call):
            if is_query(node):
                querying.add(function)
                if loops is not None and not _is_given(node, loops):
                    found.append(LoopQuery(node.lineno, ast.unparse(node.func)[:80]))
            elif loops is not None and (name := _called(node)):
                found.append(LoopQuery(node.lineno, ast.unparse(node.func)[:80], name))
        waiting += _inner(node, function, loops)
    by_line = {(each.line, each.callee): each for each in sorted(found, key=lambda each: (each.line, len(each.call)))}
    return list(by_line.values()), sorted(querying - {""})


def _inner(node: ast.AST, function: str, loops: Loops) -> Iterator[tuple[ast.AST, str, Loops]]:
    """Yield the children of a node with the function and the loops they are in."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for child in ast.iter_child_nodes(node):
            yield child, node.name, None
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield node.iter, function, loops
        for child in (*node.body, *node.orelse):
            yield child, function, _within(loops, node.target)
    elif isinstance(node, ast.While):
        yield node.test, function, loops
        for child in node.body:
            yield child, function, loops if _endless(node) else (loops or frozenset())
    elif isinstance(node, _COMPREHENSIONS):
        first, *others = node.generators
        yield first.iter, function, loops
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for child in (*parts, *others, *first.ifs):
            yield child, function, _within(loops, first.target)
    else:
        for child in ast.iter_child_nodes(node):
            yield child, function, loops


def _within(loops: Loops, target: ast.expr) -> Loops:
    names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    if loops is None and _by_batches(target):
        return None
    return (loops or frozenset()) | names


def _is_given(call: ast.Call, loops: frozenset[str]) -> bool:
    """Return whether a loop goes through the statements themselves: each has to be run."""
    first = call.args[0] if call.args else None
    return isinstance(first, ast.Name) and first.id in loops and ast.unparse(call.func).endswith("execute")


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
