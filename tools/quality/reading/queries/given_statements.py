"""Calls that are given a statement of SQL: whoever takes it, a database is asked."""

import ast
import re

from ...syntax.names import last_name

_STATEMENT = re.compile(
    r"\s*\(?\s*(?:select\b.*\b(?:from|as)\b|select\s+\d|insert\s+(?:or\s+\w+\s+)?into\b|update\s+\S+\s+set\b"
    r"|delete\s+from\b|replace\s+into\b|with\s+(?:recursive\s+)?\w+.*\bas\s*\(|merge\s+into\b)",
    re.IGNORECASE | re.DOTALL,
)
_CLAUSE = re.compile(r"\s(?:WHERE|ORDER BY|GROUP BY|LEFT JOIN|JOIN|LIMIT|HAVING)\s")
"""What follows where a statement begins with what is kept elsewhere: `f"{_LISTED} WHERE id = ?"`."""
_RUNS = frozenset(
    {
        *("execute", "executescript", "exec", "run", "query", "sql", "select", "fetch", "fetchone", "fetchall"),
        *("fetchrow", "fetchval", "one", "all", "many", "first", "row", "rows", "scalar", "scalars", "value", "values"),
        *("get", "read", "list", "insert", "update", "delete", "write", "raw", "find", "iterate", "stream", "cell"),
    }
)
"""Words of what runs a statement: `db.one`, `query_db`, `fetch_all`. What only holds or tells it has others."""
_FIRST = 2
"""Arguments that may be the statement: a connection may come before it."""


def is_given_statement(call: ast.Call) -> bool:
    """Return whether a call is given a statement of SQL to run."""
    given = call.args[:_FIRST]
    if not any(isinstance(each, ast.Constant | ast.JoinedStr | ast.BinOp) for each in given):
        return False
    return not _RUNS.isdisjoint(last_name(call.func).lower().strip("_").split("_")) and any(map(_is_statement, given))


def _is_statement(value: ast.expr) -> bool:
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        if isinstance(value.right, ast.Constant) and _continues(value.right.value):
            return True
        value = value.left
    if isinstance(value, ast.JoinedStr):
        first = value.values[0] if value.values else None
        texts = " ".join(each.value for each in value.values if isinstance(each, ast.Constant))  # type: ignore[misc]
        if isinstance(first, ast.FormattedValue):
            return _continues(texts)
        return bool(_STATEMENT.match(texts))
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and bool(_STATEMENT.match(value.value))


def _continues(text: object) -> bool:
    return isinstance(text, str) and bool(_CLAUSE.search(f" {text} "))
