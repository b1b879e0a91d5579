"""What was left behind in JavaScript, TypeScript and Java: imports and variables without a use, code in comments."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...facts.code import Risk
from ...syntax.functions import SCRIPTS
from ...syntax.nodes import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = frozenset(
    {
        *("identifier", "shorthand_property_identifier", "type_identifier", "shorthand_property_identifier_pattern"),
        *("nested_identifier", "jsx_identifier"),
    }
)
_FOR_EFFECT = frozenset({"React", "h", "jsx"})
"""What JSX becomes a call of."""
_IS_CODE = re.compile(
    r"^(?:(?:const|let|var|return|import|export|if|for|while|public|private|await|throw|func|defer)\b.*[;{})]"
    r"|[\w.$\[\]]+\s*(?:\([^)]*\)|=[^=].*|\+=.*);|\}\s*(?:else\b.*)?|[\w.]+\(.*\);?|[\w.]+\s*:=\s.*)$"
)
LEAST_COMMENTED = 2


def left_behind(root: "Node", language: str) -> list[Risk]:
    """Return what a file has and does not use, with the rule `import`, `variable` or `comment`."""
    uses: Counter[str] = Counter()
    imported: list[tuple[str, int]] = []
    declared: list[tuple[str, int]] = []
    comments: list[tuple[int, str]] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in ("import_statement", "import_declaration") and language != "go":
            imported += _imported(node, language)
            continue
        if node.type in _NAMES:
            uses[text_of(node)] += 1
        elif node.type in ("comment", "line_comment"):
            comments.append((node.start_point[0] + 1, text_of(node)))
        elif node.type == "variable_declarator" and language in SCRIPTS and not _is_handed_out(node):
            name = node.child_by_field_name("name")
            if name is not None and name.type == "identifier":
                declared.append((text_of(name), name.start_point[0] + 1))
        waiting += node.named_children
    text = text_of(root)
    found = [Risk(line, line, "import", name) for name, line in imported if not uses[name] and name not in _FOR_EFFECT]
    if "<template" not in text and not _is_page_script(root):
        found += [Risk(line, line, "variable", name) for name, line in declared if uses[name] == 1 and name[0] != "_"]
    return sorted([*found, *_switched_off(comments)], key=lambda each: each.line)


def _imported(node: "Node", language: str) -> "Iterator[tuple[str, int]]":
    """Yield the names an import gives its file, with their lines."""
    line = node.start_point[0] + 1
    if language == "java":
        plain = text_of(node).removeprefix("import").replace("static ", "").strip(" ;\n")
        if not plain.endswith("*"):
            yield plain.rpartition(".")[2], line
        return
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    waiting = list(clause.named_children) if clause is not None else []
    while waiting:
        child = waiting.pop()
        if child.type == "import_specifier":
            name = child.child_by_field_name("alias") or child.child_by_field_name("name")
            if name is not None:
                yield text_of(name), child.start_point[0] + 1
        elif child.type == "identifier":
            yield text_of(child), line
        else:
            waiting += child.named_children


def _is_handed_out(node: "Node") -> bool:
    """Return whether a variable is exported, or counts the rounds of a loop."""
    around = node.parent.parent if node.parent is not None else None
    return around is not None and around.type in ("export_statement", "for_statement", "for_in_statement")


def _is_page_script(root: "Node") -> bool:
    """Return whether a script neither imports nor exports: its outermost names are seen by the page."""
    kinds = {child.type for child in root.named_children}
    return not kinds & {"import_statement", "export_statement"} and b"require(" not in (root.text or b"")


def _switched_off(comments: list[tuple[int, str]]) -> Iterator[Risk]:
    """Yield runs of one-line comments that are all code."""
    run: list[int] = []
    whole = True
    for line, text in [*sorted(comments), (-1, "")]:
        if run and line != run[-1] + 1:
            if whole and len(run) >= LEAST_COMMENTED:
                yield Risk(run[0], run[-1], "comment", f"{run[0]}-{run[-1]}")
            run, whole = [], True
        if text.startswith("//") and not text.startswith("///"):
            run.append(line)
            whole = whole and bool(_IS_CODE.match(text.removeprefix("//").strip()))
