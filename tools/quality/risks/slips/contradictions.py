"""Code that says the same twice, or what cannot be: conditions asked again, branches alike, numbers that never are."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node

_IS_SWITCH = re.compile(r"DEBUG|ENABLE|DISABLE|USE_|ALLOW|SECURE|TLS|SSL|VERBOSE|DRY_?RUN|FLAG", re.IGNORECASE)
_MAKES_VALUE = re.compile(r"(?:int|len|str|float|round|sum|ord|Decimal|abs)\(|[\w.]+\.(?:strip|lower|upper|count)\(")
_IS_VALUE = re.compile(
    r"(?:^|[._])(?:id|pk|number|no|nr|cents|amount|total|price|quantity|qty|count|code|e?mail|year|month|weekday|hour"
    r"|minute|seats?|sku|iban|zip|postcode|phone|size|length|position|balance)$"
)
"""Names of numbers and texts; what may stand for a state, a marker or a class is none."""


def contradictions(tree: ast.Module) -> Iterator[Risk]:
    """Yield them with their rules."""
    for node in every_node(tree):
        if isinstance(node, ast.If):
            yield from _asked_again(node)
            yield from _alike(node)
        elif isinstance(node, ast.Compare):
            yield from _never_equal(node)
            yield from _one_object(node)
        elif isinstance(node, ast.Call):
            yield from _always_true(node)
        elif isinstance(node, ast.ClassDef):
            yield from _without_self(node)


def _asked_again(node: ast.If) -> Iterator[Risk]:
    """Yield a condition of a chain of `elif` that was asked before: its branch never runs."""
    asked = {ast.dump(node.test)}
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        test = ast.dump(node.test)
        if test in asked and not any(isinstance(each, ast.Call | ast.NamedExpr) for each in every_node(node.test)):
            yield Risk(node.lineno, node.test.end_lineno or node.lineno, "asked-again", ast.unparse(node.test)[:60])
        asked.add(test)


def _alike(node: ast.If) -> Iterator[Risk]:
    """Yield an `if` that does the same either way."""
    last = node.orelse and not (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If))
    if last and list(map(ast.dump, node.body)) == list(map(ast.dump, node.orelse)):
        yield Risk(
            node.lineno, node.orelse[-1].end_lineno or node.lineno, "branches-alike", ast.unparse(node.test)[:60]
        )


def _never_equal(node: ast.Compare) -> Iterator[Risk]:
    """Yield a comparison by `==` with a number that no calculation meets exactly, such as 0.1."""
    sides = [node.left, *node.comparators]
    numbers = [each.value for each in sides if isinstance(each, ast.Constant) and isinstance(each.value, float)]
    worked_out = any(isinstance(each, ast.BinOp | ast.Call) for each in sides)
    equal = all(isinstance(each, ast.Eq | ast.NotEq) for each in node.ops)
    if equal and worked_out and any((number * 1024) % 1 for number in numbers):
        yield Risk(node.lineno, node.end_lineno or node.lineno, "equal-to-fraction", ast.unparse(node)[:60])


def _one_object(node: ast.Compare) -> Iterator[Risk]:
    """Yield numbers and texts compared with `is`: true for small and short ones only. Literals the linter tells."""
    sides = [node.left, *node.comparators]
    if len(sides) != 2 or not isinstance(node.ops[0], ast.Is | ast.IsNot):
        return
    worked_out = [bool(_MAKES_VALUE.match(ast.unparse(each))) or isinstance(each, ast.JoinedStr) for each in sides]
    named = [isinstance(each, ast.Name | ast.Attribute) and bool(_IS_VALUE.search(ast.unparse(each))) for each in sides]
    constant = any(isinstance(each, ast.Constant) for each in sides)
    if not constant and (any(worked_out) or all(named)):
        yield Risk(node.lineno, node.end_lineno or node.lineno, "compared-as-objects", ast.unparse(node)[:60])


def _always_true(node: ast.Call) -> Iterator[Risk]:
    """Yield `bool(os.environ.get("DEBUG"))`: the text "False" is true."""
    if ast.unparse(node.func) == "bool" and len(node.args) == 1:
        inner = node.args[0]
        read = ast.unparse(inner.func if isinstance(inner, ast.Call) else getattr(inner, "value", inner))
        defaults = isinstance(inner, ast.Call) and len(inner.args) > 1
        environment = read in ("os.environ.get", "os.getenv", "environ.get", "getenv", "os.environ")
        if environment and (defaults or _IS_SWITCH.search(ast.unparse(inner))):
            yield Risk(node.lineno, node.end_lineno or node.lineno, "text-is-true", ast.unparse(node)[:60])


def _without_self(node: ast.ClassDef) -> Iterator[Risk]:
    """Yield methods that take nothing at all: called on an object they fail."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and not each.decorator_list:
            taken = (each.args.args, each.args.posonlyargs, each.args.vararg)
            if not any(taken) and not any("Interface" in ast.unparse(base) for base in node.bases):
                yield Risk(each.lineno, each.lineno, "without-self", each.name)
