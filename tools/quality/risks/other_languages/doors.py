"""Handlers of requests in JavaScript and TypeScript, with the middleware that asks for each who it is."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...facts.requests import Door
from ...syntax.nodes import nodes_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "all"})
_IS_GUARD = re.compile(
    r"^(?:\w+\.)*(?:require|ensure|is[A-Z]|check|verify|must|only|need)\w*|auth|guard|protect|admin|staff|role|permission|signedIn"
    r"|loggedIn|jwt|passport",
    re.I,
)
_LOOKS = re.compile(
    r"locals\.\w*[uU]ser|\b(?:req|request)\.(?:user|session|auth)|Forbidden|Unauthorized|\b40[13]\b|timingSafeEqual|signature"
    r"|userOf\(|currentUser|authorization|verify|token",
    re.I,
)
_NO_GUARD = re.compile(r"valid|schema|body|limit|parse|upload|cache", re.I)


def script_doors(root: "Node") -> Iterator[Door]:
    """Yield the handlers that routers of a file are given, other than those behind a guard for the whole router."""
    calls = [each for each in nodes_of(root) if each.type == "call_expression"]
    watched = {
        holder
        for each in calls
        for holder, method, arguments in _parts(each)
        if method == "use" and arguments and _guards(arguments[:1])
    }
    for each in calls:
        for holder, method, arguments in _parts(each):
            path = arguments[0] if arguments else None
            if (
                method not in _VERBS
                or path is None
                or path.type not in ("string", "template_string")
                or len(arguments) < 2
            ):
                continue
            if holder not in watched and re.search(r"rout|app\b|server|api", holder, re.I):
                yield Door(
                    each.start_point[0] + 1,
                    each.end_point[0] + 1,
                    f"{method} {text_of(path)[1:-1]}",
                    holder,
                    _guards(arguments[1:-1]),
                    method in ("post", "put", "patch", "delete"),
                    bool(_LOOKS.search(text_of(arguments[-1]))),
                )


def _parts(call: "Node") -> "Iterator[tuple[str, str, list[Node]]]":
    called, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if called is not None and called.type == "member_expression" and given is not None:
        holder, method = called.child_by_field_name("object"), called.child_by_field_name("property")
        yield text_of(holder), text_of(method), [each for each in given.named_children if each.type != "comment"]


def _guards(arguments: "list[Node]") -> list[str]:
    """Return the middleware among arguments that asks who it is, by its name."""
    names = []
    for each in arguments:
        called = each.child_by_field_name("function") if each.type == "call_expression" else each
        names.append(text_of(called).partition("\n")[0])
    return sorted({each for each in names if _IS_GUARD.search(each) and not _NO_GUARD.search(each) and len(each) < 60})
