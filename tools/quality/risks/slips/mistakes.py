"""Mistakes that run without an error: text without its f in a log, lists all objects share, errors nobody hears of."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node, written
from ..requests.flow import settled

_LOGS = re.compile(r"(?:^|\.)_?log(?:ger|ging)?\.(?:debug|info|warning|error|exception|critical)$", re.I)
_BRACES = re.compile(r"(?<!\{)\{([A-Za-z_]\w*)(?:[.\[!:][^{}]*)?\}(?!\})")
_FILLS_IN = re.compile(r"\.format(?:_map)?\(|[Tt]emplate|render|substitute|format\s*=|\beval\(|jinja|vformat")
_SHARED = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "clear"})
_TOLD = re.compile(
    r"log|warn|error|exception|print|abort|fail|report|capture|flash|message|traceback|sentry|record|rollback|notif",
    re.I,
)


_GROWS = re.compile(r"^\s*(?:and|or|where|order\s+by|group\s+by|limit|offset|having|set|values)\b", re.I)
_VALUE = re.compile(
    r"(?:=|<|>|\blike\b|\bin\s*\(|\bby\b|\blimit\b|\boffset\b)\s*[\"']*%*(?:\{|%[sd]|['\"]+\s*\+)", re.I
)
_TAKES_SQL = re.compile(
    r"(?:where|cond|clause|filter|sql|quer)\w*\.append$|(?:^|\.)(?:SQL|text|RawSQL|raw|literal_column|where|having|extra)$",
    re.I,
)
_REPEATED = re.compile(r"\((?:\?:)?(?:\[[^\]]*\]|\\?[\w.])[+*]\)[+*]")


def mistakes(tree: ast.Module) -> Iterator[Risk]:
    """Yield mistakes with their rules."""
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _braces(node)
            yield from _grown(node)
        elif isinstance(node, ast.ClassDef):
            yield from _shared(node)
        elif isinstance(node, ast.ExceptHandler):
            yield from _unheard(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            yield from _endless(node)


def _braces(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Risk]:
    """Yield texts of a log whose braces name variables of the function: `RUF027` leaves logs out."""
    known = {each.arg for each in every_node(function.args) if isinstance(each, ast.arg)}
    known |= {
        each.id for each in every_node(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    for call in every_node(function):
        if isinstance(call, ast.Call) and call.args and _LOGS.search(ast.unparse(call.func)):
            text = call.args[0]
            named = (
                _BRACES.findall(text.value) if isinstance(text, ast.Constant) and isinstance(text.value, str) else []
            )
            if named and set(named) <= known and not {each.arg for each in call.keywords} & {*named}:
                yield Risk(call.lineno, call.end_lineno or call.lineno, "text-without-f", named[0])
    yield from _dotted(function, known)


def _dotted(function: ast.FunctionDef | ast.AsyncFunctionDef, known: set[str]) -> Iterator[Risk]:
    """Yield other texts with `{member.name}` in them, where `member` is a variable: `RUF027` leaves those out.

    A function that fills in texts, or takes one as a template, means its braces.
    """
    if _FILLS_IN.search(written(function)):
        return
    inside = {id(part) for each in every_node(function) if isinstance(each, ast.JoinedStr) for part in every_node(each)}
    inside |= {id(each.value) for each in every_node(function) if isinstance(each, ast.Expr)}
    for text in every_node(function):
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and id(text) not in inside:
            named = re.findall(r"(?<!\{)\{([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)+(?:![rsa])?(?::[^{}]*)?\}(?!\})", text.value)
            if named and set(named) <= known:
                yield Risk(text.lineno, text.end_lineno or text.lineno, "text-without-f", named[0])


def _shared(node: ast.ClassDef) -> Iterator[Risk]:
    """Yield lists and dicts of a class that its methods change through `self` and never set there."""
    if any(ast.unparse(each).rpartition(".")[2].startswith("dataclass") for each in node.decorator_list) or node.bases:
        return
    empty = {
        each.targets[0].id: each.lineno
        for each in node.body
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _is_empty(each.value)
    }
    stores = {_of_self(each) for each in every_node(node) if isinstance(getattr(each, "ctx", None), ast.Store)}
    changed = {_changed_of_self(each) for each in every_node(node)}
    for name, line in empty.items():
        if (
            name in changed - stores
            and not name.isupper()
            and not re.search(r"cache|registry|instances|known", name, re.I)
        ):
            yield Risk(line, line, "shared-by-all", name)


def _grown(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Risk]:
    """Yield pieces of SQL with a value in them that are put behind others: `sql += f" AND name = '{name}'"`."""
    for node in every_node(function):
        value: ast.expr | None = None
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            value = node.value
        elif isinstance(node, ast.Call) and node.args and _TAKES_SQL.search(ast.unparse(node.func)):
            value = _meant(node.args[0], function)
        if value is None or not _is_piece(value) or not _VALUE.search(ast.unparse(value)):
            continue
        names = {each.id for each in every_node(value) if isinstance(each, ast.Name)}
        if not names or not names <= settled(function):
            yield Risk(value.lineno, value.end_lineno or value.lineno, "sql-from-text", ast.unparse(value)[:60])


def _meant(value: ast.expr, function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr:
    """Return what a variable holds, where the function sets it once; else the value itself."""
    given = [
        each.value
        for each in every_node(function)
        if isinstance(each, ast.Assign) and isinstance(value, ast.Name) and ast.unparse(each.targets[0]) == value.id
    ]
    return given[0] if len(given) == 1 else value


def _is_piece(value: ast.expr) -> bool:
    """Return whether a text begins or is compared as a piece of SQL, and has something put into it."""
    texts = [each.value for each in every_node(value) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    made = isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Mod)
    )
    return (
        made
        and bool(texts)
        and bool(_GROWS.match(texts[0]) or re.match(r"^\s*(?:\w+\()?[\w.]+\)?\s*(?:=|<|>|like)\s*'", texts[0], re.I))
    )


def _endless(node: ast.Call) -> Iterator[Risk]:
    """Yield a pattern that repeats a repetition, `(a+)+`: some texts keep it busy for hours."""
    pattern = node.args[0]
    if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str) and _REPEATED.search(pattern.value):
        yield Risk(node.lineno, node.end_lineno or node.lineno, "endless-pattern", pattern.value[:60])


def _is_empty(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return not node.args and ast.unparse(node.func) in ("list", "dict", "set")
    return (isinstance(node, ast.List) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)


def _of_self(node: ast.AST) -> str:
    """Return the name of an attribute of `self`, `""` for anything else."""
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr if isinstance(node, ast.Attribute) and own else ""


def _changed_of_self(node: ast.AST) -> str:
    """Return the attribute of `self` that is changed in place: `self.rows.append(1)`, `self.rows[key] = 1`."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return _of_self(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SHARED:
        return _of_self(node.func.value)
    return ""


def _unheard(node: ast.ExceptHandler) -> Iterator[Risk]:
    """Yield handlers of every error that go on with a fixed value, and tell nobody."""
    caught = ast.unparse(node.type) if node.type else "Exception"
    if caught not in ("Exception", "BaseException") or any(isinstance(each, ast.Raise) for each in every_node(node)):
        return
    names = {each.id for each in every_node(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    calls = {ast.unparse(each.func) for each in every_node(node) if isinstance(each, ast.Call)}
    plain = all(
        isinstance(each, ast.Return | ast.Assign | ast.Pass | ast.Continue) and _is_fixed(each) for each in node.body
    )
    if plain and (node.name is None or node.name not in names) and not any(map(_TOLD.search, calls)):
        yield Risk(node.lineno, node.body[-1].end_lineno or node.lineno, "error-unheard", caught)


def _is_fixed(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Return | ast.Assign) else None
    if value is None:
        return isinstance(node, ast.Return)
    return isinstance(value, ast.Constant | ast.List | ast.Dict | ast.Tuple) and not any(
        isinstance(each, ast.Call) for each in every_node(value)
    )
