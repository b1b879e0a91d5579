"""Calls that write to a database, and calls whose answer nobody takes: what is done rather than asked."""

import ast
import re
from collections.abc import Iterator

from ...syntax.names import last_name
from .database_calls import chain_of

_ALWAYS = frozenset(
    {
        *("save", "asave", "commit", "bulk_create", "bulk_update", "bulk_save_objects"),
        *("executemany", "insert_one", "insert_many", "update_one", "update_many", "delete_one", "delete_many"),
        *("get_or_create", "update_or_create", "aget_or_create", "aupdate_or_create", "find_one_and_update"),
    }
)
_OF_MODELS = frozenset({"create", "acreate", "update", "aupdate", "delete", "adelete"})
_RUNS = frozenset({"execute", "fetchval", "fetchrow", "scalar"})
_STATEMENT = re.compile(r"\s*(?:insert\s+(?:or\s+\w+\s+)?into|update\s+\S+\s+set|delete\s+from|replace\s+into)\b", re.I)
_BUILT = frozenset({"insert", "update", "delete"})
_AT_ONCE = frozenset({"gather", "create_task", "ensure_future", "wait", "list", "tuple"})
"""What runs several calls and is no more than their answers."""


def is_write(call: ast.Call) -> bool:
    """Return whether a call writes to a database, judged by its names and by the statement it holds.

    What is only added to a session is not: whoever commits writes it, with all the rest.
    """
    if not isinstance(call.func, ast.Attribute):
        return False
    end, chain = call.func.attr, chain_of(call.func.value)
    if end in _ALWAYS:
        return True
    if not chain:
        return False
    if end in _OF_MODELS and ("objects" in chain or "query" in chain or (len(chain) > 1 and "filter" in chain)):
        return True
    if end == "insert":  # of a store; a list is told where
        return not (call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, int))
    return end in _RUNS and bool(call.args) and _builds_write(call.args[0])


def unanswered(statement: ast.Expr) -> Iterator[ast.Call]:
    """Yield the calls of a statement whose answers are dropped: `gather(*(pay(each) for each in due))`."""
    waiting: list[ast.expr] = [statement.value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Await | ast.Starred):
            waiting.append(node.value)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            waiting.append(node.elt)
        elif isinstance(node, ast.Call):
            yield node
            if last_name(node.func) in _AT_ONCE:
                waiting += node.args


def statement_writes(text: str) -> bool:
    """Return whether a text is a statement of SQL that writes."""
    return bool(_STATEMENT.match(text))


def _builds_write(statement: ast.expr) -> bool:
    """Return whether a statement is given as text or built: `insert(Order).values(...)`."""
    while isinstance(statement, ast.Call):
        name = last_name(statement.func)
        if name in _BUILT:
            return True
        if name == "text" and statement.args:
            statement = statement.args[0]
            continue
        if not isinstance(statement.func, ast.Attribute):
            return False
        statement = statement.func.value
    first = statement.values[0] if isinstance(statement, ast.JoinedStr) and statement.values else statement
    while isinstance(first, ast.BinOp):
        first = first.left
    return isinstance(first, ast.Constant) and isinstance(first.value, str) and statement_writes(first.value)
