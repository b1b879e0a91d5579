"""Definitions of JavaScript, TypeScript, Java and Go, with why some count as used whoever names them."""

import re
from typing import TYPE_CHECKING

from ...facts.code import Defined
from ...syntax.nodes import nodes_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLED_BY_OTHERS = frozenset(
    {"constructor", "toString", "toJSON", "valueOf", "render", "then", "dispose", "asyncDispose"}
)


def definition(node: "Node", language: str, *, outermost: bool) -> "tuple[Defined, Node] | None":
    """Return a definition that may turn out to be used by nobody, and the node of its name."""
    kept = _kept(node, language, outermost)
    name = node.child_by_field_name("name") if kept is not None else None
    if kept is None or name is None:
        return None
    whole = node.parent if node.type == "variable_declarator" and node.parent is not None else node
    what = "class" if "class" in node.type or "type" in node.type or "interface" in node.type else "function"
    first, last = whole.start_point[0] + 1, whole.end_point[0] + 1
    return Defined(text_of(name), what, first, last, "", kept), name


def _kept(node: "Node", language: str, outermost: bool) -> str | None:
    """Return why a definition counts as used, `""` for no reason, None for what is no definition of ours."""
    kind, parent = node.type, node.parent
    if language == "java":
        modifiers = next((text_of(child) for child in node.named_children if child.type == "modifiers"), "")
        if kind == "method_declaration" and re.search(r"\bprivate\b", modifiers):
            return "annotated" if "@" in modifiers else ""
        if kind == "class_declaration" and parent is not None and parent.type == "program":
            started = "main(String" in text_of(node)
            return "annotated" if "@" in modifiers else "started" if started else "exported"
        return None
    if not outermost:
        return None
    if language == "go":
        if kind == "function_declaration":
            name = text_of(node.child_by_field_name("name") or node)
            return "started" if name in ("main", "init") else "exported" if name[:1].isupper() else ""
        if kind == "type_spec":
            return "exported" if text_of(node.child_by_field_name("name") or node)[:1].isupper() else ""
        return None
    if kind == "variable_declarator":
        value = node.child_by_field_name("value")
        if value is None or value.type not in ("arrow_function", "function_expression", "generator_function"):
            return None
        parent = parent.parent if parent is not None else None
    elif kind not in ("function_declaration", "generator_function_declaration", "class_declaration"):
        return None
    if any(each.type == "decorator" for around in (node, parent) if around is not None for each in around.children):
        return "annotated"
    if parent is not None and parent.type == "export_statement":
        return "default" if any(child.type == "default" for child in parent.children) else "exported"
    return "" if parent is not None and parent.type == "program" else None


def exported(each: Defined) -> Defined:
    """Return a definition as one that other files can see."""
    return Defined(each.name, each.what, each.line, each.end, each.owner, "exported")


def methods(root: "Node") -> list[Defined]:
    """Return the methods of classes that have no base, without those that are decorated or called by the language."""
    found = []
    for node in nodes_of(root):
        body = node.child_by_field_name("body") if node.type in ("class_declaration", "class") else None
        if body is None or any(child.type == "class_heritage" and _extends(child) for child in node.named_children):
            continue
        owner = node.child_by_field_name("name")
        before = ""
        for child in body.named_children:
            name = child.child_by_field_name("name")
            plain = child.type == "method_definition" and before != "decorator"
            before = child.type
            if not plain or name is None or name.type not in ("property_identifier", "private_property_identifier"):
                continue
            if text_of(name) not in _CALLED_BY_OTHERS and not any(each.type == "decorator" for each in child.children):
                lines = child.start_point[0] + 1, child.end_point[0] + 1
                found.append(Defined(text_of(name), "method", *lines, text_of(owner) if owner is not None else "", ""))
    return found


def own_name(node: "Node") -> bool:
    """Return whether a name is the one of the method it begins."""
    parent = node.parent
    return parent is not None and parent.type == "method_definition" and parent.child_by_field_name("name") == node


def _extends(heritage: "Node") -> bool:
    """Return whether a class has a base; what it implements has its names."""
    return any(child.type != "implements_clause" for child in heritage.named_children)
