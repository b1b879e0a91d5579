"""Which addresses the tests of a file get an answer from: one that is only ever refused has not been run."""

import ast
from collections.abc import Iterator

from ...syntax.names import Function
from ...syntax.walking import every_node
from .texts import paths

_REFUSED = frozenset({401, 403, 404, 405})
_STATUS = range(200, 600)
_CONTENTS = ("text", "json", "get_json", "data", "content", "headers", "body")
_LOOKS_UP = frozenset({"reverse", "reverse_lazy", "resolve_url", "url_for", "url_path_for"})


def answered_paths(tree: ast.Module) -> list[str]:
    """Return the addresses in a file of tests, without those of tests that see nothing but refusals.

    Where a test asks for the address of a view, it is the name of the view: `shop:cart`, `shop:{}`.
    """
    found: set[str] = set()
    refusing: set[int] = set()
    for node in every_node(tree):
        if isinstance(node, Function) and node.name.startswith("test") and _only_refused(node):
            refusing.add(id(node))
            shown = [each for each in every_node(node) if isinstance(each, ast.stmt) and _looks_into(each)]
            found |= {path for each in shown for path in paths(ast.Module([each], []))}
    for part in _without(tree, refusing):
        inner = ast.Module([part], [])
        found |= {*paths(inner), *_joined(inner), *_names(inner)}
    return sorted(found)


def _looks_into(statement: ast.stmt) -> bool:
    """Return whether a statement calls an address and looks at what came back, not only at its status."""
    if not isinstance(statement, ast.Assert | ast.Assign | ast.Expr | ast.AnnAssign):
        return False
    text = ast.unparse(statement)
    return "status" not in text and any(f").{each}" in text for each in _CONTENTS)


def _names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of views whose addresses are looked up."""
    for node in every_node(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _LOOKS_UP and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield name.value
            elif isinstance(name, ast.JoinedStr):
                yield "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in name.values)


def _without(tree: ast.Module, refusing: set[int]) -> Iterator[ast.stmt]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from (each for each in node.body if id(each) not in refusing)
        elif id(node) not in refusing:
            yield node


def _only_refused(test: Function) -> bool:
    """Return whether every status that a test compares with says no."""
    compared = [
        each.value
        for node in every_node(test)
        if isinstance(node, ast.Compare) and "status" in ast.unparse(node)
        for each in every_node(node)
        if isinstance(each, ast.Constant) and type(each.value) is int and each.value in _STATUS
    ]
    return bool(compared) and _REFUSED.issuperset(compared)


def _joined(tree: ast.Module) -> Iterator[str]:
    """Yield addresses that are put together: `address + "/bids"` where `address = f"/sales/{code}"`."""
    begun: dict[str, set[str]] = {}
    for node in every_node(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            begun.setdefault(node.targets[0].id, set()).update(paths(ast.Module([node], [])))
    for node in every_node(tree) if begun else ():
        name, rest = "", ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and isinstance(node.left, ast.Name):
            name = node.left.id
            rest = str(node.right.value) if isinstance(node.right, ast.Constant) else "/{}"
        elif isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.FormattedValue):
            name = ast.unparse(node.values[0].value)
            rest = "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values[1:])
        yield from (f"{beginning}{rest}".partition("?")[0] for beginning in begun.get(name, ()))
