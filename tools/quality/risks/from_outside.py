"""What comes from a request and where it goes unchecked: an address, a path, a page, another server.

The flow is followed inside one function: from the parameters of a handler and from `request.args` and its like,
through assignments, to calls that trust what they get. What is converted, cleaned or looked at in a condition counts
as checked.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Set
from types import MappingProxyType

from ..facts import Risk
from .made_paths import CHECKS, FILE, paths_of_names, trusted_part
from .received import MAY_RECEIVE, Function, arguments, functions, is_handler, is_tainted, parameters, spread

_ADDRESS = re.compile(r"(?:^|\.)(?:redirect|RedirectResponse|HttpResponseRedirect\w*|HTTPFound|HTTPSeeOther)$")
_PAGE = re.compile(r"(?:^|\.)(?:HTMLResponse|Markup|mark_safe|render_template_string|HttpResponse|make_response)$")
_SERVER = re.compile(
    r"^(?:requests|httpx|session|client|http|urllib\.request|aiohttp|self\.(?:http|client|session))\.(?:get|post|put|head|urlopen|request|stream)$|^urlopen$"
)
_SINKS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {"open-redirect": _ADDRESS, "path-from-user": FILE, "page-from-user": _PAGE, "request-forgery": _SERVER}
)
"""Rule to the calls that trust what they get."""
_SAVES = re.compile(r"(?:^|\.)(?:save|open|write_bytes|copyfileobj|move|FileResponse|send_file)$")


def from_outside(tree: ast.Module, text: str) -> tuple[list[Risk], list[str]]:
    """Return where what came in is trusted, and the calls that hand it on, as they are written: `documents.load`.

    A function that makes a path of a name it is given has itself in `given`: it is a hole only where somebody hands it
    what came in.
    """
    risks: list[Risk] = []
    handed: set[str] = set()
    receives = bool(MAY_RECEIVE.search(text))
    for node, owner in functions(tree):
        handled = receives and is_handler(node, owner)
        if receives:
            tainted = spread(node, parameters(node) if handled else set())
            risks += _trusting(node, tainted)
            handed |= _handing_on(node, tainted)
        if not handled:
            risks += paths_of_names(node)
    return risks, sorted(name for name in handed if len(name) <= 80)


def _handing_on(node: Function, tainted: Set[str]) -> set[str]:
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return {ast.unparse(call.func) for call in calls if any(is_tainted(each, tainted) for each in arguments(call))}


def _trusting(node: Function, tainted: Set[str]) -> Iterator[Risk]:
    """Yield the calls of a function that trust what came in."""
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func)
        if _SAVES.search(name) and _keeps_its_name(call, node):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "path-from-user", name)
        if name == "setattr" and len(call.args) == 3 and _comes_in(call.args[1], node, tainted):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "set-by-user", name)
        for rule, pattern in _SINKS.items():
            trusted = trusted_part(call, rule) if pattern.search(name) else None
            if trusted is not None and is_tainted(trusted, tainted) and _is_told(rule, trusted):
                yield Risk(call.lineno, call.end_lineno or call.lineno, rule, name)


def _keeps_its_name(call: ast.Call, function: Function) -> bool:
    """Return whether a file that was sent is kept under the name its sender gave it."""
    if CHECKS.search(ast.unparse(function)):
        return False
    values = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
    names = {each.id for value in values for each in ast.walk(value) if isinstance(each, ast.Name)}
    given = {
        target.id: each.value
        for each in ast.walk(function)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and target.id in names
    }
    joined = [*values, *given.values()]
    return any(
        isinstance(part, ast.Attribute) and part.attr == "filename"
        for value in joined
        if isinstance(value, ast.BinOp | ast.Call | ast.JoinedStr)
        for part in ast.walk(value)
    )


def _comes_in(name: ast.expr, function: Function, tainted: Set[str]) -> bool:
    """Return whether a loop goes through the fields that came in, and none of its conditions looks at their names."""
    loops = [each for each in ast.walk(function) if isinstance(each, ast.For) and _is_requested_in(each.iter, tainted)]
    return any(ast.unparse(name) in map(ast.unparse, ast.walk(each.target)) for each in loops) and not any(
        ast.unparse(name) in map(ast.unparse, ast.walk(each.test))
        for each in ast.walk(function)
        if isinstance(each, ast.If)
    )


def _is_requested_in(node: ast.expr, tainted: Set[str]) -> bool:
    return any(isinstance(each, ast.expr) and is_tainted(each, tainted) for each in ast.walk(node))


def _is_told(rule: str, trusted: ast.expr) -> bool:
    """Return whether the place of what came in matters: a fixed beginning names the site or the server already."""
    if rule in ("open-redirect", "request-forgery"):
        first = trusted.values[0] if isinstance(trusted, ast.JoinedStr) and trusted.values else trusted
        first = first.left if isinstance(first, ast.BinOp) else first
        return not isinstance(first, ast.Constant) or not str(first.value).strip("/")
    return True
