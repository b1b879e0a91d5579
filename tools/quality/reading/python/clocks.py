"""Who reads the clock, and which functions of a project are there to read it for others."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import LoopQuery
from ...syntax.walking import every_node

_READS = re.compile(
    r"^(?:datetime\.|dt\.)?(?:datetime\.(?:now|utcnow|today)|date\.today)$|^(?:time|timezone)\.localdate$"
)
_NAMES = re.compile(r"(?:^|_)(?:now|today|utcnow|utc_now|localtime|current_time|current_date)$")
_MOST = 6
"""Statements of a function that does no more than read the clock."""


def clock_reads(tree: ast.Module) -> list[LoopQuery]:
    """Return where the clock is read without a zone; `callee` is the function around it, if it is a clock itself."""
    found: list[LoopQuery] = []
    for node, owner in _functions(tree):
        for call in every_node(node):
            if isinstance(call, ast.Call) and not call.args and not call.keywords:
                name = ast.unparse(call.func)
                if _READS.match(name):
                    found.append(LoopQuery(call.lineno, name, owner if _NAMES.search(owner) else ""))
    return found


def clocks(tree: ast.Module) -> list[str]:
    """Return the functions that read the clock for others."""
    return sorted(
        name
        for node, name in _functions(tree)
        if _NAMES.search(name)
        and len(node.body) <= _MOST
        and re.search(r"(?:\b|_)(?:now|utcnow|today|time|localtime)\(", "\n".join(map(ast.unparse, node.body)))
    )


def _functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        yield from ((each, each.name) for each in inner if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
