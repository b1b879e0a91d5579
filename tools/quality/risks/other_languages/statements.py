"""Bugs and holes in JavaScript, TypeScript, Java and Go, by the shape of a statement; nothing is followed."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...facts.code import Risk
from ...syntax.functions import FUNCTIONS
from ...syntax.nodes import text_of
from .pages import CLEANED, shows, writes
from .put_together import is_literal, is_put_together
from .texts import is_written_down

if TYPE_CHECKING:
    from tree_sitter import Node

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_SQL = re.compile(
    r"^[\"'`(\s]*(?:select\b[\s\S]+\bfrom|insert\s+into|update\b[\s\S]+\bset|delete\s+from)\b", re.IGNORECASE
)
_SECRET = re.compile(r"passw|token|secret|session_?id|reset|invit|voucher|nonce|api_?key|\botp", re.IGNORECASE)
_ASKED = re.compile(r"\b(?:req|request|ctx)\.(?:query|params|body|headers|cookies|url)\b|searchParams\.get\(")
_RUNS = re.compile(r"^(?:(?:child_?process|cp|shell|proc)\.)?(?:exec|execSync|spawnSync?|execFile)$", re.IGNORECASE)
_ASKS_DATABASE = re.compile(
    r"\.(?:query|execute|executeQuery|executeUpdate|raw|createQuery|createNativeQuery|prepareStatement|Query\w*|Exec\w*|QueryRow\w*|all|get|run)$"
)


@dataclass(frozen=True, slots=True)
class _At:
    """A node, the function around it, and the language."""

    node: "Node"
    function: "Node"
    language: str


def tree_risks(root: "Node", language: str) -> list[Risk]:
    """Return the bugs and holes of a file, in the order of lines."""
    found: list[Risk] = []
    waiting: list[tuple[Node, Node]] = [(root, root)]
    while waiting:
        node, function = waiting.pop()
        inside = node if node.type in FUNCTIONS else function
        if judged := _JUDGES.get(node.type):
            rules = judged(_At(node, inside, language))
            found += [Risk(node.start_point[0] + 1, node.end_point[0] + 1, rule, _short(node)) for rule in rules]
        waiting += [(child, inside) for child in node.named_children]
    return sorted(found, key=lambda each: (each.line, each.rule))


def _short(node: "Node") -> str:
    return re.sub(r"\s+", " ", text_of(node))[:60]


def _arguments(node: "Node") -> "list[Node]":
    found = node.child_by_field_name("arguments")
    return [each for each in found.named_children if each.type != "comment"] if found is not None else []


def _called(node: "Node") -> str:
    holder, name = node.child_by_field_name("object"), node.child_by_field_name("name")
    if name is not None:
        return f"{text_of(holder)}.{text_of(name)}" if holder is not None else text_of(name)
    return text_of(node.child_by_field_name("function"))


def _call(at: _At) -> Iterator[str]:
    name, arguments = _called(at.node), _arguments(at.node)
    first = arguments[0] if arguments else None
    near = text_of(at.function)
    asks = first is not None and bool(_ASKS_DATABASE.search(name)) and bool(_SQL.search(text_of(first)))
    if asks and first is not None and is_put_together(first) and not is_written_down(first):
        yield "sql-from-text"
    if at.language in _SCRIPTS:
        yield from _script_call(at.node, name, first, near)
    elif at.language == "go":
        yield from _go_call(name, arguments, near)
    elif first is not None:
        if name.endswith("getRuntime().exec") and is_put_together(first):
            yield "shell-from-text"
        if name == "MessageDigest.getInstance" and re.search(r"MD5|SHA-?1\b", text_of(first)) and _SECRET.search(near):
            yield "weak-hash"


def _script_call(node: "Node", name: str, first: "Node | None", near: str) -> Iterator[str]:
    if name == "Math.random" and _SECRET.search(_statement(node)):
        yield "guessable"
    if first is None:
        return
    text = text_of(first)
    if name == "eval" and not is_literal(first):
        yield "text-run"
    if _RUNS.search(name) and is_put_together(first):
        yield "shell-from-text"
    if writes(name, _arguments(node)):
        yield "page-from-text"
    if name.endswith("createHash") and re.search(r"md5|sha1\b", text) and _SECRET.search(near):
        yield "weak-hash"
    if name.endswith(".forEach") and text.startswith("async"):
        yield "lost-promise"
    if name.endswith(".redirect") and _ASKED.search(text) and not CLEANED.search(near):
        yield "open-redirect"
    reads = name.endswith(("sendFile", "readFile", "readFileSync", "createReadStream", "download", "unlink"))
    if reads and _ASKED.search(text) and not CLEANED.search(near):
        yield "path-from-user"


def _statement(node: "Node") -> str:
    """Return the text of the statement a node is in, and of the name of the function around."""
    each: Node | None = node
    while each is not None and each.parent is not None and not each.type.endswith(("statement", "declaration")):
        each = each.parent
    while each is not None and each.parent is not None and each.parent.type not in ("program", *FUNCTIONS):
        each = each.parent
    head = text_of(each.parent.child_by_field_name("name")) if each is not None and each.parent is not None else ""
    return f"{head} {text_of(each)[:400]}"


def _go_call(name: str, arguments: "list[Node]", near: str) -> Iterator[str]:
    texts = [text_of(each) for each in arguments]
    if (
        name.endswith(("exec.Command", "exec.CommandContext"))
        and '"-c"' in texts
        and "string" not in arguments[-1].type
    ):
        yield "shell-from-text"
    if (
        name == "fmt.Sprintf"
        and texts
        and _SQL.search(texts[0])
        and re.search(r"(?:=|<|>|like|in\s*\()\s*'?%[svd+q]", texts[0], re.I)
    ):
        yield "sql-from-text"
    if re.match(r"(?:md5|sha1)\.(?:Sum|New)$", name) and _SECRET.search(near):
        yield "weak-hash"
    if re.match(r"rand\.(?:Int\w*|Read|Float\w*)$", name) and _SECRET.search(near) and "crypto" not in near:
        yield "guessable"


def _assignment(at: _At) -> Iterator[str]:
    left, right = at.node.child_by_field_name("left"), at.node.child_by_field_name("right")
    name, value = text_of(left), text_of(right)
    if right is not None and name.endswith((".innerHTML", ".outerHTML", ".srcdoc")) and shows(right):
        yield "page-from-text"
    if name.endswith("NODE_TLS_REJECT_UNAUTHORIZED") and "0" in value:
        yield "certificates-unchecked"
    above = at.node.parent
    around = above.parent if above is not None else None
    asked = around is not None and around.type == "if_statement" and around.child_by_field_name("condition") == above
    if at.language in _SCRIPTS and asked:
        yield "set-in-condition"


def _pair(at: _At) -> Iterator[str]:
    plain = re.sub(r"[\s\"']", "", text_of(at.node))
    if plain in ("rejectUnauthorized:false", "InsecureSkipVerify:true", "strictSSL:false"):
        yield "certificates-unchecked"


def _attribute(at: _At) -> Iterator[str]:
    if text_of(at.node).startswith("dangerouslySetInnerHTML") and not CLEANED.search(text_of(at.node)):
        yield "page-from-text"


def _catch(at: _At) -> Iterator[str]:
    body = at.node.child_by_field_name("body")
    if body is not None and not body.named_children:  # a comment is a child, and a reason
        yield "error-unheard"


def _if(at: _At) -> Iterator[str]:
    body = at.node.child_by_field_name("consequence")
    asked = text_of(at.node.child_by_field_name("condition"))
    if at.language == "go" and asked == "err != nil" and body is not None and not body.named_children:
        yield "error-unheard"


def _debugger(at: _At) -> Iterator[str]:
    if at.language in _SCRIPTS:
        yield "debugger-left"


def _binary(at: _At) -> Iterator[str]:
    left, right = at.node.child_by_field_name("left"), at.node.child_by_field_name("right")
    operator = text_of(at.node.child_by_field_name("operator"))
    if operator not in ("==", "===", "!=", "!==") or left is None or right is None:
        return
    if at.language in _SCRIPTS and "NaN" in (text_of(left), text_of(right)):
        yield "equal-to-nan"
    if at.language == "java" and "string_literal" in (left.type, right.type):
        yield "compared-as-objects"
    if text_of(left) == text_of(right) and left.type == "identifier" and at.language == "go":
        yield "equal-to-itself"


def _object(at: _At) -> Iterator[str]:
    if text_of(at.node.child_by_field_name("type")) == "Random" and _SECRET.search(text_of(at.function)):
        yield "guessable"


def _defer(at: _At) -> Iterator[str]:
    each = at.node.parent
    while each is not None and each.type not in FUNCTIONS:
        if each.type == "for_statement":
            yield "deferred-in-loop"
            return
        each = each.parent


_Judge = Callable[[_At], Iterator[str]]
_JUDGES: Mapping[str, _Judge] = MappingProxyType(
    {
        "call_expression": _call,
        "method_invocation": _call,
        "assignment_expression": _assignment,
        "augmented_assignment_expression": _assignment,
        "pair": _pair,
        "keyed_element": _pair,
        "jsx_attribute": _attribute,
        "catch_clause": _catch,
        "if_statement": _if,
        "debugger_statement": _debugger,
        "binary_expression": _binary,
        "object_creation_expression": _object,
        "defer_statement": _defer,
    }
)
"""Type of at.node to what is looked at there."""
