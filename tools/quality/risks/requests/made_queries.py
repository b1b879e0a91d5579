"""Pieces of SQL that a function puts together from what it is given, and hands to a database as SQL."""

import ast
import re
from collections.abc import Set

from ...syntax.walking import every_node
from .flow import Flow
from .received import is_tainted

_IS_SQL = re.compile(
    r"^(?:(?:sa|db|sql|sqlalchemy|expression)\.)?(?:text|literal_column)$|(?:^|\.)(?:RawSQL|exec_driver_sql)$"
)
"""What makes SQL of any text it gets."""
_RUNS_SQL = re.compile(
    r"\.(?:execute|executemany|executescript|raw|extra|from_statement|fetch|fetchrow|fetchval|fetch_all|fetch_one|query)$"
    r"|(?:^|\.)read_sql(?:_query)?$"
)
"""What runs SQL, and takes other things too."""
_WORDS = re.compile(
    r"\b(?:select|from|where|order\s+by|group\s+by|limit|offset|having|like|insert|update|delete|join|and|or|asc|desc"
    r"|set|values|table|between)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\bselect\b[\s\S]+\bfrom\b|\binsert\s+into\b|\bupdate\b[\s\S]+\bset\b|\bdelete\s+from\b", re.IGNORECASE
)
"""A whole statement: the linter tells it already."""
_NAMED = frozenset({"sql", "query", "statement", "where", "select", "order_by", "tables", "raw_query", "text"})


def queried(call: ast.Call, name: str, flow: Flow, tainted: Set[str], maps: bool) -> ast.expr | None:
    """Return what a call makes or runs as SQL and what came in is a part of.

    Args:
        call: A call.
        name: Whom it calls, as it is written.
        flow: Of the function around it.
        tainted: The names that hold what came in.
        maps: Whether the module knows a mapper whose `text` is SQL.
    """
    is_sql = _IS_SQL.search(name) is not None and maps
    if not is_sql and not _RUNS_SQL.search(name):
        return None
    keywords = [each.value for each in call.keywords if each.arg in _NAMED]
    parts = [*call.args[:1], *keywords]
    if name.endswith(".extra"):
        parts = [piece for each in keywords for piece in (each.elts if isinstance(each, ast.List) else [each])]
    for part in parts:
        made = flow.made(part.id) if isinstance(part, ast.Name) else None
        whole = made if made is not None and not isinstance(made, ast.Name) else part
        if not is_tainted(part, tainted) or _WHOLE.search(ast.unparse(whole)):
            continue
        if is_sql or (_is_put_together(whole) and _WORDS.search(_constants(whole))):
            return whole
    return None


def _is_put_together(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in ("format", "join")
    return isinstance(node, ast.JoinedStr | ast.BinOp)


def _constants(node: ast.expr) -> str:
    return " ".join(
        str(each.value) for each in every_node(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
    )
