"""What the tests of a file name that run: a test that is always skipped tests nothing."""

import ast
import re
from collections.abc import Iterator, Set

from ...syntax.names import Definition
from ...syntax.walking import every_node

_SKIPS = re.compile(r"(?:^|\.)(?:skip|skip_test|ignore)(?:\(|$)|^disabled(?:\(|$)")
_STOPPED = re.compile(r"^\s*(?:describe\.skip|it\.skip|test\.skip|xdescribe|xit|xtest)\s*\(", re.MULTILINE)
_RUNS = re.compile(r"^\s*(?:it|test)(?:\.each|\.only)?\s*[(`]", re.MULTILINE)
_ALL_STOPPED = re.compile(r"^(?:describe\.skip|xdescribe)\s*\(", re.MULTILINE)
_GROUP_RUNS = re.compile(r"^(?:describe|it|test)(?:\.each|\.only)?\s*[(`]", re.MULTILINE)


def running_names(tree: ast.Module) -> list[str] | None:
    """Return the names that tests in Python use, without skipped ones, sorted; None where none is skipped."""
    skipped = {id(each) for each in every_node(tree) if isinstance(each, Definition) and _is_skipped(each)}
    whole = any(
        isinstance(each, ast.Assign)
        and ast.unparse(each.targets[0]) == "pytestmark"
        and _SKIPS.search(ast.unparse(each.value))
        for each in tree.body
    )
    if whole:
        return []
    return sorted(set(_names(tree, skipped))) if skipped else None


def runs_any(text: str) -> bool:
    """Return whether a file of tests in JavaScript or TypeScript runs any of them."""
    if not _STOPPED.search(text):
        return True
    return bool(_RUNS.search(text)) and not (_ALL_STOPPED.search(text) and not _GROUP_RUNS.search(text))


def _is_skipped(test: Definition) -> bool:
    return any(_SKIPS.search(ast.unparse(each)) for each in test.decorator_list)


def _names(tree: ast.AST, without: Set[int]) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if id(node) in without:
            continue
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        waiting += ast.iter_child_nodes(node)
