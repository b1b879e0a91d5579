"""JavaScript, TypeScript, Java and Go to facts: imports, definitions, uses, queries in loops; by tree-sitter."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ....code_index.languages import parser_of
from ...facts.code import DEEP, Defined, Imported, LoopQuery, Risk
from ...facts.tree import TreeFacts
from ...risks.other_languages.doors import script_doors
from ...risks.other_languages.habits import script_risks
from ...risks.other_languages.left_behind import left_behind
from ...risks.other_languages.statements import tree_risks
from ...risks.other_languages.values import script_values
from ...syntax.functions import FUNCTIONS, SCRIPTS
from ...syntax.nodes import text_of
from ..queries.short_loops import says_few
from .definitions import definition, exported, methods, own_name
from .ends import after_ends
from .statements import CALLS, IMPORTS, asks, callee, handed_on, taken

if TYPE_CHECKING:
    from tree_sitter import Node

LANGUAGES = SCRIPTS | {"java", "go"}

_WORD = re.compile(r"[A-Za-z_$][\w$]{2,}")
_MOST_WORDS = 4_000
_NAMES = frozenset(
    {
        *("identifier", "property_identifier", "shorthand_property_identifier", "type_identifier", "field_identifier"),
        *("private_property_identifier", "nested_identifier", "package_identifier"),
    }
)
_STRINGS = frozenset({"string_fragment", "template_string", "interpreted_string_literal_content", "raw_string_literal"})
_LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement", "enhanced_for_statement"})
_PER_ROW = frozenset({"map", "forEach", "flatMap", "filter", "reduce", "some", "every", "mapToObj", "anyMatch", "peek"})
_CONDITIONS = frozenset({"if_statement", "switch_statement", "try_statement", "expression_switch_statement"})
_EXPORTS = re.compile(r"^(?:module\.)?exports(?:\.(\w+))?$")


@dataclass(slots=True)
class _Found:
    """What a walk has gathered."""

    imports: list[Imported] = field(default_factory=list)
    defined: list[Defined] = field(default_factory=list)
    exported: set[str] = field(default_factory=set)
    uses: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By the definition around, the names it uses; `""` outside of definitions."""
    words: set[str] = field(default_factory=set)
    queries: list[LoopQuery] = field(default_factory=list)
    nested: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Where:
    """What is around a node."""

    owner: str = ""
    late: bool = False
    looped: bool = False
    line: int = 0
    """Of the function."""
    depth: int = 0
    """Of conditions and loops around."""


def tree_facts(text: str, language: str) -> TreeFacts:
    """Return the facts of a file in one of `LANGUAGES`; a file with syntax errors gives what could be read."""
    root = parser_of(language).parse(text.encode("utf-8", "replace")).root_node
    found = _Found()
    waiting: list[tuple[Node, _Where]] = [(root, _Where())]
    while waiting:
        node, where = waiting.pop()
        waiting += _read(node, where, language, found)
    own = {each.name for each in found.defined}
    defined = [
        each if each.kept or each.name not in found.exported else exported(each)
        for each in sorted(found.defined, key=lambda each: each.line)
    ]
    return TreeFacts(
        imports=sorted(found.imports, key=lambda each: each.line),
        defined=defined,
        used=sorted(set().union(*found.uses.values())) if found.uses else [],
        words=sorted(found.words)[:_MOST_WORDS],
        inner={owner: sorted(names & own) for owner, names in sorted(found.uses.items()) if names & own},
        loop_queries=sorted(found.queries, key=lambda each: each.line),
        nested={line: depth for line, depth in sorted(found.nested.items()) if depth >= DEEP},
        risks=[*tree_risks(root, language), *(_of_scripts(root, text) if language in SCRIPTS else ())],
        doors=list(script_doors(root)) if language in SCRIPTS else [],
        methods=methods(root) if language in SCRIPTS else [],
        unreachable=after_ends(root) if language in SCRIPTS else [],
        left=left_behind(root, language),
    )


def _of_scripts(root: "Node", text: str) -> list[Risk]:
    return sorted([*script_risks(root, text), *script_values(root, text)], key=lambda each: (each.line, each.rule))


