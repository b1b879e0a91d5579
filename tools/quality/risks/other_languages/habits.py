"""Bugs and holes of JavaScript and TypeScript that show in a whole file: its habits, its listeners, its promises."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...facts.code import Risk
from ...syntax.functions import OF_SCRIPTS, name_of, named_around
from ...syntax.nodes import nodes_of, risk_at, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

LEAST_STRICT = 3
"""Strict comparisons of a file, and for each loose one, from which on they are its habit."""
MOST_LOOSE = 2
"""Loose comparisons of a file that are slips; more of them are a habit too."""
_LISTENS = re.compile(r"^(?:document|window|document\.body|globalThis)\.addEventListener$")
_TAKES_OFF = re.compile(r"removeEventListener|AbortController|\bsignal\b|once\s*:\s*true")
_AGAIN = re.compile(
    r"^(?:open|show|render|update|refresh|draw|toggle|display|load|handle|on[A-Z]|add|create|build|pick)"
)
"""How functions are named that run more than once."""
_TIMERS = frozenset({"setInterval", "setTimeout", "window.setInterval", "window.setTimeout", "requestAnimationFrame"})
_SIGNED = re.compile(r"\.digest\(|^(?:expected|computed|calculated)(?:Sig\w*|Hmac|Mac|Digest)?$")
_SENT = re.compile(r"signature|\bsig\b|hmac|digest|x-hub|headers\[", re.I)


def script_risks(root: "Node", text: str) -> list[Risk]:
    """Return what a file of JavaScript or TypeScript risks, in the order of lines."""
    nodes = list(nodes_of(root))
    found = [*_loose(nodes), *_listening(nodes), *_floating(nodes)]
    if "createHmac" in text and "timingSafeEqual" not in text:
        found += _compared(nodes)
    return sorted(found, key=lambda each: (each.line, each.rule))


def _sides(node: "Node") -> "tuple[Node | None, str, Node | None]":
    operator = text_of(node.child_by_field_name("operator"))
    return node.child_by_field_name("left"), operator, node.child_by_field_name("right")


def _loose(nodes: "list[Node]") -> Iterator[Risk]:
    """Yield `==` in a file whose habit is `===`; with null it asks for undefined too, and is meant."""
    compared = [(node, *_sides(node)) for node in nodes if node.type == "binary_expression"]
    strict = sum(operator in ("===", "!==") for _, _, operator, _ in compared)
    loose = [
        node
        for node, left, operator, right in compared
        if operator in ("==", "!=")
        and not {"null", "undefined"} & {text_of(left), text_of(right)}
        and not text_of(left).startswith("typeof")
    ]
    if len(loose) <= MOST_LOOSE and strict >= LEAST_STRICT * len(loose):
        yield from (risk_at(node, "loosely-equal") for node in loose)


def _listening(nodes: "list[Node]") -> Iterator[Risk]:
    """Yield listeners on the whole page that a function adds each time it runs, and nobody takes off."""
    for node in nodes:
        if node.type != "call_expression" or not _LISTENS.match(text_of(node.child_by_field_name("function"))):
            continue
        around = named_around(node)
        if around is not None and _AGAIN.match(name_of(around)) and not _TAKES_OFF.search(text_of(around)):
            yield risk_at(node, "listener-kept")


def _floating(nodes: "list[Node]") -> Iterator[Risk]:
    """Yield asynchronous functions of the file that a timer calls: nobody hears of their errors.

    Where they look at how an answer went, what is left is a line on the console.
    """
    unsure = {
        name_of(node)
        for node in nodes
        if node.type in OF_SCRIPTS
        and re.match(r"async\b", text_of(node))
        and not re.search(r"\btry\s*\{|\.catch\(|\.(?:ok|status)\b", text_of(node))
    } - {""}
    for node in nodes:
        if node.type != "call_expression" or text_of(node.child_by_field_name("function")) not in _TIMERS:
            continue
        arguments = node.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        body = first.child_by_field_name("body") if first is not None and first.type == "arrow_function" else first
        if body is None or ".catch(" in text_of(body):
            continue
        called = body.child_by_field_name("function") if body.type == "call_expression" else body
        if text_of(called) in unsure:
            yield risk_at(node, "promise-unheard")


def _compared(nodes: "list[Node]") -> Iterator[Risk]:
    """Yield a signature that is compared with `===`, where nothing compares in constant time."""
    made = {
        text_of(node.child_by_field_name("name"))
        for node in nodes
        if node.type == "variable_declarator" and ".digest(" in text_of(node.child_by_field_name("value"))
    }
    for node in nodes:
        if node.type != "binary_expression":
            continue
        left, operator, right = _sides(node)
        sides = [text_of(left), text_of(right)]
        if operator not in ("==", "===", "!=", "!==") or "undefined" in sides or "null" in sides:
            continue
        if any(each in made or _SIGNED.search(each) for each in sides) and any(map(_SENT.search, sides)):
            yield risk_at(node, "compared-in-time")
