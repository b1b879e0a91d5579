"""Source text to definitions and imports, by tree-sitter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .languages import LANGUAGES, Language, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DEPTH = 60
"""Nesting beyond this is left to the definition around it."""
_MAX_SIGNATURE = 200
_MAX_NAME = 160
_QUOTED = re.compile(r"""["'<]([^"'<>\n]+)["'>]""")
_FUNCTION, _CLASS = "function", "class"


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, method, class or type in a file; lines are counted from 1, both ends included."""

    name: str
    """With the names around it, parted by dots: ``Cache.get``."""
    kind: str
    """``"function"`` or ``"class"``; only a class may hold other definitions."""
    start: int
    """With decorators, and the comment above where the language documents that way."""
    line: int
    """Where the definition itself starts."""
    end: int
    head_end: int
    """Last line before the first definition inside; `end` where there is none."""
    signature: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a file defines and needs."""

    definitions: tuple[Definition, ...] = ()
    """In the order of their lines; those inside a class follow it."""
    imports: tuple[str, ...] = ()
    """As they are written: ``a.b``, ``./x``, ``crate::a``, ``stdio.h``."""
    problem: str = ""
    """Why the structure is not, or not wholly, known."""


def parse(source: bytes, language: str) -> Parsed:
    """Return what a file in UTF-8 defines and imports; a file with errors gives what could be read, and says so."""
    tree = parser_of(language).parse(source)
    walk = _Walk(LANGUAGES[language], source)
    walk.visit(tree.root_node, "", 0)
    problem = f"syntax error near line {_first_error(tree.root_node)}" if tree.root_node.has_error else ""
    return Parsed(tuple(walk.definitions), tuple(dict.fromkeys(walk.imports)), problem)


def _first_error(node: "Node") -> int:
    """Return the line of the innermost of the first errors."""
    while (child := next((c for c in node.children if c.has_error or c.is_missing), None)) is not None:
        node = child
    return node.start_point[0] + 1


class _Walk:
    """One walk over a tree; function bodies are not entered."""

    def __init__(self, language: Language, source: bytes) -> None:
        self.definitions: list[Definition] = []
        self.imports: list[str] = []
        self._language = language
        self._lines = source.split(b"\n")

    def visit(self, node: "Node", outer: str, depth: int) -> None:
        """Collect the definitions and imports below a node."""
        if depth > _MAX_DEPTH:
            return
        language = self._language
        comment: Node | None = None
        for child in node.named_children:
            kind = child.type
            if kind in language.comments:
                comment = comment if comment is not None and _touches(comment, child, self._lines) else child
                continue
            start = comment if comment is not None and _adjoins(child, self._lines) else child
            comment = None
            if kind in language.imports and (kind != "export_statement" or child.child_by_field_name("source")):
                self.imports += _imported(child)
            if kind in language.wrappers:
                self._wrapped(child, start, outer, depth)
            elif kind in language.functions or kind in language.classes:
                self._define(child, start, outer, depth)
            elif kind in language.assignments:
                if not self._assigned(child, start, outer):
                    self.visit(child, outer, depth + 1)
            elif kind in language.inside or child.is_error:
                self.visit(child, outer, depth + 1)
            self._called(child)

    def _wrapped(self, node: "Node", start: "Node", outer: str, depth: int) -> None:
        language = self._language
        for child in node.named_children:
            if child.type in language.functions or child.type in language.classes:
                self._define(child, start, outer, depth, whole=node)
            elif child.type in language.wrappers:
                self._wrapped(child, start, outer, depth)
            elif child.type in language.assignments:
                self._assigned(child, start, outer)

    def _define(self, node: "Node", start: "Node", outer: str, depth: int, whole: "Node | None" = None) -> None:
        name = _name(node) or (_name(whole) if whole is not None else "")
        if not name:
            return
        qualified = f"{outer}.{name}" if outer else name
        is_class = node.type in self._language.classes
        place = len(self.definitions)
        self._add(qualified, _CLASS if is_class else _FUNCTION, start, node, whole or node)
        if is_class:
            body = node.child_by_field_name("body") or node
            self.visit(body, qualified, depth + 1)
            inner = self.definitions[place + 1 :]
            if inner:
                own = self.definitions[place]
                head_end = max(own.line, min(member.start for member in inner) - 1)
                self.definitions[place] = _with_head(own, head_end)

    def _assigned(self, node: "Node", start: "Node", outer: str) -> bool:
        """Take ``name = () => …`` and ``object.name = function …`` as definitions; return whether there was one."""
        for child in (node, *node.named_children):
            value = child.child_by_field_name("value") or child.child_by_field_name("right")
            target = (
                child.child_by_field_name("name")
                or child.child_by_field_name("left")
                or child.child_by_field_name("property")
            )
            if value is not None and value.type in self._language.values and target is not None:
                name = _text(target).removeprefix("module.exports.").removeprefix("exports.")
                self._add(f"{outer}.{name}" if outer else name, _FUNCTION, start, node, node)
                return True
        return False

    def _add(self, name: str, kind: str, start: "Node", node: "Node", whole: "Node") -> None:
        first = start.start_point[0] + 1
        last = _last_line(whole)
        line = node.start_point[0] + 1
        self.definitions.append(
            Definition(
                name=name,
                kind=kind,
                start=min(first, line),
                line=line,
                end=last,
                head_end=last,
                signature=self._signature(node),
            )
        )

    def _signature(self, node: "Node") -> str:
        body = node.child_by_field_name("body")
        end = body.start_byte - node.start_byte if body is not None else None
        text = _text(node)[:end] if end is None else (node.text or b"")[:end].decode("utf-8", "replace")
        if end is None:
            text = text.split("\n", 1)[0]
        return " ".join(text.split()).rstrip("{: ")[:_MAX_SIGNATURE]

    def _called(self, node: "Node") -> None:
        """Take ``require('x')`` as an import, also as the value of a variable."""
        if not self._language.callees:
            return
        for child in (node, *node.named_children):
            call = child.child_by_field_name("value") or child
            callee = call.child_by_field_name("function") or call.child_by_field_name("method")
            if callee is not None and _text(callee) in self._language.callees:
                self.imports += _QUOTED.findall(_text(call))[:1]


def _with_head(own: Definition, head_end: int) -> Definition:
    return Definition(own.name, own.kind, own.start, own.line, own.end, min(head_end, own.end), own.signature)


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _last_line(node: "Node") -> int:
    row, column = node.end_point
    return row + 1 if column or row == node.start_point[0] else row


def _touches(comment: "Node", following: "Node", lines: list[bytes]) -> bool:
    """Return whether two comments belong together: no blank line between them."""
    between = lines[comment.end_point[0] + 1 : following.start_point[0]]
    return all(line.strip() for line in between)


def _adjoins(node: "Node", lines: list[bytes]) -> bool:
    row = node.start_point[0]
    return row > 0 and bool(lines[row - 1].strip())


def _name(node: "Node") -> str:
    """Return the name of a definition; in C it hides in the declarator, in Rust's impl it is the type."""
    for field in ("name", "declarator", "type"):
        found = node.child_by_field_name(field)
        while found is not None and (inner := found.child_by_field_name("declarator")) is not None:
            found = inner
        if found is not None:
            text = _text(found).split("(")[0].split("<")[0].replace("::", ".").strip("*& \n")
            return text if text and "\n" not in text and len(text) <= _MAX_NAME else ""
    return ""


def _imported(node: "Node") -> Iterator[str]:
    """Yield the modules an import names."""
    kind, text = node.type, _text(node)
    if kind == "import_statement" and node.child_by_field_name("source") is None:
        for name in node.children_by_field_name("name"):
            yield _text(name.child_by_field_name("name") or name)
    elif kind == "import_from_statement":
        module = _text(node.child_by_field_name("module_name") or node)
        yield module
        for name in node.children_by_field_name("name"):
            yield (
                f"{module.rstrip('.')}.{_text(name.child_by_field_name('name') or name)}"
                if module.strip(".")
                else module + _text(name.child_by_field_name("name") or name)
            )
    elif kind == "use_declaration":
        yield " ".join(text.removeprefix("pub ").removeprefix("use ").rstrip(";").split("{")[0].split()).rstrip(":")
    elif kind == "import_declaration":
        yield text.removeprefix("import").strip().removeprefix("static ").rstrip("; ")
    elif kind == "namespace_use_declaration":
        yield from (
            part.split(" as ")[0].strip().replace("\\", ".") for part in text.removeprefix("use").rstrip(";").split(",")
        )
    else:
        yield from _QUOTED.findall(text)[:1]
