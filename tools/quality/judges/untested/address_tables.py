"""Django's tables of addresses, and the routers of its REST framework: which address leads to which view."""

import ast
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass

from ...reading.python.texts import TABLES
from ...syntax.walking import every_node

_OF_ROUTER = "register"
ENTERING = TABLES | {_OF_ROUTER}
"""What a file of addresses calls; a router makes several of each that is registered."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table."""

    routes: tuple[str, ...]
    name: str
    """By which the address is asked for; of a router the beginning of all its names, with `-`."""
    view: Set[str]
    """The words of what it leads to."""


def entries(text: str) -> list[Entry]:
    """Return the entries of a table of addresses; none where a text is no such table."""
    if "urlpatterns" not in text and "Router(" not in text:
        return []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    given = [each for each in tree.body if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "app_name"]
    lead = f"{ast.literal_eval(given[0].value)}:" if given and isinstance(given[0].value, ast.Constant) else ""
    return [each for node in every_node(tree) if isinstance(node, ast.Call) for each in _entry(node, lead)]


def _entry(call: ast.Call, lead: str) -> Iterator[Entry]:
    what = ast.unparse(call.func).rpartition(".")[2]
    if what not in ENTERING or not call.args:
        return
    named = {each.arg: each.value for each in call.keywords}
    view = call.args[1] if len(call.args) > 1 else named.get("view") or named.get("viewset")
    if view is None:
        return
    words = frozenset(re.findall(r"\w+", ast.unparse(view)))
    begins = _constant(call.args[0])
    if what == _OF_ROUTER:
        base = _constant(named.get("basename") or named.get("base_name") or dict(enumerate(call.args)).get(2))
        routes = (begins, f"{begins}/<pk>", f"{begins}/<pk>/<action>") if begins else ()
        yield Entry(routes, f"{lead}{base}-" if base else "", words)
    else:
        name = _constant(named.get("name"))
        yield Entry((begins,), f"{lead}{name}" if name else "", words)


def _constant(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
