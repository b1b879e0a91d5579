"""Paths that a function makes of a name it is given, and opens without a look at what they became."""

import ast
import re
from collections.abc import Iterator, Set

from ..facts import Risk
from .received import Function

FILE = re.compile(
    r"^(?:os\.(?:remove|unlink|listdir|scandir)|shutil\.\w+|io\.open|codecs\.open|open)$"
    r"|(?:^|\.)(?:send_file|FileResponse|read_text|read_bytes|write_text|write_bytes|unlink|open)$"
)
CHECKS = re.compile(
    r"resolve\(|relative_to|is_relative|basename|secure_filename|safe_join|startswith|realpath|commonpath|\.\."
)
_IS_A_NAME = re.compile(r"(?:^|_)(?:name|file|filename|path|document|attachment|key|slug|folder|directory)s?$")


def paths_of_names(node: Function) -> Iterator[Risk]:
    """Yield where a function opens a path it made of a parameter, and nothing in it looks at what the path became."""
    names = {each.arg for each in (*node.args.args, *node.args.kwonlyargs) if _IS_A_NAME.search(each.arg)}
    text = ast.unparse(node)
    if not names or CHECKS.search(text):
        return
    made = _made_of(node, names)
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and FILE.search(ast.unparse(call.func)):
            trusted = trusted_part(call, "path-from-user")
            if trusted is not None and (
                _is_joined(trusted, names) or (isinstance(trusted, ast.Name) and trusted.id in made)
            ):
                first = made.get(trusted.id, call.lineno) if isinstance(trusted, ast.Name) else call.lineno
                yield Risk(first, call.end_lineno or call.lineno, "path-from-user", ast.unparse(call.func), node.name)
                return


def _made_of(node: Function, names: Set[str]) -> dict[str, int]:
    """Return the variables that hold a folder joined with one of the names, and the lines where."""
    return {
        each.targets[0].id: each.lineno
        for each in ast.walk(node)
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _is_joined(each.value, names)
    }


def _is_joined(value: ast.expr, names: Set[str]) -> bool:
    """Return whether a path is a folder and one of the names: `folder / name`, `join(folder, name)`, an f-string."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div | ast.Add):
        return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(value.right))
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith(("join", "Path", "joinpath")):
        rest = value.args if ast.unparse(value.func).endswith("joinpath") else value.args[1:]
        return any(isinstance(each, ast.Name) and each.id in names for each in rest)
    if isinstance(value, ast.JoinedStr):
        filled = [each.value for each in value.values if isinstance(each, ast.FormattedValue)]
        return len(value.values) > 1 and any(isinstance(each, ast.Name) and each.id in names for each in filled)
    return False


def trusted_part(call: ast.Call, rule: str) -> ast.expr | None:
    """Return the argument that a call trusts."""
    if rule == "path-from-user" and isinstance(call.func, ast.Attribute) and not call.args:
        return call.func.value
    if rule == "path-from-user" and call.func and ast.unparse(call.func).endswith(("write_text", "write_bytes")):
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    named = {"url", "location", "path", "content", "filename"}
    return call.args[0] if call.args else next((each.value for each in call.keywords if each.arg in named), None)
