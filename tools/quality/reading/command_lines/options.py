"""The options that the commands of a program know, read from its code: argparse, click, typer, Django's commands."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from ...syntax.walking import every_node

FOR_ALL = ""
"""Stands for what all commands of a program know."""
_HARMLESS = frozenset({"command", "option", "argument", "pass_context", "pass_obj", "with_appcontext"})


_READ_OPTIONS = frozenset({"argparse", "click", "typer", "flask", "flask_script", "django"})


def options_of(tree: ast.Module) -> dict[str, set[str]]:
    """Return, by command, the options it knows; those of all commands under `""`.

    Commands that cannot be read are absent, and so are all where nothing is imported that reads options.
    """
    imported = {
        name.partition(".")[0]
        for node in every_node(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
    }
    if not _READ_OPTIONS & imported:
        return {}
    found: dict[str, set[str]] = defaultdict(set)
    found[FOR_ALL] = set()
    _argparse(tree, found)
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef):
            _argparse(node, found)
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            _click(node, found)
    return dict(found)


def _argparse(scope: ast.Module | ast.FunctionDef, found: dict[str, set[str]]) -> None:
    """Note `parser.add_argument("--x")` for the command that the variable holds at that line."""
    holds: dict[str, str] = {}
    handed: set[str] = set()
    for node in _in_order(scope):
        if isinstance(node, ast.Assign) and (command := _made_command(node.value)):
            holds[ast.unparse(node.targets[0])] = command
            found[command] |= set()
        elif isinstance(node, ast.Call):
            handed |= {holds[name] for each in node.args if (name := ast.unparse(each)) in holds}
            if not isinstance(node.func, ast.Attribute) or node.func.attr != "add_argument":
                continue
            command = _made_command(node.func.value) or holds.get(ast.unparse(node.func.value), FOR_ALL)
            found[command] |= set(_names(node))
    for node in _in_order(scope):
        if isinstance(node, ast.Call) and (command := _made_command(node)):
            found[command] |= set()
            if any(each.arg == "parents" for each in node.keywords):
                handed.add(command)
    for command in handed:  # somebody else adds to it
        found.pop(command, None)


def _in_order(scope: ast.AST) -> list[ast.AST]:
    """Return the nodes of a function without those of functions in it, in the order of lines."""
    found: list[ast.AST] = []
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(node)
            waiting += ast.iter_child_nodes(node)
    return sorted(found, key=lambda node: (getattr(node, "lineno", 0), not isinstance(node, ast.Assign)))


def _made_command(node: ast.expr) -> str:
    """Return the command that `commands.add_parser("name")` makes."""
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_parser"
    first = node.args[0] if isinstance(node, ast.Call) and made and node.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _names(call: ast.Call) -> Iterator[str]:
    for each in call.args:
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.startswith("--"):
            yield from (part.strip().removeprefix("--").removeprefix("no-") for part in each.value.split("/"))


def _click(node: ast.FunctionDef | ast.AsyncFunctionDef, found: dict[str, set[str]]) -> None:
    """Note the options of a function that is a command: of click those of its decorators, of typer its parameters."""
    calls = [each if isinstance(each, ast.Call) else ast.Call(each, [], []) for each in node.decorator_list]
    ends = {ast.unparse(each.func).rpartition(".")[2]: each for each in calls}
    if "command" not in ends:
        return
    first = ends["command"].args[0] if ends["command"].args else None
    name = first.value if isinstance(first, ast.Constant) else node.name.replace("_", "-")
    if set(ends) - _HARMLESS:
        return  # other decorators may bring options along
    options = {each for call in calls if ast.unparse(call.func).endswith("option") for each in _names(call)}
    options |= {each.arg.replace("_", "-") for each in (*node.args.args, *node.args.kwonlyargs)}
    found[str(name)] |= options | {each.replace("-", "_") for each in options}
