"""The numbers that a Python module gives names: constants, spans of time, settings with their defaults, tables."""

import ast
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from ...facts.python import Numbers

_CAPITALS = re.compile(r"_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_SETTINGS = re.compile(r"(Settings|Config|Configuration)$")
_CONVERTS = frozenset({"int", "float", "Decimal", "round"})
_READS = re.compile(r"env|config|setting|option|getint|getfloat|number", re.IGNORECASE)
"""What a call is named that reads a setting; its last argument is the default."""
_MOST = 24
"""Rows of a table from which on nobody writes them down in sentences."""
_WORD = re.compile(r"[A-Za-z]{3,}")


def named_numbers(tree: ast.Module) -> list[Numbers]:
    """Return the numbers of a module by name, in the order of lines."""
    found = list(_named(tree.body))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _SETTINGS.search(node.name):
            found += [each for each in _named(node.body, fields=True) if not each.row]
    return found


def _named(body: list[ast.stmt], *, fields: bool = False) -> Iterator[Numbers]:
    for node in body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if not isinstance(target, ast.Name) or value is None or not (fields or _CAPITALS.fullmatch(target.id)):
            continue
        if (span := _span(value)) is not None:
            yield Numbers(target.id, span[1], span[0])
        elif (number := _number(value)) is not None:
            yield Numbers(target.id, number)
        elif isinstance(value, ast.Dict) and len(value.keys) in range(2, _MOST):
            yield from _rows(target.id, value)


def _rows(name: str, table: ast.Dict) -> Iterator[Numbers]:
    """Yield the rows of a table of numbers by words: `{"pub": 18}`, `{Level.JADE: Decimal("0.15")}`."""
    for key, value in zip(table.keys, table.values, strict=True):
        match key:
            case ast.Constant(value=str(word)) | ast.Attribute(attr=word) | ast.Name(id=word):
                span = _span(value)
                number = span[1] if span else _number(value)
                if number is not None and _WORD.fullmatch(word):
                    yield Numbers(name, number, span[0] if span else "", word.lower())


def _span(node: ast.expr) -> tuple[str, str] | None:
    """Return unit and number of `timedelta(hours=12)`."""
    match node:
        case ast.Call(args=[], keywords=[ast.keyword(arg=str(unit), value=value)]):
            plain = ast.unparse(node.func).rpartition(".")[2] == "timedelta"
            number = _number(value) if plain else None
            return None if number is None else (unit, number)
        case _:
            return None


def _number(node: ast.expr) -> str | None:
    """Return the number that an expression is, or is unless somebody sets another."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return f"{Decimal(str(number)):f}"
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            first, second = _number(left), _number(right)
            return None if first is None or second is None else f"{Decimal(first) * Decimal(second):f}"
        case ast.Call(args=[one], keywords=[]) if ast.unparse(node.func).rpartition(".")[2] in _CONVERTS:
            return _text(one) or _number(one)
        case ast.Call(args=[_, *_, default], keywords=[]) if _READS.search(ast.unparse(node.func)):
            return _text(default) or _number(default)
        case ast.Call(keywords=[*_, ast.keyword(arg="default", value=default)]):
            return _text(default) or _number(default)
        case ast.Call(keywords=[ast.keyword(arg="default_factory", value=ast.Lambda(body=body))]):
            return _number(body)
        case _:
            return None


def _text(node: ast.expr) -> str | None:
    """Return the number that a text spells: of `Decimal("0.05")`, of the default of a variable."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return None
    try:
        number = Decimal(node.value)
    except InvalidOperation:
        return None
    return f"{number:f}" if number.is_finite() else None
