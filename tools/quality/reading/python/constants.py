"""Names in capitals that a Python module sets at its top level, and its logger."""

import ast
import re

from ...facts.code import Defined

_LOGGER = re.compile(r"^_?log(ger)?$", re.IGNORECASE)
_MAKES_LOGGER = re.compile(r"(^|\.)(getLogger|get_logger|get_task_logger)$")
_WORD = re.compile(r"[A-Za-z][\w:.-]*", re.ASCII)
_CAPITALS = re.compile(r"^_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$")


def constants(tree: ast.Module) -> list[Defined]:
    """Return the constants of a module, in the order of lines; `__all__` and `T = TypeVar("T")` are none."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target, value = node.target, node.value
        else:
            continue
        if isinstance(target, ast.Name) and _LOGGER.match(target.id) and _is_logger(value):
            found.append(Defined(target.id, "logger", node.lineno, node.end_lineno or node.lineno))
        elif (
            isinstance(target, ast.Name)
            and _CAPITALS.match(target.id)
            and len(target.id) > 1
            and not _makes_type(value)
        ):
            found.append(Defined(target.id, "constant", node.lineno, node.end_lineno or node.lineno))
    return found


def tables(tree: ast.Module) -> dict[str, list[str]]:
    """Return, by constant that is a dict written down, its keys that are texts; `*` stands for others."""
    found: dict[str, list[str]] = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(target, ast.Name) and _CAPITALS.match(target.id) and isinstance(value, ast.Dict) and value.keys:
            texts = [key.value if isinstance(key, ast.Constant) else "" for key in value.keys]
            found[target.id] = sorted({text if _WORD.fullmatch(text) else "*" for text in map(str, texts)})
    return found


def _makes_type(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(("TypeVar", "ParamSpec", "NewType"))


def _is_logger(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and bool(_MAKES_LOGGER.search(ast.unparse(value.func)))
