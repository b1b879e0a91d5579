"""Protections that are switched off or left out: tokens, cookies, origins, keys in logs."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node, written

_SECRET = re.compile(
    r"(?:^|_)(?:password|passwd|pwd|passphrase|secret|token|api_?key|private_?key|card_?number|cvv|pin)$", re.I
)
_LOGS = re.compile(
    r"^print$|^(?:log|logger|logging|_log|_logger|LOG|LOGGER|self\.log(?:ger)?|app\.logger|current_app\.logger)\.(?:debug|info|warning|error|exception|critical|log)$"
)
_FAST_HASH = re.compile(r"(?:^|\.)(?:md5|sha1|sha224|sha256|sha384|sha512|sha3_\d+|blake2[bs])$")
_PASSWORD = re.compile(r"(?:^|[^a-z])(?:password|passwd|pwd|passphrase|passcode|pin|pin_code)\b", re.I)
_OPENS = re.compile(r"session|token|auth|jwt|sid\b|remember", re.I)
_SWITCHES = re.compile(
    r"(?:^|\.|\[['\"])(?:(?P<off>SESSION_COOKIE_(?:SECURE|HTTPONLY)|CSRF_COOKIE_SECURE|WTF_CSRF_ENABLED|CSRF_ENABLED|REMEMBER_COOKIE_\w+)|(?P<on>DEBUG|CORS_ALLOW_ALL_ORIGINS|CORS_ORIGIN_ALLOW_ALL|TEMPLATES_AUTO_RELOAD_UNSAFE))(?:['\"]\])?$"
)
_ASKS_FOR_A_KEY = re.compile(
    r"compare_digest|\bhmac\b|verify_\w*sig|check_\w*(?:key|sig|token)|[\"']Authorization[\"']", re.I
)


def protections(tree: ast.Module) -> Iterator[Risk]:
    """Yield where a protection is missing, with its rule."""
    asking = {
        node.name
        for node in every_node(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _ASKS_FOR_A_KEY.search(written(node))
    }
    for node in every_node(tree):
        if isinstance(node, ast.Call):
            yield from _call(node)
        elif isinstance(node, ast.Assign):
            yield from _assigned(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            called = {ast.unparse(each.func) for each in every_node(node) if isinstance(each, ast.Call)}
            if node.name not in asking and not called & asking:  # forged requests do not know the key
                yield from _exempt(node)
        elif isinstance(node, ast.Attribute) and node.attr == "MODE_ECB":
            yield Risk(node.lineno, node.lineno, "patterns-shown", ast.unparse(node))


def _call(node: ast.Call) -> Iterator[Risk]:
    name = ast.unparse(node.func)
    keywords = {each.arg: each.value for each in node.keywords if each.arg}
    place = (node.lineno, node.end_lineno or node.lineno)
    if name.endswith("jwt.decode") and _is_unverified(keywords):
        yield Risk(*place, "token-unverified", name)
    if _LOGS.match(name) and any(map(_is_secret, (*node.args, *keywords.values()))):
        yield Risk(*place, "secret-in-log", name)
    if "CORS" in name or (name.endswith("add_middleware") and "CORS" in ast.unparse(node)):
        origins = next((value for key, value in keywords.items() if "origin" in key and "regex" not in key), None)
        credentials = next((value for key, value in keywords.items() if "credentials" in key), None)
        if _holds(origins, "*") and _holds(credentials, True):
            yield Risk(*place, "any-origin", name)
    if name.endswith(".set_cookie") and _is_open(node, keywords):
        yield Risk(*place, "open-cookie", name)
    hashed = _FAST_HASH.search(name) and any(_PASSWORD.search(ast.unparse(each)) for each in node.args)
    if hashed:
        yield Risk(*place, "fast-hash", name)
    if name.endswith("XMLParser") and _holds(keywords.get("resolve_entities"), True):
        yield Risk(*place, "entities-resolved", name)


def _is_open(node: ast.Call, keywords: dict[str, ast.expr]) -> bool:
    """Return whether a cookie is open to scripts: said so, or left open though its name says what it opens."""
    first = node.args[0] if node.args else keywords.get("key")
    named = isinstance(first, ast.Constant) and bool(_OPENS.search(str(first.value)))
    kept = "httponly" in keywords or any(each.arg is None for each in node.keywords)
    return _holds(keywords.get("httponly"), False) or (named and not kept)


def _exempt(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[Risk]:
    """Yield a view that is taken out of the protection against forged requests; hooks of other servers have to be."""
    for each in node.decorator_list:
        name = ast.unparse(each)
        if re.search(r"csrf_?exempt|csrf\.exempt", name) and not re.search(r"hook|callback|notif|ipn", node.name, re.I):
            yield Risk(each.lineno, each.lineno, "forgery-allowed", name)


def _is_unverified(keywords: dict[str, ast.expr]) -> bool:
    options = keywords.get("options")
    off = isinstance(options, ast.Dict) and any(
        isinstance(key, ast.Constant) and key.value == "verify_signature" and _holds(value, False)
        for key, value in zip(options.keys, options.values, strict=True)
    )
    return off or _holds(keywords.get("verify"), False) or _holds(keywords.get("algorithms"), "none")


def _holds(node: ast.expr | None, wanted: object) -> bool:
    """Return whether an expression is a constant, or a list that has it."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return any(_holds(each, wanted) for each in node.elts)
    return isinstance(node, ast.Constant) and type(node.value) is type(wanted) and node.value == wanted


def _assigned(node: ast.Assign) -> Iterator[Risk]:
    target, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
    switch = _SWITCHES.search(target)
    if switch and value == ("False" if switch["off"] else "True"):
        yield Risk(node.lineno, node.lineno, "switched-off" if switch["off"] else "left-open", target)
    if target == "ALLOWED_HOSTS" and "'*'" in value:
        yield Risk(node.lineno, node.lineno, "left-open", target)


def _is_secret(node: ast.expr) -> bool:
    """Return whether a value is a secret by its name: a variable, an attribute, or what fills in a text."""
    if isinstance(node, ast.JoinedStr):
        return any(_is_secret(each.value) for each in node.values if isinstance(each, ast.FormattedValue))
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return bool(_SECRET.search(name))
