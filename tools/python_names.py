"""Names in Python source: what a module defines, and the lines that use a name."""

import ast
import re
import warnings
from collections.abc import Callable, Iterable


def parsed(text: str) -> ast.Module | None:
    """Return the syntax of Python source, or None where it has errors."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a repository's own invalid escapes are not ours to report here
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defined(tree: ast.Module | None) -> set[str]:
    """Return the names a module defines at its top level: functions, classes and what is assigned."""
    found: set[str] = set()
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def public(tree: ast.Module | None) -> set[str]:
    """Return those names that `from module import *` takes."""
    return {name for name in defined(tree) if not name.startswith("_")}


def mentions(tree: ast.Module | None, name: str) -> list[int]:
    """Return the lines that use a name: not where it is imported or defined."""
    nodes = ast.walk(tree) if tree else ()
    return sorted({node.lineno for node in nodes if isinstance(node, ast.Name) and _is_use(node, name)})


def attributes(tree: ast.Module | None, base: str) -> list[tuple[int, str]]:
    """Return line and name of what is taken from an expression such as `c` or `a.b`."""
    found = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Attribute) and _dotted(node.value) == base:
            found.add((node.lineno, node.attr))
    return sorted(found)


def members(tree: ast.Module | None, name: str) -> list[int]:
    """Return the lines that take an attribute of this name from anything."""
    nodes = ast.walk(tree) if tree else ()
    return sorted({node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr == name})


def definitions(name: str, paths: Iterable[str], read: Callable[[str], str]) -> list[str]:
    """Return the Python files that define a function, class or method of this name."""
    pattern = re.compile(rf"^\s*(?:async\s+def|def|class)\s+{re.escape(name)}\b", re.MULTILINE)
    return [path for path in paths if path.endswith(".py") and pattern.search(read(path))]


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _is_use(node: ast.Name, name: str) -> bool:
    return node.id == name and isinstance(node.ctx, ast.Load)
