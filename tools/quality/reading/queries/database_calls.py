"""Calls that ask a database, and the names of what is called, by the shape of the call."""

import ast
import builtins

from ...syntax.names import last_name
from .given_statements import is_given_statement

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
_OF_OWN = frozenset({"one", "all", "many", "row", "rows", "first", "value", "values", "insert", "run", "one_or_none"})
"""What a house calls its own few methods over a connection."""
_DOCUMENTS = frozenset({"find_one", "find", "count_documents", "aggregate", "find_one_and_update"})
_OF_MODELS = frozenset({"get_by_id", "get_or_none", "select", "filter"})
_SHORTCUTS = frozenset({"get_object_or_404", "get_list_or_404", "aget_object_or_404"})


def is_query(call: ast.Call) -> bool:
    """Return whether a call asks a database, judged by its chain of names.

    Known are the query interfaces of SQLAlchemy, Flask-SQLAlchemy, Django and peewee, and the cursors and connections
    of the database interface for Python (PEP 249); besides, whatever runs a statement of SQL it is given.
    """
    if is_given_statement(call):
        return True
    if not isinstance(call.func, ast.Attribute):
        return ast.unparse(call.func) in _SHORTCUTS
    end, chain = call.func.attr, chain_of(call.func.value)
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
    if kinds[-1] in _CONNECTIONS and end in _OF_OWN and call.args and last_name(call.args[0]).isupper():
        return True  # db.one(_BY_SLUG, (slug,))
    of_models = end == "query" or (end == "get" and len(call.args) > 1)  # db.query(User), db.get(User, 7)
    return kinds[-1] in _CONNECTIONS and (end in _STATEMENTS or of_models)


def chain_of(node: ast.expr) -> list[str]:
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


def called_name(call: ast.Call) -> str:
    """Return the name of a called function, or of one of a module or object; `""` for built-in ones and for classes.

    `self.store.by_id(...)` and `Store(session).by_id(...)` are `store.by_id` and `Store.by_id`: who is asked is told by
    the last name before the method.
    """
    if isinstance(call.func, ast.Name):
        return "" if hasattr(builtins, call.func.id) or call.func.id[0].isupper() else call.func.id
    if isinstance(call.func, ast.Attribute) and (chain := chain_of(call.func.value)):
        return f"{chain[-1]}.{call.func.attr}"
    return ""
