"""What comes from a request and where it goes unchecked: an address, a path, a page, a query, another server.

The flow is followed inside one function: from the parameters of a handler and from `request.args` and its like,
through assignments, to calls that trust what they get. What is converted, cleaned or looked at in a condition counts
as checked. Of other functions it is noted which of their parameters go where, so that a judge can follow what a
handler hands on.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from types import MappingProxyType

from ...facts.code import Risk
from ...facts.requests import Handed
from ...syntax.names import last_two_names
from ...syntax.walking import every_node, written
from .flow import Flow, flow_of
from .made_paths import CHECKS, CLEANS, FILE, trusted_part
from .made_queries import queried
from .received import MAY_RECEIVE, Function, functions, is_handler, is_tainted, mappings, parameters, taken, texts
from .serializers import TAKES, open_serializers, writing_views
from .spread import names_come_in, spread

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


def from_outside(tree: ast.Module, text: str) -> tuple[list[Risk], list[Handed], dict[str, list[str]]]:
    """Return where what came in is trusted, what is handed on, and the parameters of functions that may be handed it.

    A function that trusts what it is given has itself and its parameter in `given`: it is a hole only where somebody
    hands it what came in.
    """
    risks: list[Risk] = []
    handed: set[tuple[str, str, str, str]] = set()
    takes: dict[str, list[str]] = {}
    receives = bool(MAY_RECEIVE.search(text))
    maps = "sqlalchemy" in text.lower() or "django" in text
    for node, owner in functions(tree):
        handled = receives and is_handler(node, owner)
        given = [] if handled else texts(node)
        if not receives and not given and not mappings(node):
            continue
        flow = flow_of(node)
        if receives:
            tainted = flow.spread(parameters(node) if handled else set())
            risks += _trusting(node, flow, tainted, maps)
            handed |= {("", "", *each) for each in _handing_on(flow, tainted)}
        for name in () if handled else mappings(node):
            tainted = {name}
            found = [replace(each, given=node.name, parameter=name) for each in spread(node, tainted)]
            onward = {(node.name, name, *each) for each in _handing_on(flow, tainted)}
            risks += found
            handed |= onward
            if found or onward:
                takes[node.name] = [each.arg for each in taken(node)]
        for name in given:
            tainted = flow.spread({name})
            found = [replace(each, given=node.name, parameter=name) for each in _reaching(node, flow, tainted, maps)]
            onward = {(node.name, name, *each) for each in _handing_on(flow, tainted)}
            risks += found
            handed |= onward
            if found or onward:
                takes[node.name] = [each.arg for each in taken(node)]
    opened = list(open_serializers(tree))
    risks += opened
    takes |= {each.given: [TAKES] for each in opened}
    handed |= {("", "", each.callee, each.argument) for each in writing_views(tree)}
    return risks, [Handed(callee, at, function, name) for function, name, callee, at in sorted(handed)], takes


def _handing_on(flow: Flow, tainted: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield the calls that get some of what is tainted, `loads.find` or `Loads.find`, and by which argument."""
    for call in flow.calls:
        callee = last_two_names(call.func)
        if callee:
            named = [(str(place), each) for place, each in enumerate(call.args)]
            named += [(each.arg, each.value) for each in call.keywords if each.arg]
            yield from ((callee, at) for at, each in named if is_tainted(each, tainted))


def _trusting(node: Function, flow: Flow, tainted: Set[str], maps: bool) -> Iterator[Risk]:
    """Yield the calls of a function that trust what came in."""
    for call in flow.calls:
        name = ast.unparse(call.func)
        if _SAVES.search(name) and _keeps_its_name(call, node):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "path-from-user", name)
        if name == "setattr" and len(call.args) == 3 and names_come_in(call.args[1], node, tainted):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "set-by-user", name)
    yield from _reached(node, flow, tainted, maps, CLEANS)


def _reaching(node: Function, flow: Flow, tainted: Set[str], maps: bool) -> Iterator[Risk]:
    """Yield the calls of a function that trust a parameter of it."""
    yield from _reached(node, flow, tainted, maps, CHECKS)


def _reached(node: Function, flow: Flow, tainted: Set[str], maps: bool, checks: re.Pattern[str]) -> Iterator[Risk]:
    """Yield the calls that what is tainted reaches; a path begins where it is made."""
    for call in flow.calls:
        name = ast.unparse(call.func)
        if trusted := queried(call, name, flow, tainted, maps):
            yield Risk(trusted.lineno, call.end_lineno or call.lineno, "sql-from-text", name)
        for rule, pattern in _SINKS.items():
            part = trusted_part(call, rule) if pattern.search(name) else None
            if part is None or not is_tainted(part, tainted) or not _is_told(rule, part, tainted):
                continue
            if rule == "path-from-user" and checks.search(ast.unparse(node)):
                continue
            made = _made_of(part, flow, tainted) if rule == "path-from-user" else None
            yield Risk(made.lineno if made else call.lineno, call.end_lineno or call.lineno, rule, name)


def _made_of(part: ast.expr, flow: Flow, tainted: Set[str]) -> ast.expr | None:
    """Return where a path was put together that a call opens, also through `os.path.abspath(path)`."""
    names = [each.id for each in every_node(part) if isinstance(each, ast.Name) and each.id in tainted]
    return next((made for name in names if (made := flow.made(name)) is not None), None)


def _keeps_its_name(call: ast.Call, function: Function) -> bool:
    """Return whether a file that was sent is kept under the name its sender gave it."""
    if CHECKS.search(written(function)):
        return False
    values = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
    names = {each.id for value in values for each in every_node(value) if isinstance(each, ast.Name)}
    given = {
        target.id: each.value
        for each in every_node(function)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and target.id in names
    }
    joined = [*values, *given.values()]
    return any(
        isinstance(part, ast.Attribute) and part.attr == "filename"
        for value in joined
        if isinstance(value, ast.BinOp | ast.Call | ast.JoinedStr)
        for part in every_node(value)
    )


def _is_told(rule: str, trusted: ast.expr, tainted: Set[str]) -> bool:
    """Return whether the place of what came in matters: a fixed beginning names the site or the server already.

    So does an address of the settings with a stroke behind it.
    """
    if rule not in ("open-redirect", "request-forgery"):
        return True
    first, after = _beginning(trusted, None)
    if isinstance(first, ast.Constant):
        return not str(first.value).strip("/")
    text = after.values[0] if isinstance(after, ast.JoinedStr) and after.values else after
    begun = isinstance(text, ast.Constant) and str(text.value).startswith("/")
    return not begun or is_tainted(first, tainted)


def _beginning(text: ast.expr, after: ast.expr | None) -> tuple[ast.expr, ast.expr | None]:
    """Return the first piece of a text that is put together, and the one behind it."""
    if isinstance(text, ast.BinOp):
        return _beginning(text.left, text.right)
    if isinstance(text, ast.JoinedStr) and text.values:
        return text.values[0], text.values[1] if len(text.values) > 1 else after
    return text, after
