"""What comes in with a request: who receives it, and which values of a function still hold it."""

import ast
import re
from collections.abc import Iterator, Set

Function = ast.FunctionDef | ast.AsyncFunctionDef
_VERBS = frozenset(
    {
        *("get", "post", "put", "patch", "delete", "route", "api_route", "websocket", "head", "view", "expose", "page"),
        *("api_view", "action", "view_config", "require_http_methods", "require_GET", "require_POST"),
    }
)
_OF_VIEWS = frozenset({"get", "post", "put", "patch", "delete"})
_VIEW = re.compile(r"View|Resource|Handler|Endpoint|ViewSet")
_REQUESTED = re.compile(
    r"\b(?:request|req|self\.request)\.(?:args|form|values|GET|POST|query_params|path_params|json|data|files|headers"
    r"|cookies|query|match_info|rel_url|FILES|COOKIES|params|query_string|get_json|matchdict)\b"
)
MAY_RECEIVE = re.compile(
    r"\breq(?:uest)?\b|filename\b|namelist|getnames"
    r"|@[\w.]+\.(?:get|post|put|patch|delete|route|api_route|websocket|view|expose|page|action)\b"
)
"""Without any of these words a module has nothing that came in."""
_STEPS = 3
_SENT_NAMES = frozenset({"filename", "get_filename", "namelist", "getnames"})
_KEEPS_TEXT = re.compile(
    r"(?:^|\.)(?:str|bytes|Path|PurePath|PosixPath|join|joinpath|format|strip|lstrip|rstrip|lower|upper|title|replace|decode"
    r"|encode|removeprefix|removesuffix|unquote\w*|get|getlist|pop|fspath|abspath|expanduser|normpath|splitlines|split)$"
)
"""Calls whose answer is still the text that came in; others look something up, convert, clean or check."""
_PLAIN = re.compile(r"^(?:str|bytes|Optional\[str\]|str \| None|None \| str|Annotated\[\s*(?:str|Optional\[str\]).*)$")


def functions(tree: ast.Module) -> Iterator[tuple[Function, str]]:
    """Yield every function with the bases of the class around it."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, owner = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield child, owner
            inner = " ".join(map(ast.unparse, child.bases)) if isinstance(child, ast.ClassDef) else owner
            waiting.append((child, inner))


def is_handler(node: Function, owner: str) -> bool:
    """Return whether a function answers requests: by its decorator, its first parameter, or the class it is in."""
    called = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    routed = any(
        ast.unparse(each).rpartition(".")[2] in _VERBS and isinstance(each, ast.Attribute | ast.Name) for each in called
    )
    first = node.args.args[0].arg if node.args.args else ""
    return routed or first == "request" or (node.name in _OF_VIEWS and bool(_VIEW.search(owner)))


def parameters(node: Function) -> set[str]:
    """Return the parameters of a handler that hold text of the request; a converter or a type makes others of them."""
    every = [*node.args.args, *node.args.kwonlyargs]
    plain = [each for each in every if each.arg not in ("self", "cls", "request", "req", "session", "db", "info")]
    annotated = any(each.annotation for each in plain)
    return {
        each.arg
        for each in plain
        if (_PLAIN.match(ast.unparse(each.annotation)) if each.annotation else not annotated)
        and "Depends" not in (ast.unparse(each.annotation) if each.annotation else "")
    }


def spread(node: Function, tainted: set[str]) -> set[str]:
    """Return the names that hold something of what came in, without those a condition looks at."""
    found = set(tainted)
    given = [pair for each in ast.walk(node) for pair in _given(each)]
    for _ in range(_STEPS):
        before = len(found)
        for target, value in given:
            if is_tainted(value, found):
                found |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
        if len(found) == before:
            break
    if not found:
        return found
    checked = {
        name.id
        for each in ast.walk(node)
        if isinstance(each, ast.If | ast.IfExp | ast.Assert | ast.While)
        for part in ast.walk(each.test)
        if isinstance(part, ast.Call | ast.Compare) and not _asks_for_none(part)
        for name in ast.walk(part)
        if isinstance(name, ast.Name)
    }
    return found - checked


def _given(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what a statement puts where: by `=`, by a loop, by `rows.append(row)`."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.target, node.iter
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and node.args
    ):
        yield node.func.value, node.args[0]


def _asks_for_none(node: ast.AST) -> bool:
    """Return whether a condition only asks whether there is something, which is no check of what it is."""
    if isinstance(node, ast.Compare):
        return all(isinstance(each, ast.Constant) and each.value in (None, "") for each in node.comparators)
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".exists", ".is_file", ".get"))


def is_tainted(node: ast.expr, tainted: Set[str]) -> bool:
    """Return whether a value holds text of the request: a name, a piece of a text, or `request.args[...]` itself."""
    if isinstance(node, ast.Call):
        if not _KEEPS_TEXT.search(ast.unparse(node.func)):
            return _is_requested(node.func)
        holder = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return any(is_tainted(each, tainted) for each in (*arguments(node), *holder))
    if isinstance(node, ast.Name):
        return node.id in tainted
    if isinstance(node, ast.Attribute | ast.Subscript):
        inside = isinstance(node, ast.Subscript) and is_tainted(node.value, tainted)
        return inside or _is_requested(node)
    if isinstance(node, ast.Await):
        return is_tainted(node.value, tainted)
    parts = (ast.BinOp, ast.BoolOp, ast.JoinedStr, ast.FormattedValue, ast.IfExp, ast.Tuple, ast.List)
    return isinstance(node, parts) and any(
        is_tainted(each, tainted) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)
    )


def _is_requested(node: ast.expr) -> bool:
    """Return whether an expression is a part of a request, or the name a sender gave a file."""
    named = isinstance(node, ast.Attribute) and node.attr in _SENT_NAMES and ast.unparse(node.value) != "self"
    return named or bool(_REQUESTED.match(ast.unparse(node)))


def arguments(call: ast.Call) -> list[ast.expr]:
    """Return what a call is given, by place and by name."""
    return [*call.args, *(each.value for each in call.keywords)]