def _read(node: "Node", where: _Where, language: str, found: _Found) -> "Iterator[tuple[Node, _Where]]":
    """Take what one node says; yield the children to read, with what is around them."""
    kind = node.type
    if where.depth >= DEEP:
        found.nested[where.line] = max(found.nested.get(where.line, 0), where.depth)
    if kind in _NAMES and not own_name(node):
        found.uses[where.owner].add(text_of(node))
    elif kind in _STRINGS:
        text = text_of(node)
        if len(text) <= 120:
            found.words.update(_WORD.findall(text))
    if kind in ("import_statement", "import_declaration", "import_spec"):
        found.imports += IMPORTS[language](node)
        if kind == "import_declaration" and language == "go":
            yield from ((child, where) for child in node.named_children)
        return
    if kind == "export_statement" and language in SCRIPTS and (handed := handed_on(node)):
        found.imports += handed
        found.uses[""].update(each.name for each in handed if each.name != "*")
        return
    if kind == "export_clause":
        found.exported.update(text_of(each.child_by_field_name("name") or each) for each in node.named_children)
        return
    if kind == "assignment_expression" and language in SCRIPTS and _takes_exports(node, found):
        yield from ((child, where) for child in _without_exports(node))
        return
    if kind in CALLS:
        _call(node, where, language, found)
    here = definition(node, language, outermost=not (where.owner or where.late))
    if here is not None:
        found.defined.append(here[0])
    for child in node.named_children:
        if here is not None and child == here[1]:
            continue  # its own name is no use of it
        yield child, _inner(node, child, where, here[0].name if here else "")


def _inner(node: "Node", child: "Node", where: _Where, name: str) -> _Where:
    """Return what is around a child: the outermost definition, a function, a loop."""
    owner = where.owner or name
    if node.type in FUNCTIONS:
        return _Where(owner, late=True, looped=_is_called_per_row(node), line=node.start_point[0] + 1)
    if node.type in _LOOPS:
        once = child in (node.child_by_field_name("right"), node.child_by_field_name("value"))
        looped = where.looped or not (once or _is_said_short(node))
        return replace(where, owner=owner, looped=looped, depth=where.depth + 1)
    if node.type in _CONDITIONS:
        otherwise = node.parent is not None and node.parent.type in ("else_clause", "if_statement")
        return replace(where, owner=owner, depth=where.depth + (not otherwise))
    return where if owner == where.owner else replace(where, owner=owner)


def _is_said_short(loop: "Node") -> bool:
    """Return whether the comment above a loop says that it goes through a few."""
    above = loop.prev_named_sibling
    return above is not None and above.type == "comment" and says_few(text_of(above))


def _is_called_per_row(node: "Node") -> bool:
    """Return whether a function is handed to a method that calls it for each element: `rows.map(row => ...)`."""
    call = (
        node.parent.parent if node.parent is not None and node.parent.type in ("arguments", "argument_list") else None
    )
    return call is not None and call.type in CALLS and callee(call).rpartition(".")[2] in _PER_ROW


def _call(node: "Node", where: _Where, language: str, found: _Found) -> None:
    """Note a `require`, and a call in a loop that asks a database or a server."""
    called = callee(node)
    if called in ("require", "import") and language in SCRIPTS:
        arguments = node.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        if first is not None and first.type == "string":
            late = where.late or called == "import"
            module = text_of(first).strip("\"'`")
            found.imports += [
                Imported(module, name, 0, node.start_point[0] + 1, late, False, "") for name in taken(node)
            ]
    elif where.looped and (asked := asks(called, node, language)):
        found.queries.append(LoopQuery(node.start_point[0] + 1, called[:80], "", asked))


def _takes_exports(node: "Node", found: _Found) -> bool:
    """Note `module.exports = { a, b }` and `exports.a = a`: handing out is no use; return whether it was that."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    match = _EXPORTS.match(text_of(left)) if left is not None else None
    if match is None or right is None:
        return False
    if right.type == "object":
        found.exported.update(text_of(child) for child in right.named_children if child.type.startswith("shorthand"))
    elif right.type == "identifier":
        found.exported.add(text_of(right))
    return True


def _without_exports(node: "Node") -> "list[Node]":
    right = node.child_by_field_name("right")
    if right is None or right.type == "identifier":
        return []
    if right.type == "object":
        return [child for child in right.named_children if not child.type.startswith("shorthand")]
    return [right]
