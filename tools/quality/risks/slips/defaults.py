"""Defaults that are worked out once, when the program starts, and should be each time."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_DECLARES = re.compile(
    r"(?:^|\.)(?:Column|mapped_column|Field|field|attrib|ib|MappedColumn|DataRequired|[A-Z]\w*Field)$"
)
"""What declares a column or field of a record."""
_KEYWORDS = frozenset({"default", "insert_default", "onupdate", "load_default", "dump_default", "missing"})
_CHANGES = re.compile(
    r"(?:^|\.|_)(?:now|today|utcnow|localtime|time|monotonic|time_ns|uuid[1457]|random|randint|choice|choices|token_\w+"
    r"|getrandbits|urandom|ulid|cuid|nanoid)$"
)
"""Functions whose answer is another one at each call."""
_OF_THE_DATABASE = re.compile(r"(?:^|\.)(?:func|functions)\.")
_IS_NOW = re.compile(r"^_?(?:TODAY|NOW|CURRENT_(?:DAY|DATE|TIME|YEAR|MONTH)|THIS_(?:YEAR|MONTH|DAY|WEEK))$")
_FRESH_EACH = re.compile(r"(?:^|\.)(?:Field)$")
"""Copies a list or dict that is its default."""


def defaults(tree: ast.Module) -> Iterator[Risk]:
    """Yield defaults that stay as they were when the module was imported."""
    for node in every_node(tree):
        if isinstance(node, ast.Call) and _DECLARES.search(name := ast.unparse(node.func)):
            for keyword in node.keywords:
                if keyword.arg in _KEYWORDS and (
                    _changes(keyword.value) or (_is_empty(keyword.value) and not _FRESH_EACH.search(name))
                ):
                    rule = "default-kept" if _changes(keyword.value) else "default-shared"
                    line = keyword.value.lineno
                    yield Risk(line, keyword.value.end_lineno or line, rule, ast.unparse(keyword.value)[:60])
    used = {
        each.id
        for function in every_node(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in every_node(function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    }
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        value = getattr(statement, "value", None)
        if isinstance(target, ast.Name) and _IS_NOW.match(target.id) and target.id in used and _reads(value):
            yield Risk(statement.lineno, statement.end_lineno or statement.lineno, "default-kept", target.id)


def _changes(node: ast.expr) -> bool:
    """Return whether a value is the answer of a call that answers differently each time."""
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        arguments = any(_changes(each) for each in node.args) and name in ("str", "int", "float", "repr")
        called = _CHANGES.search(name) is not None and not _OF_THE_DATABASE.search(name)
        return called or arguments or (isinstance(inner, ast.Call | ast.BinOp) and _changes(inner))
    if isinstance(node, ast.Attribute):  # `uuid4().hex`
        return isinstance(node.value, ast.Call) and _changes(node.value)
    return isinstance(node, ast.BinOp) and (_changes(node.left) or _changes(node.right))


def _is_empty(node: ast.expr) -> bool:
    return (isinstance(node, ast.List) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)


def _reads(value: object) -> bool:
    return isinstance(value, ast.expr) and any(
        isinstance(each, ast.expr) and _changes(each) for each in every_node(value)
    )
