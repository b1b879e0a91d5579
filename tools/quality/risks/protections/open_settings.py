"""Settings that are open unless somebody closes them: debugging, cookies, origins."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node, written

_IS_DEBUG = re.compile(r"^(?:\w+\.)*(?:(?:FLASK_|APP_|DJANGO_)?DEBUG|debug)$")
_IS_SAFETY = re.compile(r"^(?:\w+\.)*(?:SESSION_COOKIE_(?:SECURE|HTTPONLY)|CSRF_COOKIE_SECURE|SECURE_SSL_REDIRECT)$")
_READS = re.compile(r"(?:^|[._])(?:get|getenv|bool|env|config|get_bool|getboolean|bool_env|flag|str|_?env_bool)$")
_TRUE = frozenset({"1", "true", "yes", "on", "y", "t"})
_FALSE = frozenset({"0", "false", "no", "off", "n", "f", ""})


def open_settings(tree: ast.Module) -> Iterator[Risk]:
    """Yield settings whose default is the dangerous one."""
    for node in every_node(tree):
        if isinstance(node, ast.Assign):
            for name in map(_named, node.targets):
                yield from _default(name, node.value, False)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _default(_named(node.target), node.value, True)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isupper():
                    yield from _default(key.value, value, False)
        elif isinstance(node, ast.Call):
            if ast.unparse(node.func).endswith(".run"):
                yield from (
                    hit for each in node.keywords if each.arg == "debug" for hit in _default("debug", each.value, False)
                )
            yield from _origins(node)
    yield from _origin_settings(tree)
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _echoed(node)


def _named(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return ast.unparse(node)


def _default(name: str, value: ast.expr, field: bool) -> Iterator[Risk]:
    """Yield a switch that is read from outside and is on, or off, where nobody says otherwise."""
    rule, wanted = ("left-open", _TRUE) if _IS_DEBUG.match(name) else ("switched-off", _FALSE)
    if rule == "switched-off" and not _IS_SAFETY.match(name):
        return
    plain = field and rule == "left-open" and isinstance(value, ast.Constant) and value.value is True
    read = [each for each in every_node(value) if isinstance(each, ast.Call) and _READS.search(ast.unparse(each.func))]
    for call in read:
        keywords = {each.arg: each.value for each in call.keywords}
        default = keywords.get("default") or (call.args[1] if len(call.args) > 1 else None)
        told = isinstance(default, ast.Constant) and str(default.value).lower() in wanted
        negated = isinstance(value, ast.UnaryOp) or any(
            isinstance(each, ast.NotEq | ast.NotIn) for each in every_node(value)
        )
        if told and not negated:
            plain = True
    if plain:
        yield Risk(value.lineno, value.end_lineno or value.lineno, rule, name)


def _origins(node: ast.Call) -> Iterator[Risk]:
    """Yield what lets every site in together with cookies, other than by a plain star."""
    text = ast.unparse(node)
    named = ast.unparse(node.func)
    if "CORS" not in named and not (named.endswith("add_middleware") and "CORS" in text):
        return
    keywords = {each.arg: ast.unparse(each.value) for each in node.keywords if each.arg}
    pattern = keywords.get("allow_origin_regex", "")
    credentials = any("credentials" in key and value == "True" for key, value in keywords.items())
    everything = bool(
        re.search(r"^r?['\"]\^?(?:https?\??://|https?://|\(http[^)]*\))?(?:\.[*+]|\(\.[*+]\))\$?['\"]$", pattern)
    )
    resources = bool(re.search(r"origins?['\"]:\s*\[?['\"](?:\*|\.\*)['\"]", keywords.get("resources", "")))
    open_by_default = named.endswith("CORS") and not {"origins", "resources"} & keywords.keys()  # flask-cors: a star
    if credentials and (everything or resources or open_by_default):
        yield Risk(node.lineno, node.end_lineno or node.lineno, "any-origin", named)


def _origin_settings(tree: ast.Module) -> Iterator[Risk]:
    """Yield the pair of settings by which Django lets every site in together with cookies."""
    values = {
        ast.unparse(each.targets[0]): each
        for each in tree.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant) and each.value.value is True
    }
    every = values.get("CORS_ALLOW_ALL_ORIGINS") or values.get("CORS_ORIGIN_ALLOW_ALL")
    if every is not None and "CORS_ALLOW_CREDENTIALS" in values:
        yield Risk(every.lineno, every.lineno, "any-origin", "CORS_ALLOW_CREDENTIALS")


def _echoed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Risk]:
    """Yield a header that names whichever site asks as allowed, with cookies, and looks at no list."""
    text = written(node)
    if "Access-Control-Allow-Credentials" not in text:
        return
    looks = re.search(
        r"\borigin\b[^\n]*\b(?:not )?in\b|allowed|ORIGINS", text, re.I
    ) and "ORIGINS" in text.upper().replace("ACCESS-CONTROL-ALLOW-ORIGIN", "")
    for each in every_node(node):
        if isinstance(each, ast.Assign) and "Access-Control-Allow-Origin" in ast.unparse(each.targets[0]):
            value = ast.unparse(each.value)
            if not looks and re.search(r"headers|origin|'\*'", value, re.I):
                yield Risk(each.lineno, each.lineno, "any-origin", "Access-Control-Allow-Origin")
