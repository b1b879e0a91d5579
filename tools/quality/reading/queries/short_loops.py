"""Loops that do not grow with the data: over what is written down, over steps, over the first few."""

import ast
import re
from collections.abc import Iterator, Set

from ...syntax.names import Function, last_name
from ...syntax.walking import every_node
from .bounds import bounded, is_small_number

MOST_WRITTEN_DOWN = 30
"""Values of a literal from which on a loop over it is no short one."""
FEW = 50
"""Rows that a limit or a slice may let through."""
_IN_BATCHES = frozenset({"batched", "batches", "chunked", "chunks", "in_batches", "in_chunks", "grouper", "partition"})
_SAME_LENGTH = frozenset(
    {"enumerate", "sorted", "reversed", "list", "tuple", "set", "frozenset", "zip", "iter", "dict"}
)
_OF_FOLDERS = frozenset({"glob", "rglob", "iglob", "iterdir", "listdir", "scandir", "walk"})
_OF_DICTS = frozenset({"items", "keys", "values"})
_FIRST_FEW = frozenset({"limit", "most_common", "nlargest", "nsmallest", "islice", "sample", "head"})
_ENUMS = frozenset({"Enum", "StrEnum", "IntEnum", "Flag", "TextChoices", "IntegerChoices"})
_SAID = re.compile(
    r"(?:#|//|/\*).*(?:\b(?:at most|never more than|no more than|only ever|always)\s+(?:a\s+)?"
    r"(?:few|handful|dozen|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,2})\b"
    r"|\ba handful\b|\b(?:a few|just|only) (?:of )?(?:one|two|three|four|five|six|seven|rows|entries|of them)\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|a dozen|\d{1,2})"
    r"(?: or (?:two|three|four|five|\d))? at (?:the )?most\b"
    r"|\b(?:one|two|three|four|five) or (?:two|three|four|five|six)\b"
    r"|至多|最多|不超过|不会超过|两三[个条行场]|三五[个条行场]|(?:只有|总共|固定)[一二两三四五六七八九十几\d])",
    re.IGNORECASE,
)
_SINGLY = re.compile(
    r"(?:#|//).*(?:"
    r"\b(?:one (?:by|after) (?:one|another|the other)|one at a time|anew|again|separately|on (?:its|their) own)\b.*"
    r"\b(?:on purpose|deliberate(?:ly)?|because|since|as (?:the|each|every|it)|so that|before (?:it|them)|may have"
    r"|depends?)\b"
    r"|(?:逐[条个笔行一]|一[条个笔]一[条个笔]|每[次条个笔]|重新).*(?:故意|有意|特意|因为|为了|前一|前面|上一|依赖|取决|以便|否则))",
    re.IGNORECASE,
)
"""Says that each is asked by itself, and why."""


def said_lines(text: str) -> set[int]:
    """Return the lines with a comment that says that something is few, or is asked one by one for a reason."""
    lines = enumerate(text.split("\n"), 1)
    return {number for number, line in lines if "#" in line and (says_few(line) or _SINGLY.search(line))}


def says_few(comment: str) -> bool:
    """Return whether a comment says that something is few."""
    return bool(_SAID.search(comment))


def short_names(tree: ast.Module) -> list[str]:
    """Return the constants of a module and its classes that hold a few values, and its enumerations."""
    return sorted({*_short_in(tree.body), *(name for each in _classes(tree) for name in _short_in(each.body))})


