"""What tests put something else in the place of: it is named by them, and does not run."""

import ast
import re
from collections.abc import Iterator, Set

from ...syntax.walking import every_node

_PATCHES = re.compile(r"(?:^|\.)(?:patch|patch\.object|setattr|spy|stub|when|replace)$")
_OF_FAKES = re.compile(
    r"^(?:assert_\w+|await\w*|call_args\w*|call_count|called\w*|mock_calls|method_calls|return_value|side_effect|reset_mock)$"
)
_OVERRIDDEN = "dependency_overrides"
_FIRST, _SECOND = 0, 1


def replaced(tree: ast.Module) -> list[str]:
    """Return the names of functions that a file of tests replaces and calls nowhere itself, sorted.

    Replaced is what `patch("shop.mail.send")` names, `monkeypatch.setattr(mail, "send", ...)`, an assignment to an
    attribute of an imported module, and a key of FastAPI's `dependency_overrides`.
    """
    put = set(_replaced(tree))
    return sorted(put - set(_called(tree, put))) if put else []


def _replaced(tree: ast.Module) -> Iterator[str]:
    modules = {name for node in every_node(tree) for name in _taken(node)}
    for node in every_node(tree):
        if isinstance(node, ast.Call) and _PATCHES.search(ast.unparse(node.func)):
            texts = [each.value if isinstance(each, ast.Constant) else None for each in node.args[: _SECOND + 1]]
            whole = texts[_FIRST] if texts else None
            name = whole if isinstance(whole, str) else texts[_SECOND] if len(texts) > _SECOND else None
            if isinstance(name, str):
                yield name.rpartition(".")[2]
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and ast.unparse(target.value).partition(".")[0] in modules:
                    yield target.attr
                elif isinstance(target, ast.Subscript) and ast.unparse(target.value).endswith(_OVERRIDDEN):
                    yield ast.unparse(target.slice).rpartition(".")[2]


def _called(tree: ast.Module, names: Set[str]) -> Iterator[str]:
    """Yield those of some names that are used as what they are: imported, or reached through what is not a fake."""
    imported = {name for node in every_node(tree) for name in _taken(node)}
    beside = {id(each) for node in every_node(tree) for each in _beside_the_point(node)}
    for node in every_node(tree):
        if id(node) in beside:
            continue
        if isinstance(node, ast.Name) and node.id in names & imported and isinstance(node.ctx, ast.Load):
            yield node.id
        elif (
            isinstance(node, ast.Attribute)
            and node.attr in names
            and isinstance(node.ctx, ast.Load)
            and ast.unparse(node.value) not in ("self", "cls")
        ):
            yield node.attr


def _beside_the_point(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is asked of a fake, and what says which dependency is replaced."""
    if isinstance(node, ast.Attribute) and _OF_FAKES.match(node.attr):
        yield node.value
    elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(_OVERRIDDEN):
        yield node.slice


def _taken(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (each.asname or each.name.partition(".")[0] for each in node.names)
