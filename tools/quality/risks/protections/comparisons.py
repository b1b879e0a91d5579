"""Secrets that are compared with `==`: the time it takes tells how much of them is right."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_SIGNATURE = re.compile(r"(?:^|_)(?:signature|digest|hmac|mac|sig|token|api_?key|secret|password)$", re.I)
_MAKES = re.compile(
    r"(?:^|\.)(?:(?:hex)?digest|sign|sign_\w+|(?:_?(?:make|build|compute|calculate|calc|expected|create|generate|get)_)"
    r"\w*(?:signature|sig|hmac|mac|digest))$"
)
"""What makes a signature."""
_OF_NUMBERS = re.compile(r"^(?:np|numpy|math|torch|tf|jnp|inspect)\.")
_WORD = r"(?:token|secret|api_?key|signature|passphrase|hook_?key|auth_?key|access_?key|signing_?key|kiosk_?key)"
_IN_SETTINGS = re.compile(rf"(?:settings|config|conf|environ|getenv|secrets?)\b[\w.]*[.\[(].*{_WORD}", re.I)
_CONSTANT = re.compile(rf"^(?:\w+\.)?[A-Z0-9_]*{_WORD.upper()}$")
_OF_A_ROW = re.compile(
    r"^[a-z]\w*(?:\.\w+)?\.(?:reset|api|session|access|auth|csrf|form|login|invite|invitation|share|feed|unsubscribe"
    r"|verification|confirmation|activation|refresh|webhook|hook|download)_(?:token|key|secret)$"
)
_OF_A_SESSION = re.compile(r"\bsession(?:\.get\(|\[)[\"'][\w-]*(?:token|csrf)", re.I)
_SENT = re.compile(r"^[a-z_]\w*$|headers|(?:args|form|query_params|cookies|json|data|payload|body)(?:\.get\(|\[)")
"""What the other side sent: a variable, a header, a field."""
_OWN_WORDS = re.compile(r"^(?:self|cls|none|true|false|default|old|previous|other)\b", re.I)


def comparisons(tree: ast.Module) -> Iterator[Risk]:
    """Yield secrets, signatures and passwords compared with `==` or `!=`."""
    told: set[tuple[int, str]] = set()
    for node in every_node(tree):
        found = _compared_later(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ()
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            found = _compared(node)
        for each in found:
            if (each.line, each.rule) not in told:
                told.add((each.line, each.rule))
                yield each


def _compared_later(node: ast.AST) -> Iterator[Risk]:
    """Yield a signature that a variable holds when it is compared with `==`."""
    signed = {
        ast.unparse(target)
        for each in every_node(node)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if _is_made(each.value)
        or any(isinstance(part, ast.Call) and ast.unparse(part.func) == "hmac.new" for part in every_node(each.value))
    }
    for each in every_node(node) if signed else ():
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Eq | ast.NotEq):
            sides = [each.left, *each.comparators]
            fixed = any(isinstance(side, ast.Constant) for side in sides)
            if not fixed and signed & set(map(ast.unparse, sides)):
                yield Risk(each.lineno, each.end_lineno or each.lineno, "compared-in-time", "==")


def _is_made(node: ast.expr) -> bool:
    """Return whether an expression makes a signature of a secret key."""
    text = ast.unparse(node)
    return bool(re.search(r"\b(?:hmac\.(?:new|digest)|(?<!\.)sign)\(", text)) and text.endswith(("digest()", ")"))


def _compared(node: ast.Compare) -> Iterator[Risk]:
    sides = [node.left, *node.comparators]
    texts = [ast.unparse(each) for each in sides]
    place = (node.lineno, node.end_lineno or node.lineno)
    if not any(isinstance(each, ast.Constant) for each in sides) and (_is_signed(sides) or _is_kept(texts)):
        yield Risk(*place, "compared-in-time", "==")
    names = [ast.unparse(each) for each in sides if isinstance(each, ast.Name | ast.Attribute | ast.Subscript)]
    kept = any("." in name and re.search(r"\.(?:password|passwd|pwd)$", name) and "form" not in name for name in names)
    typed = [name for name in names if re.search(r"(?:password|passwd|pwd)(?:['\"]\])?$", name)]
    if kept and len(typed) > 1 and len(set(typed)) > 1:
        yield Risk(*place, "password-in-the-clear", " == ".join(names))


def _is_signed(sides: list[ast.expr]) -> bool:
    """Return whether one side makes a signature, and the other is one that was sent."""
    made = [
        each
        for each in sides
        if isinstance(each, ast.Call) and _MAKES.search(name := ast.unparse(each.func)) and not _OF_NUMBERS.search(name)
    ]
    sent = [
        each
        for each in sides
        if each not in made
        and (
            _SIGNATURE.search(ast.unparse(each).rpartition(".")[2])
            if isinstance(each, ast.Name | ast.Attribute)
            else "headers" in ast.unparse(each)
        )
    ]
    return bool(made and sent)


def _is_kept(texts: list[str]) -> bool:
    """Return whether one side is a secret of the settings, a row or a session, and the other was sent."""
    kept = [
        text
        for text in texts
        if _IN_SETTINGS.search(text) or _CONSTANT.match(text) or _OF_A_ROW.match(text) or (_OF_A_SESSION.search(text))
    ]
    others = [text for text in texts if text not in kept]
    return len(kept) == 1 and len(others) == 1 and bool(_SENT.search(others[0])) and not _OWN_WORDS.match(others[0])
