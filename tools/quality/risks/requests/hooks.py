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
_CALLS = re.compile(r"(?:^|\.)(?:post|put|request|urlopen|send)$")
_LOOKS = re.compile(
    r"ip_?address|is_private|is_global|getaddrinfo|gethostbyname|loopback|allow(?:ed|list)|169\.254", re.I
)
LOOKED = "scheme"
"""What of an address is looked at where it is kept."""


def hooks(tree: ast.Module) -> Iterator[Risk]:
    """Yield where such an address is looked at by its beginning alone, and where one is called."""
    if not _IS_HOOK.search(written(tree)) or _LOOKS.search(written(tree)):
        return
    for function in every_node(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        keeps = bool(_IS_HOOK.search(written(function)))
        for node in every_node(function):
            if keeps and isinstance(node, ast.If) and _asks_for_scheme(node) and isinstance(node.body[-1], ast.Raise):
                yield Risk(node.lineno, node.test.end_lineno or node.lineno, "inner-address", LOOKED)
            elif isinstance(node, ast.Call) and (address := _called_address(node)):
                yield Risk(node.lineno, node.end_lineno or node.lineno, "inner-address", address)


def _called_address(call: ast.Call) -> str:
    """Return the address of a row that a call goes to, `""` where it goes elsewhere."""
    if not call.args or not _CALLS.search(ast.unparse(call.func)):
        return ""
    first = ast.unparse(call.args[0])
    return first if _ROW.match(first) else ""


def _asks_for_scheme(node: ast.If) -> bool:
    text = ast.unparse(node.test)
    return bool(re.search(r"\.scheme\b|startswith\(\(?'https?://", text))
