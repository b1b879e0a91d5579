"""Calls of other servers that may wait for ever, because nobody said how long."""

import ast
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...facts.code import Risk
from ...syntax.walking import every_node

_WAITS: Mapping[str, int] = MappingProxyType(
    {
        "urllib.request.urlopen": 3,
        "request.urlopen": 3,
        "urlopen": 3,
        "opener.open": 3,
        "smtplib.SMTP": 4,
        "SMTP": 4,
        "smtplib.SMTP_SSL": 6,
        "SMTP_SSL": 6,
        "ftplib.FTP": 5,
        "ftplib.FTP_TLS": 6,
        "imaplib.IMAP4": 3,
        "imaplib.IMAP4_SSL": 5,
        "poplib.POP3": 3,
        "poplib.POP3_SSL": 4,
        "telnetlib.Telnet": 3,
        "http.client.HTTPConnection": 3,
        "http.client.HTTPSConnection": 3,
        "HTTPConnection": 3,
        "HTTPSConnection": 3,
        "socket.create_connection": 2,
    }
)
"""Call to the number of arguments with which the time is among them."""
_MODULES = frozenset({"urllib", "urllib.request", "smtplib", "ftplib", "imaplib", "poplib", "http.client", "socket"})
_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "request", "options", "send"})
_UNLIMITED = re.compile(r"^(?:httpx|aiohttp|requests)\.|(?:^|\.)(?:Client|AsyncClient|Timeout|ClientTimeout|urlopen)$")


def waiting(tree: ast.Module) -> Iterator[Risk]:
    """Yield calls that wait for a server without a limit."""
    imported = {
        name
        for node in every_node(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (getattr(node, "module", None) or "", *(each.name for each in node.names))
    }
    limited = any(
        isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setdefaulttimeout") for node in every_node(tree)
    )
    sessions = _sessions(tree) if "requests" in imported else set()
    if limited or not imported & (_MODULES | {"requests", "httpx", "aiohttp"}):
        return
    for node in every_node(tree):
        if not isinstance(node, ast.Call) or any(each.arg is None for each in node.keywords):
            continue
        name = ast.unparse(node.func)
        keywords = {each.arg: each.value for each in node.keywords}
        holder, _, method = name.rpartition(".")
        without = "timeout" not in keywords and not any(isinstance(each, ast.Starred) for each in node.args)
        known = name in _WAITS and ("." in name or imported & {name}) and len(node.args) < _WAITS[name]
        asked = holder in sessions and method in _VERBS and method != "send"
        lasting = keywords.get("timeout")
        for_ever = isinstance(lasting, ast.Constant) and lasting.value is None and bool(_UNLIMITED.search(name))
        connects = known and not (
            name.endswith(("SMTP", "SMTP_SSL", "FTP", "FTP_TLS")) and not node.args and not keywords
        )
        if (without and (connects or asked)) or for_ever:
            yield Risk(node.lineno, node.end_lineno or node.lineno, "waits-for-ever", name)


def _sessions(tree: ast.Module) -> set[str]:
    """Return the names that hold a session of requests, unless it is given adapters, which may set the limit."""
    found = set()
    for node in every_node(tree):
        value = getattr(node, "value", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(value, ast.Call):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if ast.unparse(value.func) in ("requests.Session", "requests.session", "Session"):
                found.add(ast.unparse(target))
        elif isinstance(node, ast.withitem) and ast.unparse(node.context_expr).lower() == "requests.session()":
            found |= {ast.unparse(node.optional_vars)} if node.optional_vars is not None else set()
    mounted = {
        ast.unparse(node.func.value)
        for node in every_node(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "mount"
    }
    return found - mounted
