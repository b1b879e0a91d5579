"""Addresses that others name and this program calls later: webhooks, callbacks, whose own network they may mean."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node, written

_IS_HOOK = re.compile(r"hook|callback|subscri|notif|ping_?back", re.IGNORECASE)
_ROW = re.compile(
    r"^(?!self\b|settings\b|config\b|app\b|current_app\b)(?:\w+\.)*\w*(?:hook|callback|subscri|endpoint)\w*\.(?:target_?|callback_?|hook_?)?"
    r"(?:url|uri|address|endpoint)$",
    re.IGNORECASE,
)
"""The address of a row: `delivery.webhook.url`."""
_CALLS = frozenset({"post", "put", "request", "urlopen", "send"})
_LOOKS = re.compile(
    r"ip_?address|is_private|is_global|getaddrinfo|gethostbyname|loopback|allow(?:ed|list)|169\.254", re.I
)
LOOKED = "scheme"
"""What of an address is looked at where it is kept."""


def hooks(tree: ast.Module) -> Iterator[Risk]:
    """Yield where such an address is looked at by its beginning alone, and where one is called."""
    found = [
        Risk(node.lineno, end or node.lineno, "inner-address", what)
        for function in every_node(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in every_node(function)
        if isinstance(node, ast.If | ast.Call)
        for what, end in _candidates(function, node)
    ]
    if found and _IS_HOOK.search(text := written(tree)) and not _LOOKS.search(text):
        yield from found


def _candidates(function: ast.AST, node: ast.If | ast.Call) -> Iterator[tuple[str, int | None]]:
    """Yield what is looked at or called, and the last line of it."""
    if isinstance(node, ast.If):
        turns_away = isinstance(node.body[-1], ast.Raise) and _asks_for_scheme(node)
        if turns_away and _IS_HOOK.search(written(function)):
            yield LOOKED, node.test.end_lineno
    elif node.args and isinstance(node.args[0], ast.Attribute) and _last(node.func) in _CALLS:
        address = ast.unparse(node.args[0])
        if _ROW.match(address):
            yield address, node.end_lineno


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _asks_for_scheme(node: ast.If) -> bool:
    text = ast.unparse(node.test)
    return bool(re.search(r"\.scheme\b|startswith\(\(?'https?://", text))
