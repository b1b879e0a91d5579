"""Where text goes inside one function: from name to name, until a condition looks at it."""

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass

from ...syntax.walking import every_node
from .received import Function, is_tainted

_STEPS = 3
_PLAIN_ONES = frozenset({"isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum"})


@dataclass(frozen=True, slots=True)
class Flow:
    """What of a function matters for following text through it; read once, followed for each parameter."""

    given: tuple[tuple[ast.expr, ast.expr], ...]
    """What is put where."""
    checked: Set[str]
    """Names that a condition looks at."""
    calls: tuple[ast.Call, ...]
    settled: Set[str] = frozenset()
    """Names that nobody can put anything else into: see `settled`."""

    def spread(self, tainted: Set[str]) -> set[str]:
        """Return the names that hold something of what came in, without those a condition looks at."""
        found = set(tainted) - self.settled
        for _ in range(_STEPS):
            before = len(found)
            for target, value in self.given:
                if is_tainted(value, found):
                    found |= {name.id for name in every_node(target) if isinstance(name, ast.Name)}
            if len(found) == before:
                break
        return found - self.checked

    def made(self, name: str) -> ast.expr | None:
        """Return what a name is set to, where the function sets it once."""
        values = [value for target, value in self.given if isinstance(target, ast.Name) and target.id == name]
        return values[0] if len(values) == 1 else None


def flow_of(node: Function) -> Flow:
    """Return the flow of a function."""
    given: list[tuple[ast.expr, ast.expr]] = []
    checked: set[str] = set()
    calls: list[ast.Call] = []
    for each in every_node(node):
        given += _given(each)
        if isinstance(each, ast.Call):
            calls.append(each)
        if isinstance(each, ast.If | ast.IfExp | ast.Assert | ast.While) and not _takes_plain_ones(each):
            asked = {
                name
                for part in every_node(each.test)
                if isinstance(part, ast.Call | ast.Compare) and not _asks_for_none(part)
                for name in _looked_at(part)
            }
            checked |= asked & _chosen(each) if isinstance(each, ast.IfExp) else asked
    return Flow(tuple(given), checked, tuple(calls), settled(node))


def settled(node: Function) -> set[str]:
    """Return the names with which a function goes on only where they are one of a list, or letters and digits."""
    return {
        name
        for each in every_node(node)
        if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Raise | ast.Return | ast.Continue)
        for name in _turned_away(each.test)
    }


def _turned_away(test: ast.expr) -> set[str]:
    """Return the name that a condition turns away: `if word not in KNOWN`, `if not word.isalnum()`."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn) and isinstance(test.left, ast.Name):
        return {test.left.id}
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Call):
        called = test.operand.func
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.attr in _PLAIN_ONES:
            return {called.value.id}
    return set()


def _takes_plain_ones(node: ast.AST) -> bool:
    """Return whether a branch answers for numbers and the like, and leaves all other texts to what follows."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Call)
        and isinstance(node.test.func, ast.Attribute)
        and node.test.func.attr in _PLAIN_ONES
        and isinstance(node.body[-1], ast.Return)
        and not node.orelse
        and not any(isinstance(each, ast.JoinedStr) for line in node.body for each in every_node(line))
    )


def _looked_at(part: ast.expr) -> Iterator[str]:
    """Yield the names a condition looks at; how long a text is, tells nothing of what it says."""
    sizes = [
        each
        for each in every_node(part)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "len"
    ]
    measured = {id(inside) for each in sizes for inside in every_node(each)}
    yield from (each.id for each in every_node(part) if isinstance(each, ast.Name) and id(each) not in measured)


def _chosen(node: ast.IfExp) -> set[str]:
    """Return what one of two values is made of: of a choice, only this is checked by its condition."""
    return {name.id for side in (node.body, node.orelse) for name in every_node(side) if isinstance(name, ast.Name)}


def _given(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what a statement puts where: by `=`, by a loop, by `rows.append(row)`."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.target, node.iter
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and node.args
    ):
        yield node.func.value, node.args[0]


def _asks_for_none(node: ast.AST) -> bool:
    """Return whether a condition only asks whether there is something, which is no check of what it is."""
    if isinstance(node, ast.Compare):
        return all(isinstance(each, ast.Constant) and each.value in (None, "") for each in node.comparators)
    if not isinstance(node, ast.Call):
        return False
    return ast.unparse(node.func).endswith((".exists", ".is_file", ".isfile", ".is_dir", ".isdir", ".get"))
