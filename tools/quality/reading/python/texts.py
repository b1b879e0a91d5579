"""What the texts of a Python module may stand for: names that are looked up, addresses, documentation."""

import ast
import re
from collections.abc import Iterable, Iterator

from ...syntax.walking import every_node

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_IN_WORDS = re.compile(r"\w_\w|[a-z][A-Z]")
_PREFIX = re.compile(r"[A-Za-z]\w+_|_[A-Za-z]\w+_")
"""At least two letters: `do_`, `cmd_`."""
_ADDRESS = re.compile(r"^/[\w\-./<>{}:?=&%]*$")
_ROUTE_CALLS = frozenset(
    {
        *("route", "get", "post", "put", "patch", "delete", "head", "options", "websocket", "api_route"),
        *("path", "re_path", "url", "add_url_rule", "add_route", "include", "Route", "Mount", "WebSocketRoute"),
        *("add_get", "add_post", "add_put", "add_patch", "add_delete", "add_api_route"),
    }
)
_OF_CLIENTS_TOO = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
"""What a client of another server is asked as well: a route where it decorates, or names who answers."""
_HTTP_VERBS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "*"})
TABLES = frozenset({"path", "re_path", "url"})
"""Calls of Django's tables, whose addresses start without a slash."""


def documented_lines(tree: ast.Module) -> set[int]:
    """Return the lines of documentation strings."""
    found: set[int] = set()
    for node in every_node(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                found.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return found


def _strings(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module that are no documentation."""
    documents = {
        id(node.body[0].value)
        for node in every_node(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in every_node(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


def words(tree: ast.Module) -> Iterator[str]:
    """Yield words of short strings: `getattr(x, "name")`, `"package.module:function"`, tables of names.

    Of sentences only what no sentence has: `in_words` and `inWords`.
    """
    for string in _strings(tree):
        if len(string) <= 120:
            words = _WORD.findall(string)
            yield from (word for word in words if _IN_WORDS.search(word)) if " " in string.strip() else words


def prefixes(tree: ast.Module) -> Iterator[str]:
    """Yield the constant beginnings of names made at run time: by `%`, `format`, `+` or an f-string."""
    named = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }
    for node in every_node(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id in named:
            text = named[node.left.id]
        elif isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.FormattedValue):
            text = named.get(ast.unparse(node.values[0].value), "")
        elif isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
            text = str(node.values[0].value)
        elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            text = re.split(r"%[sr(]|\{", node.left.value)[0]
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith(".format")
            and isinstance(node.func, ast.Attribute)
        ):
            text = str(node.func.value.value).partition("{")[0] if isinstance(node.func.value, ast.Constant) else ""
        else:
            continue
        if _PREFIX.fullmatch(text):
            yield text


def routes(tree: ast.Module, addresses: Iterable[str]) -> Iterator[str]:
    """Yield the addresses a module serves, without their methods, and the beginnings it gives many of them.

    Args:
        addresses: What `served` gave for the module.
    """
    yield from dict(_prefixes_of_routers(tree)).values()
    yield from (each.partition(" ")[2] for each in addresses)
    yield from (mounted for node in every_node(tree) if isinstance(node, ast.Call) and (mounted := _prefix_of(node)))


def served(tree: ast.Module) -> Iterator[str]:
    """Yield the addresses a module serves, each behind its method: `GET /orders`, `* /orders` where none is said.

    Those of a blueprint or router begin as it says for them all.
    """
    prefixes = dict(_prefixes_of_routers(tree))
    nodes = every_node(tree)
    decorating = {id(each) for node in nodes for each in getattr(node, "decorator_list", ())}
    of_classes = {id(each) for node in nodes if isinstance(node, ast.ClassDef) for each in node.decorator_list}
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        holder = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        first = _after_verb(node.args)
        text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
        asks = name in _OF_CLIENTS_TOO and id(node) not in decorating and not _names_who_answers(node.args)
        if text == "" and holder in prefixes:  # the address of the router itself
            text = "/"
        if name in _ROUTE_CALLS and not asks and text is not None and (text.startswith("/") or name in TABLES):
            verbs = ["*"] if id(node) in of_classes else _verbs(node, name)  # a class has a method for each
            yield from (f"{verb} {prefixes.get(holder, '')}{text}" for verb in verbs)
        elif name == "add_resource":  # Flask-RESTful: the class first, then its addresses
            told = (each.value for each in node.args[1:] if isinstance(each, ast.Constant))
            yield from (f"* {prefixes.get(holder, '')}{each}" for each in told if isinstance(each, str))


def _verbs(node: ast.Call, name: str) -> list[str]:
    """Return the methods a call serves an address for; Flask's `route` without any serves GET."""
    plain = name.removeprefix("add_").upper()
    if plain in _HTTP_VERBS:
        return [plain]
    first = node.args[0] if node.args else None
    if len(node.args) > 1 and isinstance(first, ast.Constant) and first.value in _HTTP_VERBS:
        return [str(first.value)]
    methods = next((each.value for each in node.keywords if each.arg in ("methods", "method")), None)
    if isinstance(methods, ast.List | ast.Tuple | ast.Set):
        said = [
            each.value.upper()
            for each in methods.elts
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
        return said if len(said) == len(methods.elts) else ["*"]
    return ["GET"] if name == "route" and methods is None else ["*"]


def _names_who_answers(arguments: list[ast.expr]) -> bool:
    return len(arguments) > 1 and isinstance(arguments[1], ast.Name | ast.Attribute | ast.Lambda)


def _after_verb(arguments: list[ast.expr]) -> ast.expr | None:
    """Return the address of a call that registers a handler, behind the verb where that stands first."""
    first = arguments[0] if arguments else None
    verb = len(arguments) > 1 and isinstance(first, ast.Constant) and first.value in _HTTP_VERBS
    return arguments[1] if verb else first


def _prefixes_of_routers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield name and beginning of `router = APIRouter(prefix="/x")` and `blueprint = Blueprint(url_prefix="/x")`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and (prefix := _prefix_of(node.value)):
            yield ast.unparse(node.targets[0]), prefix


def _prefix_of(node: ast.AST) -> str:
    """Return the beginning of addresses that a call names, `""` for none."""
    if not isinstance(node, ast.Call):
        return ""
    value = next((key.value for key in node.keywords if key.arg in ("url_prefix", "prefix")), None)
    text = value.value if isinstance(value, ast.Constant) else ""
    return text.rstrip("/") if isinstance(text, str) and text.startswith("/") else ""


def paths(tree: ast.Module) -> Iterator[str]:
    """Yield the strings that look like the path of an address, with `{}` for what is filled in."""
    for string in _strings(tree):
        if len(string) <= 200 and _ADDRESS.match(string):
            yield string.partition("?")[0]
    for node in every_node(tree):  # f"/api/orders/{number}/cancel"
        if isinstance(node, ast.JoinedStr):
            parts = [each.value if isinstance(each, ast.Constant) else "{}" for each in node.values]
            joined = "".join(str(part) for part in parts)
            if _ADDRESS.match(joined):
                yield joined.partition("?")[0]
