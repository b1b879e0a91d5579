"""Statements of Python by their shape, so that a rule that was written a second time is found whatever its names."""

import ast
import zlib
from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from ...facts.measures import ShapeRow
from ...syntax.names import Function
from ...syntax.walking import every_node

_KEPT = (None, True, False, Ellipsis)
_LEAST_MESSAGE = 8
"""Letters of a text with a space in it that is a message of its own."""


@dataclass(slots=True)
class _Written:
    """A statement while it is written down as a shape."""

    own: Set[str]
    """Functions of the same file: in a copy they have other names."""
    names: dict[str, int] = field(default_factory=dict)
    parts: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    statements: int = 0
    decisions: int = 0
    """Comparisons and calculations: what makes a rule."""


def shapes(tree: ast.Module) -> list[ShapeRow]:
    """Return the statements of every function, those inside others on their own as well."""
    found: list[ShapeRow] = []
    own = {each.name for each in tree.body if isinstance(each, Function)}
    block = 0
    for number, function in enumerate(each for each in every_node(tree) if isinstance(each, Function)):
        for body in _bodies(function):
            block += 1
            for place, statement in enumerate(body):
                written = _Written(own)
                _write(statement, written)
                found.append(
                    (
                        zlib.crc32(" ".join(written.parts).encode()),
                        zlib.crc32("\n".join(written.messages).encode()) if written.messages else 0,
                        len(written.parts),
                        written.statements,
                        written.decisions,
                        statement.lineno,
                        statement.end_lineno or statement.lineno,
                        block,
                        place,
                        number,
                        isinstance(statement, ast.If) and isinstance(statement.body[0], ast.Raise),
                    )
                )
    return found


def _bodies(function: Function) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements of a function, without those of functions inside it."""
    waiting: list[list[ast.stmt]] = [function.body]
    while waiting:
        body = [each for each in waiting.pop() if not _is_text(each)]
        yield body
        for node in body:
            if not isinstance(node, Function | ast.ClassDef):
                waiting += [inner for name in ("body", "orelse", "finalbody") if (inner := getattr(node, name, None))]
                waiting += [each.body for each in getattr(node, "handlers", ())]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _write(node: ast.AST, written: _Written) -> None:
    """Write a node down: names by the order they come in, constants as such, what is called by its name."""
    if isinstance(node, ast.stmt):
        written.statements += 1
    if isinstance(node, ast.BinOp | ast.Compare | ast.AugAssign | ast.UnaryOp):
        written.decisions += 1
    if isinstance(node, ast.Constant):
        written.parts.append(str(node.value) if node.value in _KEPT else "K")
        if isinstance(node.value, str) and " " in node.value and len(node.value) >= _LEAST_MESSAGE:
            written.messages.append(node.value)
    elif isinstance(node, ast.Name | ast.Attribute) and (whole := _plain(node)):
        last = whole.rpartition(".")[2]
        written.parts.append("K" if last.isupper() else f"${written.names.setdefault(whole, len(written.names))}")
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            written.parts.append(f"{node.func.attr}(")
            if not _plain(node.func.value):
                _write(node.func.value, written)
        else:
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            written.parts.append("own(" if called in written.own else f"{called}(")
        for each in (*node.args, *node.keywords):
            _write(each, written)
    elif isinstance(node, ast.Return) or (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
        written.parts.append("=")  # what is returned at once elsewhere is given a name first
        if node.value is not None:
            _write(node.value, written)
    else:
        written.parts.append(f"{type(node).__name__}{getattr(node, 'arg', None) or ''}")
        for each in ast.iter_child_nodes(node):
            if not isinstance(each, ast.expr_context):
                _write(each, written)


def _plain(node: ast.AST) -> str:
    """Return `a.b.c` where a node is just that, else `""`."""
    if isinstance(node, ast.Attribute):
        held = _plain(node.value)
        return f"{held}.{node.attr}" if held else ""
    return node.id if isinstance(node, ast.Name) else ""