def is_short(iterated: ast.expr, known: Set[str]) -> bool:
    """Return whether a loop goes through values that are written down, by steps, or through the first few.

    Args:
        iterated: What the loop goes through.
        known: Names that are known to hold a few values.
    """
    if isinstance(iterated, ast.Tuple | ast.List | ast.Set | ast.Dict):
        return _is_literal(iterated)
    if isinstance(iterated, ast.Name | ast.Attribute):
        return last_name(iterated) in known
    if isinstance(iterated, ast.Subscript):
        end = iterated.slice.upper if isinstance(iterated.slice, ast.Slice) else None
        few = _is_few(end) or (isinstance(end, ast.Name) and end.id in known)
        return few or is_short(iterated.value, known)
    if isinstance(iterated, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        return all(is_short(each.iter, known) for each in iterated.generators)
    if not isinstance(iterated, ast.Call):
        return False
    name, arguments = last_name(iterated.func), iterated.args
    if name == "range":
        steps = len(arguments) == 3 or all(isinstance(each, ast.Constant) for each in arguments)
        return steps or (bool(arguments) and _is_small(arguments[-1], known))
    if isinstance(iterated.func, ast.Name) and name in known:
        return True
    if name.strip("_") in _IN_BATCHES or (name in _FIRST_FEW and any(_is_few(each) for each in arguments)):
        return True
    if isinstance(iterated.func, ast.Attribute):
        held = iterated.func.value
        return is_short(held, known) if name in _OF_DICTS or isinstance(held, ast.Call) else False
    return name in _SAME_LENGTH and any(is_short(each, known) for each in arguments)


def constant_of(iterated: ast.expr) -> str:
    """Return the name of a constant or class that a loop goes through; elsewhere it may turn out to be short."""
    while isinstance(iterated, ast.Call):
        inner = iterated.func.value if isinstance(iterated.func, ast.Attribute) else None
        iterated = (
            inner
            if inner is not None and last_name(iterated.func) in _OF_DICTS
            else next(iter(iterated.args), iterated.func)
        )
    name = last_name(iterated)
    is_class = isinstance(iterated, ast.Name) and name[:1].isupper()
    return name if len(name) > 2 and (name.isupper() or is_class) else ""


def short_in_function(function: ast.AST, known: Set[str]) -> set[str]:
    """Return the variables of a function that only ever hold a few values."""
    held: dict[str, list[ast.expr]] = {}
    for node in every_node(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            held.setdefault(node.targets[0].id, []).append(node.value)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and last_name(node.func) in ("append", "add")
        ):
            held.setdefault(last_name(node.func.value), []).append(node)  # it grows
    return bounded(function, known) | {
        name for name, values in held.items() if all(_is_filled(each, known) for each in values)
    }


def short_functions(tree: ast.Module) -> set[str]:
    """Return the functions of a module that give the files of a folder or a few values, whatever they are asked."""
    found = set()
    for function in tree.body:
        if isinstance(function, Function):
            given = [each.value for each in every_node(function) if isinstance(each, ast.Return)]
            if given and all(each is not None and _is_filled(each, frozenset()) for each in given):
                found.add(function.name)
    return found


def goes_through_files(iterated: ast.expr) -> bool:
    """Return whether a loop goes through the files of a folder: each is a work of its own, with what that asks."""
    return any(isinstance(each, ast.Attribute) and each.attr in _OF_FOLDERS for each in every_node(iterated))


def _is_filled(value: ast.expr, known: Set[str]) -> bool:
    if isinstance(value, ast.Call | ast.ListComp) and goes_through_files(value):
        return True
    empty = isinstance(value, ast.Tuple | ast.List | ast.Set) and not value.elts
    return not empty and not (isinstance(value, ast.Dict) and not value.keys) and is_short(value, known)


def _counts_few(call: ast.Call, known: Set[str]) -> bool:
    return last_name(call.func) == "len" and len(call.args) == 1 and is_short(call.args[0], known)


def _is_small(number: ast.expr, known: Set[str]) -> bool:
    """Return whether a number is small: one that is known to be, one more than that, or how many of a few there are."""
    if isinstance(number, ast.BinOp) and isinstance(number.op, ast.Add | ast.Sub):
        return _is_small(number.left, known) and isinstance(number.right, ast.Constant)
    if isinstance(number, ast.Call):
        return _counts_few(number, known)
    return isinstance(number, ast.Name | ast.Attribute) and last_name(number) in known


def _is_few(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, int) and 0 < value.value <= FEW


def _is_literal(value: ast.Tuple | ast.List | ast.Set | ast.Dict) -> bool:
    parts = value.keys if isinstance(value, ast.Dict) else value.elts
    return len(parts) <= MOST_WRITTEN_DOWN and not any(each is None or isinstance(each, ast.Starred) for each in parts)


def _short_in(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef) and any(last_name(base) in _ENUMS for base in node.bases):
            yield node.name
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if (
            isinstance(target, ast.Name)
            and target.id.isupper()
            and value is not None
            and (_is_filled(value, frozenset()) or is_small_number(value))
        ):
            yield target.id


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in tree.body if isinstance(node, ast.ClassDef))
