"""Handlers of requests and the routers they belong to, with what asks for each who it is."""

import ast
import re
from collections.abc import Iterator

from ...facts.requests import Door
from ...syntax.walking import every_node
from .identity import identity_of
from .received import Function

IS_GUARD = re.compile(
    r"require[sd]?_?(?!GET|POST|http|safe)|required|login|signed|auth|admin|staff|role|permission|protect|secured?\b|guard"
    r"|jwt|token|principal|current_?\w*(?:user|member|account)|only\b|_only|UserPassesTest|IsOwner",
    re.I,
)
"""Names of what lets some in and others not."""
LOOKS = re.compile(
    r"\brequest\.user\b|current_user|is_staff|is_admin|\.role\b|has_perm|PermissionDenied|Forbidden|Unauthorized|\b40[13]\b"
    r"|compare_digest|\bhmac\b|\bsession\[|session\.get\((?:[\"']|[A-Z_]+\b)|[Aa]uthorization|check_\w*(?:access|token|key|perm)|verify_|api_?key"
    r"|g\.user|signature|token",
)
_NO_GUARD = re.compile(
    r"^require_(?:GET|POST|safe|http_methods)|csrf|cache|exempt|author$|authors|admin\.(?:register|display|action)"
)
_VERBS = frozenset({"get", "post", "put", "patch", "delete", "route", "websocket", "api_route"})
_WRITES = frozenset({"post", "put", "patch", "delete"})
_ROUTERS = re.compile(r"(?:^|\.)APIRouter$")
_DEPENDS = re.compile(r"(?:Depends|Security)\(([\w.]+)")
_VIEW = re.compile(r"(?:View|ViewSet|Resource|MethodView)$")
_OPEN = re.compile(r"AllowAny")
_ONE_ROW = re.compile(r"[<{](?:\w+:)?(?:\w+_)?(?:id|pk|number|no|nr|ref|reference)(?::\w+)?[>}]")
"""A part of a path that is counted up; a code or a token opens by being known."""


def doors(tree: ast.Module) -> Iterator[Door]:
    """Yield the routers and handlers of a file."""
    watched = _watched(tree)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name):
            if _ROUTERS.search(ast.unparse(node.value.func)):
                name = node.targets[0].id
                guards = _DEPENDS.findall(ast.unparse(node.value))
                yield Door(node.lineno, node.end_lineno or node.lineno, name, name, sorted(guards), router=True)
        elif isinstance(node, ast.ClassDef):
            yield from _of_class(node)
    for each in every_node(tree):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_function(each, watched)


def _watched(tree: ast.Module) -> set[str]:
    """Return the routers before whose handlers a function of their own runs."""
    return {
        ast.unparse(
            each.func.value if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) else each
        ).partition(".")[0]
        for node in every_node(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in node.decorator_list
        if "before_request" in ast.unparse(each) or "middleware" in ast.unparse(each)
    }


def _of_function(node: Function, watched: set[str]) -> Iterator[Door]:
    group, verb = "", ""
    names: list[str] = []
    paths: list[str] = []
    for each in node.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        if isinstance(called, ast.Attribute) and called.attr in _VERBS:
            group, verb = ast.unparse(called.value), called.attr
            methods = re.search(r"methods=\[([^\]]*)\]", ast.unparse(each))
            verb = (
                "post"
                if methods and re.search(r"POST|PUT|PATCH|DELETE", methods[1]) and "GET" not in methods[1]
                else verb
            )
            names += _DEPENDS.findall(ast.unparse(each))
            paths += (
                [str(word.value) for word in each.args[:1] if isinstance(word, ast.Constant)]
                if isinstance(each, ast.Call)
                else []
            )
        else:
            names.append(ast.unparse(called))
    first = node.args.args[0].arg if node.args.args else ""
    if not group and first == "request" and not node.name.startswith("_"):
        group, verb = "views", "post" if any("require_POST" in each for each in names) else "get"
    if not group or group in watched:
        return
    names += _DEPENDS.findall(ast.unparse(node.args))
    names += [ast.unparse(each.annotation) for each in (*node.args.args, *node.args.kwonlyargs) if each.annotation]
    guards = sorted({each for each in names if IS_GUARD.search(each) and not _NO_GUARD.search(each)})
    body = "\n".join(map(ast.unparse, node.body))
    looks = bool(LOOKS.search(body)) or identity_of(node, True).named
    yield Door(
        node.lineno,
        node.end_lineno or node.lineno,
        node.name,
        group,
        guards,
        verb in _WRITES,
        looks,
        picks=any(map(_ONE_ROW.search, paths)),
    )


def _of_class(node: ast.ClassDef) -> Iterator[Door]:
    """Yield a view that is a class: its mixins and decorators ask, or a list of permissions."""
    bases = [ast.unparse(each) for each in node.bases]
    if not any(_VIEW.search(each.partition("[")[0]) for each in bases):
        return
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    names = [*bases, *map(ast.unparse, node.decorator_list)]
    names += [ast.unparse(each) for method in methods for each in method.decorator_list]
    names += [
        ast.unparse(each)
        for each in node.body
        if isinstance(each, ast.Assign) and "permission_classes" in ast.unparse(each)
    ]
    guards = sorted({each for each in names if IS_GUARD.search(each)})
    writes = any(each.name in _WRITES for each in methods) and not any(each.name == "get" for each in methods)
    looks = bool(LOOKS.search("\n".join(map(ast.unparse, methods)))) or any(_OPEN.search(each) for each in names)
    yield Door(node.lineno, node.end_lineno or node.lineno, node.name, "views", guards, writes, looks)
