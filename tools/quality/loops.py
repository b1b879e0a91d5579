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
_SESSIONS = frozenset({"session", "dbsession"})
_OF_SESSIONS = frozenset(
    {
        *("query", "execute", "get", "scalar", "scalars", "first", "all", "one", "one_or_none", "count", "refresh"),
        *("get_one", "stream", "stream_scalars"),
    }
)
_CONNECTIONS = frozenset(
    {"cursor", "cur", "curs", "conn", "con", "connection", "engine", "db", "database", "tx", "pool"}
)
_STATEMENTS = frozenset(
    {"execute", "executescript", "scalar", "scalars", "fetch_one", "fetch_all", "fetch", "fetchrow", "fetchval"}
)
_DOCUMENTS = frozenset({"find_one", "find", "count_documents", "aggregate", "find_one_and_update"})
_OF_MODELS = frozenset({"get_by_id", "get_or_none", "select", "filter"})
_OF_ROWS = frozenset({"all", "count", "exists", "first", "filter", "order_by"})
"""What the rows that belong to a row are asked for: `author.books.count()`."""
_BATCHES = (
    *("batch", "chunk", "page", "block", "attempt", "retry", "migration", "table"),
    *("statement", "stmt", "sql", "command", "query", "ddl", "script"),
)

_OF_FOLDERS = frozenset({"glob", "rglob", "iglob", "iterdir", "listdir", "scandir", "walk"})
_SHORTCUTS = frozenset({"get_object_or_404", "get_list_or_404", "aget_object_or_404"})
_IN_BATCHES = frozenset({"batched", "batches", "chunked", "chunks", "in_batches", "in_chunks", "grouper", "partition"})


Loops = frozenset[str] | None
"""None outside loops, else the names the loops around go through."""


