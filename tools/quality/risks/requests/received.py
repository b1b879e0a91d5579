"""What comes in with a request: who receives it, and which values of a function still hold it."""

import ast
import re
from collections.abc import Iterator, Sequence, Set

Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = "_functions"
_VERBS = frozenset(
    {
        *("get", "post", "put", "patch", "delete", "route", "api_route", "websocket", "head", "view", "expose", "page"),
        *("api_view", "action", "view_config", "require_http_methods", "require_GET", "require_POST"),
    }
)
_OF_VIEWS = frozenset({"get", "post", "put", "patch", "delete"})
_OF_VIEWSETS = frozenset({"list", "create", "retrieve", "update", "partial_update", "destroy"})
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
_SENT_NAMES = frozenset({"filename", "get_filename", "namelist", "getnames"})
_KEEPS_TEXT = re.compile(
    r"(?:^|\.)(?:str|bytes|Path|PurePath|PosixPath|join|joinpath|format|strip|lstrip|rstrip|lower|upper|title|replace|decode"
    r"|encode|removeprefix|removesuffix|unquote\w*|get|getlist|pop|fspath|abspath|expanduser|normpath|splitlines|split)$"
)
"""Calls whose answer is still the text that came in; others look something up, convert, clean or check."""
_LOOKS_UP = frozenset({"get", "getlist", "pop"})
_MAY_BE_TEXT = re.compile(
    r"(?:^|_)(?:name|file|filename|path|document|attachment|key|slug|folder|directory|sort|order|order_by|ordering|column"
    r"|field|by|direction|where|filter|words?|query|term|search|q|sql|clause|text|value|html|url|uri|target|next|to"
    r"|address|host|link|location|code|number|day|month|kind|prefix)s?$"
)
_MAPPING = re.compile(r"^(?:dict|Dict|Mapping|MutableMapping|typing\.(?:Dict|Mapping)|JSON\w*)\b")
_MAPPING_NAMES = frozenset(
    {"data", "payload", "values", "changes", "fields", "attrs", "attributes", "updates", "body", "patch", "new_values"}
)
_READS_BODY = re.compile(
    r"^(?:\w+\.)?(?:body|(?:json|read|request|get|parse)_body|(?:request|get|json|posted)_(?:data|json|payload))\(\)$"
)
"""Calls of a project's own by which a handler takes what was sent."""
_FIXED = re.compile(r"\b(?:pattern|regex)=|Literal\[|\bEnum\b")
_PLAIN = re.compile(r"^(?:str|bytes|Optional\[str\]|str \| None|None \| str|Annotated\[\s*(?:str|Optional\[str\]).*)$")


def functions(tree: ast.Module) -> Sequence[tuple[Function, str]]:
    """Return every function with the bases of the class around it; kept on the tree, since seven finders ask."""
    found: list[tuple[Function, str]] | None = vars(tree).get(_FUNCTIONS)
    if found is None:
        vars(tree)[_FUNCTIONS] = found = list(_functions(tree))
    return found


def _functions(tree: ast.Module) -> Iterator[tuple[Function, str]]:
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, owner = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield child, owner
            inner = " ".join(map(ast.unparse, child.bases)) if isinstance(child, ast.ClassDef) else owner
            if not isinstance(child, ast.expr):
                waiting.append((child, inner))


def is_handler(node: Function, owner: str) -> bool:
    """Return whether a function answers requests: by its decorator, its first parameter, or the class it is in."""
    called = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    routed = any(
        ast.unparse(each).rpartition(".")[2] in _VERBS and isinstance(each, ast.Attribute | ast.Name) for each in called
    )
    first = node.args.args[0].arg if node.args.args else ""
    of_set = node.name in _OF_VIEWSETS and "ViewSet" in owner
    return routed or first == "request" or of_set or (node.name in _OF_VIEWS and bool(_VIEW.search(owner)))


def parameters(node: Function) -> set[str]:
    """Return the parameters of a handler that hold text of the request; a converter or a type makes others of them."""
    plain = [each for each in taken(node) if each.arg not in ("request", "req", "session", "db", "info")]
    annotated = any(each.annotation for each in plain)
    limited = {name for name, default in _defaults(node) if _FIXED.search(default) or "Depends" in default}
    return {
        each.arg
        for each in plain
        if (_is_text(each) or _is_mapping(each) if each.annotation else not annotated) and each.arg not in limited
    }


def taken(node: Function) -> list[ast.arg]:
    """Return the parameters of a function in their order, without `self` and `cls`."""
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return [each for each in every if each.arg not in ("self", "cls")]


def texts(node: Function) -> list[str]:
    """Return the parameters of any function that may be handed text: by their types, without types by their names."""
    return [each.arg for each in taken(node) if (_is_text(each) if each.annotation else _MAY_BE_TEXT.search(each.arg))]


def mappings(node: Function) -> list[str]:
    """Return the parameters of any function that may be handed fields by their names: by their types, else names."""
    return [each.arg for each in taken(node) if (_is_mapping(each) if each.annotation else each.arg in _MAPPING_NAMES)]


def _is_mapping(parameter: ast.arg) -> bool:
    return parameter.annotation is not None and bool(_MAPPING.match(ast.unparse(parameter.annotation)))


def _is_text(parameter: ast.arg) -> bool:
    kind = ast.unparse(parameter.annotation) if parameter.annotation else ""
    return bool(_PLAIN.match(kind)) and "Depends" not in kind and not _FIXED.search(kind)


def _defaults(node: Function) -> Iterator[tuple[str, str]]:
    """Yield the parameters that have a default, and it."""
    positional = [*node.args.posonlyargs, *node.args.args]
    with_default = positional[len(positional) - len(node.args.defaults) :]
    yield from ((each.arg, ast.unparse(value)) for each, value in zip(with_default, node.args.defaults, strict=True))
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    yield from ((each.arg, ast.unparse(value)) for each, value in named if value is not None)


def is_tainted(node: ast.expr, tainted: Set[str]) -> bool:
    """Return whether a value holds text of the request: a name, a piece of a text, or `request.args[...]` itself."""
    if isinstance(node, ast.Call):
        if not _KEEPS_TEXT.search(ast.unparse(node.func)):
            return _is_requested(node.func) or bool(_READS_BODY.match(ast.unparse(node)))
        if not isinstance(node.func, ast.Attribute):
            return any(is_tainted(each, tainted) for each in arguments(node))
        values = arguments(node)[1:] if node.func.attr in _LOOKS_UP else arguments(node)  # a table is asked by its key
        return any(is_tainted(each, tainted) for each in (*values, node.func.value))
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
