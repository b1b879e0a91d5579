"""Functions that set whatever fields they are handed: a hole where a handler hands them what came in."""

import ast
import re
from collections.abc import Iterator, Set

from ...facts.code import Risk
from ...syntax.walking import every_node, written
from .received import Function, is_tainted

_CHECKS = re.compile(
    r"Schema|schema|validate|Form\(|Serializer|parse_obj|whitelist|allowed|ALLOWED|FIELDS|EDITABLE|COLUMNS|CHANGEABLE",
    re.I,
)
_MAKES_ROWS = re.compile(
    r"(?:^|\.)(?:create|values|update_or_create|get_or_create|insert_one)$|(?:filter|query|objects|where).*\.update$"
    r"|(?:__dict__|vars\(\w+\))\.update$",
    re.DOTALL,
)
_CLASS = re.compile(r"^(?:models\.)?[A-Z][a-z]\w*$")
_LOOKS_AT = re.compile(r"(?:In|Create|Update|Patch|Request|Dto|DTO|Payload|Input|Command|Error|Exception|Data)$")
"""Classes that check what they are made of, or are no rows, by their names."""


def spread(node: Function, tainted: Set[str]) -> Iterator[Risk]:
    """Yield the calls that set every field of what a function is handed."""
    if _CHECKS.search(written(node)):
        return
    for call in (each for each in every_node(node) if isinstance(each, ast.Call)):
        name = ast.unparse(call.func)
        if name == "setattr" and len(call.args) == 3:
            if names_come_in(call.args[1], node, tainted):
                yield Risk(call.lineno, call.end_lineno or call.lineno, "set-by-user", name)
            continue
        makes = bool(_MAKES_ROWS.search(name)) or (bool(_CLASS.match(name)) and not _LOOKS_AT.search(name))
        spreads = [each.value for each in call.keywords if each.arg is None]
        if name.endswith((".update", ".insert_one")):
            spreads += call.args[:1]
        if makes and any(isinstance(each, ast.Name) and each.id in tainted for each in spreads):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "set-by-user", name)


def names_come_in(name: ast.expr, function: Function, tainted: Set[str]) -> bool:
    """Return whether a loop goes through the fields that came in, and none of its conditions looks at their names.

    That an object has such a field says nothing: so it is with all that must not be set.
    """
    wanted = ast.unparse(name)
    loops = [each for each in every_node(function) if isinstance(each, ast.For) and _comes_in(each.iter, tainted)]
    return any(wanted in map(ast.unparse, every_node(each.target)) for each in loops) and not any(
        wanted in map(ast.unparse, every_node(each.test))
        and not re.fullmatch(r"hasattr\([^()]*\)", ast.unparse(each.test))
        for each in every_node(function)
        if isinstance(each, ast.If)
    )


def _comes_in(rows: ast.expr, tainted: Set[str]) -> bool:
    """Return whether a loop goes through what came in itself, not through what another function made of it."""
    while isinstance(rows, ast.Call):
        if isinstance(rows.func, ast.Attribute) and rows.func.attr in ("items", "keys", "copy"):
            rows = rows.func.value
        elif ast.unparse(rows.func) in ("dict", "list", "sorted") and rows.args:
            rows = rows.args[0]
        else:
            break
    return is_tainted(rows, tainted)