def loop_queries(tree: ast.Module) -> tuple[list[LoopQuery], list[str]]:
    """Return the queries and calls made in loops, and the names of functions that query a database themselves."""
    found: list[LoopQuery] = []
    querying: set[str] = set()
    waiting: list[tuple[ast.AST, str, Loops]] = [(tree, "", None)]
    parameters = {
        node.name: frozenset(each.arg for each in (*node.args.args, *node.args.kwonlyargs))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    while waiting:
        node, function, loops = waiting.pop()
        if isinstance(node, ast.Call):
            if is_query(node):
                querying.add(function)
                if loops is not None and not _is_given(node, loops):
                    found.append(LoopQuery(node.lineno, ast.unparse(node.func)[:80]))
            elif loops and (_of_row(node, loops) or _saves_row(node, loops)):
                found.append(LoopQuery(node.lineno, ast.unparse(node.func)[:80]))
            elif loops is not None and (name := _called(node)):
                found.append(LoopQuery(node.lineno, ast.unparse(node.func)[:80], name))
            if function and _of_row(node, parameters.get(function, frozenset())):
                querying.add(function)
        waiting += _inner(node, function, loops)
    by_line = {(each.line, each.callee): each for each in sorted(found, key=lambda each: (each.line, len(each.call)))}
    return list(by_line.values()), sorted(querying - {""})


def called(tree: ast.Module) -> dict[str, list[str]]:
    """Return, by function, the functions it calls, as they are written: `load`, `rows.load`, `store.by_id`."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = {_called(each) for each in ast.walk(node) if isinstance(each, ast.Call)} - {"", node.name}
            found.setdefault(node.name, set()).update(names)
    return {name: sorted(names) for name, names in sorted(found.items()) if names}


def _inner(node: ast.AST, function: str, loops: Loops) -> Iterator[tuple[ast.AST, str, Loops]]:
    """Yield the children of a node with the function and the loops they are in."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for child in ast.iter_child_nodes(node):
            yield child, node.name, None
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield node.iter, function, loops
        plain = _is_short(node.iter) or _goes_through_files(node.iter)
        around = loops if plain else _within(loops, node.target)
        for child in (*node.body, *node.orelse):
            yield child, function, around
    elif isinstance(node, ast.If) and loops and _picks_one(node.test, loops):
        for child in node.body:
            yield child, function, None  # one round at most comes here
        for child in node.orelse:
            yield child, function, loops
    elif isinstance(node, ast.While):
        yield node.test, function, loops
        for child in node.body:
            yield child, function, loops if _endless(node) else (loops or frozenset())
    elif isinstance(node, _COMPREHENSIONS):
        first, *others = node.generators
        yield first.iter, function, loops
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        around = loops if _is_short(first.iter) else _within(loops, first.target)
        for child in (*parts, *others, *first.ifs):
            yield child, function, around
    else:
        for child in ast.iter_child_nodes(node):
            yield child, function, loops


def _picks_one(test: ast.expr, loops: frozenset[str]) -> bool:
    """Return whether a condition asks for one value of what the loop goes through: `if field == "queue"`."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name):
        return False
    fixed = isinstance(test.ops[0], ast.Eq) and isinstance(test.comparators[0], ast.Constant)
    return fixed and test.left.id in loops


def _goes_through_files(iterated: ast.expr) -> bool:
    """Return whether a loop goes through the files of a folder: each is a work of its own, with what that asks."""
    return any(isinstance(each, ast.Attribute) and each.attr in _OF_FOLDERS for each in ast.walk(iterated))


def _within(loops: Loops, target: ast.expr) -> Loops:
    names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    if loops is None and _by_batches(target):
        return None
    return (loops or frozenset()) | names


def _is_short(iterated: ast.expr) -> bool:
    """Return whether a loop goes through values that are written down, or by steps: it does not grow row by row."""
    if not isinstance(iterated, ast.Call):
        return isinstance(iterated, ast.Tuple | ast.List | ast.Set)
    name, arguments = ast.unparse(iterated.func).rpartition(".")[2], iterated.args
    if name == "range":
        return len(arguments) == 3 or all(isinstance(each, ast.Constant) for each in arguments)
    return name.strip("_") in _IN_BATCHES


def _of_row(call: ast.Call, loops: frozenset[str]) -> bool:
    """Return whether the rows that belong to the row of this round are asked for, one query a round."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _OF_ROWS:
        return False
    chain = _chain(call.func.value)
    named = all(key.arg for key in call.keywords)
    return len(chain) > 1 and chain[0] in loops and named and not call.args and call.func.attr in _OF_ROWS


def _saves_row(call: ast.Call, loops: frozenset[str]) -> bool:
    """Return whether the row of this round is written by itself: `row.save()`."""
    named = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and not call.args
    return named and ast.unparse(call.func).partition(".")[0] in loops and ast.unparse(call.func).endswith(".save")


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
        return ast.unparse(call.func) in _SHORTCUTS
    end, chain = call.func.attr, _chain(call.func.value)
    if not chain:
        return False
    if end in _ENDS and "query" in chain[1:] and chain[0][:1].isupper():  # User.query.filter_by(...).first()
        return True
    if end in _ENDS and "objects" in chain[1:]:  # User.objects.get(...)
        return True
    if (
        chain[0][:1].isupper() and not chain[0].isupper() and len(chain) == 1 and end in _OF_MODELS
    ):  # User.get_or_none()
        return True
    if chain[0][:1].isupper() and not chain[0].isupper() and len(chain) == 1 and end == "get":
        return any(isinstance(each, ast.Compare) for each in call.args)  # User.get(User.id == 7)
    kinds = [each.strip("_").lower().rpartition("_")[2] for each in chain]
    if kinds[-1] in _SESSIONS or (len(chain) > 1 and _SESSIONS & set(kinds)):  # db.session.get(...), session.query(...)
        asks = end in _OF_SESSIONS
        return asks and (end != "get" or len(call.args) > 1)  # not the session of a web request or of HTTP
    if end in _DOCUMENTS and len(chain) > 1 and "db" in kinds:  # db.users.find_one({...})
        return True
    of_models = end == "query" or (end == "get" and len(call.args) > 1)  # db.query(User), db.get(User, 7)
    return kinds[-1] in _CONNECTIONS and (end in _STATEMENTS or of_models)


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
    """Return the name of a called function, or of one of a module or object; `""` for built-in ones and for classes.

    `self.store.by_id(...)` and `Store(session).by_id(...)` are `store.by_id` and `Store.by_id`: who is asked is told by
    the last name before the method.
    """
    if isinstance(call.func, ast.Name):
        return "" if hasattr(builtins, call.func.id) or call.func.id[0].isupper() else call.func.id
    if isinstance(call.func, ast.Attribute) and (chain := _chain(call.func.value)):
        return f"{chain[-1]}.{call.func.attr}"
    return ""
