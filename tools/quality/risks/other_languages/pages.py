"""Pages that scripts put together of text: what a user typed runs in them unless it is escaped on its way."""

import re
from typing import TYPE_CHECKING

from ...syntax.functions import OF_SCRIPTS, name_of
from ...syntax.nodes import nodes_of, text_of
from .put_together import is_put_together
from .texts import is_written_down

if TYPE_CHECKING:
    from tree_sitter import Node

CLEANED = re.compile(r"sanitize|purify|escape|encode|basename|startsWith|normalize|\besc\w*\(", re.IGNORECASE)
_OF_ADDRESS = re.compile(
    r"\b(?:location\.(?:hash|search|href)|document\.(?:referrer|URL|documentURI)|window\.name)\b"
    r"|\bsearchParams\.get\(|new URLSearchParams\([^)]*\)\.get\("
)
"""What whoever sends a link says in its address."""
_WRITES = re.compile(r"(?:^document\.write(?:ln)?|\.insertAdjacentHTML|\.createContextualFragment)$")
_WRITES_TAGS = re.compile(r"^\$.*\.(?:html|append|prepend|after|before|replaceWith)$")
_NO_TEXT = re.compile(
    r"^(?:i|j|n|idx|index|html|markup|svg|icon|rows|cells|items|body|attrs?|cls)$"
    r"|(?:id|Id|ID|count|Count|length|total|Total|[iI]ndex|size|Size|width|height|percent|minutes|hours|days|cents|Cents"
    r"|price|Price|amount|Amount|date|Date|_at|At|day|Day|year|month|number|Number|page|Page|time|Time|level|score|rank"
    r"|status|Status|state|kind|type|Type|class|className|icon|Icon|colou?r|html|Html|HTML|markup|svg|selected|checked)$"
)
"""Names of numbers, of words the program chooses itself, and of markup that was made before."""
_OF_PROGRAM = re.compile(r"(?:^|\.)(?:options|opts|settings|config|defaults|labels|messages|strings|texts|i18n)$")
"""Objects whose texts are the program's own, or of who puts the script into a page."""
_STEPS = 3
"""Variables and functions between what is shown and where it is made."""
_MOST_GIVEN = 8
_ON_LISTS = frozenset({"map", "join", "concat", "flatMap", "reduce", "filter", "slice", "reverse", "sort"})
_ON_TEXTS = frozenset({"trim", "slice", "substring", "toUpperCase", "toLowerCase", "toString", "replace"})


def shows(value: "Node") -> bool:
    """Return whether a value becomes a part of a page with text in it that nobody escaped."""
    text = text_of(value)
    if _OF_ADDRESS.search(text) and not CLEANED.search(text):
        return True
    if is_put_together(value) and not CLEANED.search(text):
        return True
    return _is_open(value, _STEPS)


def writes(name: str, arguments: "list[Node]") -> bool:
    """Return whether a call puts some of its arguments into the page, with text in them that nobody escaped."""
    if _WRITES.search(name):
        return any(map(shows, arguments))
    tags = [each for each in arguments if text_of(each).lstrip("`\"'(").startswith("<")]
    return bool(_WRITES_TAGS.search(name)) and any(_is_open(each, _STEPS) for each in tags)


def _is_open(node: "Node", steps: int) -> bool:
    """Return whether a value is markup with text of somebody in it, also through lists, variables and functions."""
    if steps < 0:
        return False
    match node.type:
        case "template_string":
            inside = [each.named_children[0] for each in node.named_children if each.type == "template_substitution"]
            return "<" in text_of(node) and any(_is_text(each, steps) for each in inside if each is not None)
        case "binary_expression" | "ternary_expression" | "parenthesized_expression":
            sides = node.named_children[1:] if node.type == "ternary_expression" else node.named_children
            tags = any("string" in each.type and "<" in text_of(each) for each in sides)
            return any(_is_open(each, steps) or (tags and _is_text(each, steps)) for each in sides)
        case "call_expression":
            return _is_open_call(node, steps)
        case "identifier":
            return any(_is_open(each, steps - 1) for each in _given(node))
    return False


def _is_open_call(node: "Node", steps: int) -> bool:
    called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if called is None or given is None or given.type == "template_string":  # html`...` escapes
        return False
    if called.type == "identifier":
        made = _function_named(node, text_of(called))
        return made is not None and any(_is_open(each, steps - 1) for each in _returned(made))
    if text_of(called.child_by_field_name("property")) not in _ON_LISTS:
        return False
    holder = called.child_by_field_name("object")
    callbacks = [each for each in given.named_children if each.type in OF_SCRIPTS]
    named = [_function_named(node, text_of(each)) for each in given.named_children if each.type == "identifier"]
    rounds = [*callbacks, *(each for each in named if each is not None)]
    if any(_is_open(each, steps - 1) for made in rounds for each in _returned(made)):
        return True
    return holder is not None and _is_open(holder, steps)


def _is_text(node: "Node", steps: int) -> bool:
    """Return whether what is put into markup may be text of somebody: a name or a field that is no number."""
    match node.type:
        case "identifier":
            return not _NO_TEXT.search(text_of(node)) and not _given(node) and not is_written_down(node)
        case "member_expression":
            holder = text_of(node.child_by_field_name("object"))
            own = holder.isupper() or _OF_PROGRAM.search(holder)
            return not own and not _NO_TEXT.search(text_of(node.child_by_field_name("property")))
        case "binary_expression" | "parenthesized_expression":
            operator = text_of(node.child_by_field_name("operator"))
            return operator in ("", "+", "||", "??") and any(_is_text(each, steps) for each in node.named_children)
        case "ternary_expression":
            return any(_is_text(each, steps) or _is_open(each, steps) for each in node.named_children[1:])
        case "call_expression":
            called = node.child_by_field_name("function")
            method = text_of(called.child_by_field_name("property")) if called is not None else ""
            holder_node = called.child_by_field_name("object") if called is not None else None
            if method in _ON_TEXTS and holder_node is not None:
                return _is_text(holder_node, steps)
            return _is_open(node, steps)
    return _is_open(node, steps)


def _given(name: "Node") -> "list[Node]":
    """Return what the function around sets a variable to, or adds to it."""
    around = name.parent
    while around is not None and around.type not in OF_SCRIPTS and around.parent is not None:
        around = around.parent
    found: list[Node] = []
    for each in nodes_of(around) if around is not None else ():
        if each.type in ("variable_declarator", "assignment_expression", "augmented_assignment_expression"):
            left = each.child_by_field_name("name") or each.child_by_field_name("left")
            right = each.child_by_field_name("value") or each.child_by_field_name("right")
            if right is not None and text_of(left) == text_of(name):
                found.append(right)
    return found[:_MOST_GIVEN]


def _returned(function: "Node") -> "list[Node]":
    """Return what a function answers with."""
    body = function.child_by_field_name("body")
    if body is None or body.type != "statement_block":
        return [body] if body is not None else []
    return [
        each.named_children[0] for each in nodes_of(body) if each.type == "return_statement" and each.named_children
    ]


def _function_named(node: "Node", name: str) -> "Node | None":
    """Return the function of a name in the file of a node."""
    root = node
    while root.parent is not None:
        root = root.parent
    return next((each for each in nodes_of(root) if each.type in OF_SCRIPTS and name_of(each) == name), None)
