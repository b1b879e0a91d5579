"""The commands that click and typer make of functions, with what stands below each."""

import ast
from collections.abc import Iterator

from ...facts.python import Command
from ...syntax.walking import every_node

Function = ast.FunctionDef | ast.AsyncFunctionDef

_LIBRARIES = frozenset({"click", "typer", "asyncclick", "rich_click"})
_HARMLESS = frozenset({"command", "group", "callback", "option", "argument", "pass_context", "pass_obj", "help_option"})
_ENDINGS = ("_command", "_cmd", "_group", "_grp")
"""What newer click leaves out of the name of a function."""


def commands_of_click(tree: ast.Module) -> Iterator[Command]:
    """Yield the groups of a module and the commands below them.

    A group is known by the variable that holds it; below one of another module, its path begins with `@variable`.
    """
    held = dict(_typer_apps(tree))
    functions = [node for node in every_node(tree) if isinstance(node, Function)]
    for node in functions:
        for call, holder, kind in _decorators(node):
            if kind == "group":
                above = _above(holder, held)
                held[node.name] = f"{above} {_name_of(call, node)}".strip() if holder not in _LIBRARIES else ""
                below = [_name_of(call, node)] if holder not in _LIBRARIES else []
                yield Command(above, below) if below else Command("")
                plain = not call.keywords or {each.arg for each in call.keywords} <= {"name", "help", "short_help"}
                yield Command(held[node.name], [], ["*"], -1, others=not plain, held=node.name)
    for node in functions:
        for call, holder, kind in _decorators(node):
            if kind == "command" and holder not in _LIBRARIES:
                above = _above(holder, held)
                yield Command(above, list(_spellings(call, node)), held=holder if holder in held else "")
    yield from _added(tree, held)


def _decorators(node: Function) -> Iterator[tuple[ast.Call, str, str]]:
    """Yield the decorators that make a command or group: the call, what it belongs to, and which of both."""
    for each in node.decorator_list:
        call = each if isinstance(each, ast.Call) else ast.Call(each, [], [])
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("command", "group"):
            yield call, ast.unparse(call.func.value), call.func.attr


def _above(holder: str, held: dict[str, str]) -> str:
    return held.get(holder, f"@{holder.rpartition('.')[2]}")


def _name_of(call: ast.Call, node: Function) -> str:
    return next(iter(_spellings(call, node)))


def _spellings(call: ast.Call, node: Function) -> Iterator[str]:
    """Yield the names a command may have: the one it is given, or those that versions of click make of its function."""
    given = [*call.args[:1], *(each.value for each in call.keywords if each.arg == "name")]
    if given:
        yield given[0].value if isinstance(given[0], ast.Constant) and isinstance(given[0].value, str) else "*"
        return
    yield node.name.replace("_", "-")
    yield from (node.name.removesuffix(end).replace("_", "-") for end in _ENDINGS if node.name.endswith(end))


def _typer_apps(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the variables that hold an app of typer, taken for the program itself: others say so by `add_typer`."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=maker)):
                if ast.unparse(maker).rpartition(".")[2] == "Typer":
                    yield name, ""
            case _:
                pass


def _added(tree: ast.Module, held: dict[str, str]) -> Iterator[Command]:
    """Yield that something else may stand below a group: what is added by a call has a name of its own making."""
    for node in every_node(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=group, attr="add_command" | "add_typer" | "add_group")):
                yield Command(_above(ast.unparse(group), held), others=True)
            case _:
                pass
