"""By which fields a program looks at whose a row is: `owner` of `row.owner_id != me.id`, `event.host` of a filter."""

import ast
import re
from collections.abc import Iterator, Set

from ...syntax.walking import every_node
from .identity import Identity, tells
from .received import Function

_LOOKS_UP = re.compile(
    r"(?:^|\.)(?:a?get|filter|filter_by|exclude|where|find\w*|first|exists|a?get_object_or_404|get_or_404|first_or_404"
    r"|get_or_none|one_or_none)$"
)
_IS_ID = re.compile(r"_(?:id|pk)$")


def asked_by(node: Function, handled: bool, identity: Identity) -> Iterator[str]:
    """Yield the fields of rows that a function compares with who asks, or looks rows up by.

    A handler's parameter counts as who asks where a field is called as it is: `job.rider_id != rider.id`.
    """
    known = {each.arg for each in _typed(node)} if handled else set[str]()
    for each in every_node(node):
        if isinstance(each, ast.Compare) and len(each.ops) == 1:
            sides = (each.left, each.comparators[0])
            for field, other in (sides, sides[::-1]):
                path = _path(field)
                if path and (_is_who(other, identity.names) or _is_called(other, path, known)):
                    yield path
        elif isinstance(each, ast.Call) and _LOOKS_UP.search(ast.unparse(each.func)):
            for word in each.keywords:
                if word.arg and _is_who(word.value, identity.names):
                    yield ".".join(_IS_ID.sub("", word.arg).split("__")[-2:])


def kinds_that_ask(node: Function) -> set[str]:
    """Return the types of a handler's parameters that are who asks: `AsRider` of `job.rider_id != rider.id`."""
    typed = {each.arg: ast.unparse(each.annotation) for each in _typed(node) if each.annotation}
    found = set()
    for each in every_node(node):
        if isinstance(each, ast.Compare) and len(each.ops) == 1:
            sides = (each.left, each.comparators[0])
            for field, other in (sides, sides[::-1]):
                path = _path(field)
                found |= {kind for name, kind in typed.items() if path and _is_called(other, path, {name})}
    return found


def _typed(node: Function) -> list[ast.arg]:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    plain = re.compile(r"(?:int|str|UUID|uuid\.UUID|float|bool)\b")
    return [each for each in every if each.annotation and not plain.match(ast.unparse(each.annotation))]


def _is_who(node: ast.expr, names: Set[str]) -> bool:
    if isinstance(node, ast.Attribute) and node.attr in ("id", "pk") and tells(node.value, names):
        return True
    return tells(node, names)


def _is_called(node: ast.expr, path: str, names: Set[str]) -> bool:
    """Return whether a value is a parameter that is called as a field is, or the id of one."""
    if isinstance(node, ast.Attribute) and node.attr in ("id", "pk"):
        node = node.value
    return isinstance(node, ast.Name) and node.id in names and node.id == path.rpartition(".")[2]


def _path(node: ast.expr) -> str:
    """Return the field of a row, with the one before it where there is one."""
    if not isinstance(node, ast.Attribute) or node.attr in ("id", "pk"):
        return ""
    holder, last = node.value, _IS_ID.sub("", node.attr)
    if isinstance(holder, ast.Attribute):
        return f"{holder.attr}.{last}"
    if isinstance(holder, ast.Subscript) and isinstance(holder.slice, ast.Constant):
        return f"{holder.slice.value!s}.{last}"
    return last
