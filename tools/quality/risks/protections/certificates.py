"""Certificates of other servers that nobody checks: whoever stands between reads along."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_ASKS_A_SERVER = re.compile(r"(?:^|\.)(?:get|post|put|patch|delete|head|options|request|stream|send|ws_connect)$")
_OPENS = re.compile(r"(?:^|[._])(?:Session|Async\w*|\w*Client|TCPConnector|\w*Pool\w*|Transport|\w*Adapter)$")
_TOLD_BY_THE_LINTER = re.compile(r"^(?:requests|httpx)\.\w+$")
_ALWAYS_MEANT = frozenset(
    {
        *("verify_ssl", "ssl_verify", "verify_certs", "verify_cert", "validate_certs", "validate_cert", "verify_tls"),
        *("check_certificate", "verify_certificate", "verify_certificates", "verify_https", "ssl_verify_peer"),
    }
)
"""Names of keywords that are about certificates, whatever is called."""
_CALLS_SERVERS = frozenset({"requests", "httpx", "aiohttp", "urllib3"})


def certificates(tree: ast.Module) -> Iterator[Risk]:
    """Yield where the check of certificates is switched off."""
    calls_servers = any(_CALLS_SERVERS & _imported(node) for node in every_node(tree))
    of_calls = {id(each.value) for node in every_node(tree) if isinstance(node, ast.Call) for each in node.keywords}
    for node in every_node(tree):
        if isinstance(node, ast.Call):
            if _is_unchecked(node):
                yield Risk(
                    node.lineno, node.end_lineno or node.lineno, "certificates-unchecked", ast.unparse(node.func)
                )
        elif isinstance(node, ast.Assign):
            yield from _assigned(node)
        elif isinstance(node, ast.Dict) and calls_servers and id(node) not in of_calls:
            yield from _options(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _unless_asked(node)


def _imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {each.name.partition(".")[0] for each in node.names}
    return {(node.module or "").partition(".")[0]} if isinstance(node, ast.ImportFrom) else set()


def _is_unchecked(node: ast.Call) -> bool:
    name = ast.unparse(node.func)
    keywords = {each.arg: each.value for each in node.keywords if each.arg}
    if any(_is_false(keywords[each]) for each in keywords if each in _ALWAYS_MEANT):
        return True
    if "CERT_NONE" in ast.unparse(keywords.get("cert_reqs", ast.Constant(""))):
        return True
    if not (_ASKS_A_SERVER.search(name) or _OPENS.search(name)) or _TOLD_BY_THE_LINTER.match(name):
        return False
    return _is_false(keywords.get("verify")) or _is_false(keywords.get("ssl"))


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _assigned(node: ast.Assign) -> Iterator[Risk]:
    target, value = ast.unparse(node.targets[0]), ast.unparse(node.value)
    off = value == "False" and target.endswith((".check_hostname", ".verify", ".verify_ssl", "['verify']"))
    none = target.endswith(".verify_mode") and value.endswith("CERT_NONE")
    if off or none or target.endswith("_create_default_https_context"):
        yield Risk(node.lineno, node.lineno, "certificates-unchecked", target)


def _options(node: ast.Dict) -> Iterator[Risk]:
    """Yield options that are kept for calls: `{"timeout": 5, "verify": False}`."""
    for key, value in zip(node.keys, node.values, strict=True):
        named = isinstance(key, ast.Constant) and key.value in ("verify", *_ALWAYS_MEANT)
        if named and _is_false(value):
            yield Risk(value.lineno, value.lineno, "certificates-unchecked", ast.unparse(value))


def _unless_asked(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Risk]:
    """Yield a function that leaves the check out unless its caller asks for it."""
    positional = [*node.args.posonlyargs, *node.args.args]
    last = positional[len(positional) - len(node.args.defaults) :]
    pairs = [
        *zip(last, node.args.defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    for parameter, default in pairs:
        if parameter.arg in ("verify", *_ALWAYS_MEANT) and default is not None and _is_false(default):
            handed = any(
                isinstance(each, ast.keyword)
                and each.arg in ("verify", "ssl")
                and ast.unparse(each.value) == parameter.arg
                for each in every_node(node)
            )
            if handed:
                yield Risk(default.lineno, default.lineno, "certificates-unchecked", parameter.arg)
