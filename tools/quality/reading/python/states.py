"""States of rows in one Python file: which class has one, what sets it, and the branches that ask for one."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_STATES = frozenset({"state", "status", "phase", "stage"})
_CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*")


def states(tree: ast.Module) -> list[Risk]:
    """Return what a file says of states.

    Rule `held` names a class and its field (`Sale.state`), `open` a field that gets what is not written down, and
    `asked` a branch for a state that the file spells nowhere else (`sale.state=paused`).
    """
    texts = Counter(
        node.value for node in every_node(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return sorted(
        {*_held(tree), *_open(tree), *_asked(tree, texts)}, key=lambda each: (each.line, each.rule, each.what)
    )


def _held(tree: ast.Module) -> Iterator[Risk]:
    for node in every_node(tree):
        for each in node.body if isinstance(node, ast.ClassDef) else ():
            target = (
                each.target
                if isinstance(each, ast.AnnAssign)
                else each.targets[0]
                if isinstance(each, ast.Assign)
                else None
            )
            if isinstance(node, ast.ClassDef) and isinstance(target, ast.Name) and target.id in _STATES:
                yield Risk(each.lineno, each.lineno, "held", f"{node.name}.{target.id}")


def _open(tree: ast.Module) -> Iterator[Risk]:
    picked = _picked(tree)
    for node in every_node(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.attr for each in targets if isinstance(each, ast.Attribute)]
            value = node.value
        elif isinstance(node, ast.keyword):
            names, value = [node.arg or ""], node.value
        else:
            continue
        for name in names:
            if name in _STATES and value is not None and not (_is_written_down(value, name) or id(value) in picked):
                yield Risk(value.lineno, value.lineno, "open", name)


def _picked(tree: ast.Module) -> set[int]:
    """Return the uses of variables that their function sets to nothing but states that are written down."""
    found: set[int] = set()
    for function in every_node(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        names = [node for node in every_node(function) if isinstance(node, ast.Name)]
        written = {
            id(node.targets[0])
            for node in every_node(function)
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and _is_written_down(node.value, "")
        }
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        other = {node.id for node in names if not isinstance(node.ctx, ast.Load) and id(node) not in written}
        taken = {node.arg for node in every_node(function) if isinstance(node, ast.arg)}
        found |= {id(node) for node in names if node.id in stored - other - taken}
    return found


def _is_written_down(value: ast.expr, name: str) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_written_down(value.body, name) and _is_written_down(value.orelse, name)
    if isinstance(value, ast.Attribute):
        return value.attr == name or bool(_CONSTANT.fullmatch(value.attr))
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and bool(_CONSTANT.fullmatch(value.id)))


def _asked(tree: ast.Module, texts: Counter[str]) -> Iterator[Risk]:
    for node in every_node(tree):
        if not isinstance(node, ast.If):
            continue
        tests = (
            node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And) else [node.test]
        )
        for test in tests:
            match test:
                case ast.Compare(
                    left=ast.Attribute(attr=attr, value=ast.Name(id=holder) | ast.Attribute(attr=holder)),
                    ops=[ast.Eq()],
                    comparators=[ast.Constant(value=str(value))],
                ) if attr in _STATES and texts[value] == 1:
                    last = node.body[-1].end_lineno or node.lineno
                    yield Risk(node.body[0].lineno, last, "asked", f"{holder}.{attr}={value}")
                case _:
                    pass
