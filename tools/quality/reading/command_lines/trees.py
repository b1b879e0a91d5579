"""The commands of programs, each with what stands below it, what it takes and knows: argparse, click, tables."""

import ast
from collections.abc import Iterator, Sequence

from ...facts.python import Command
from ...syntax.walking import every_node
from .of_click import commands_of_click

Function = ast.FunctionDef | ast.AsyncFunctionDef

_CLICK = frozenset({"click", "typer", "asyncclick", "rich_click"})
_SHOWN_TOGETHER = frozenset({"add_argument_group", "add_mutually_exclusive_group"})
_CALLED = frozenset({"sorted", "list", "tuple", "set"})


def command_trees(tree: ast.Module) -> list[Command]:
    """Return the commands that a module defines; nothing where it imports nothing that reads command lines."""
    imported = {
        name.partition(".")[0]
        for node in every_node(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names])
    }
    found = _Tree()
    if "argparse" in imported or any(
        isinstance(node, ast.Attribute) and node.attr == "add_parser" for node in every_node(tree)
    ):
        for scope in (tree, *(node for node in every_node(tree) if isinstance(node, Function))):
            _of_argparse(scope, found)
    if "sys" in imported and not found.rows:
        for name in _tables_asked(tree):
            found.add("", [f"@{name}"])
    rows = list(found.rows.values())
    return [*rows, *(commands_of_click(tree) if _CLICK & imported else ())]


class _Tree:
    """Commands as they are come upon."""

    def __init__(self) -> None:
        self.rows: dict[str, Command] = {}

    def add(self, path: str, parts: Sequence[str] = (), *, others: bool = False) -> Command:
        row = self.rows.get(path) or Command(path)
        row = Command(path, [*row.parts, *parts], row.options, row.takes, others=row.others or others)
        self.rows[path] = row
        return row

    def takes(self, path: str, count: int, options: Sequence[str]) -> None:
        row = self.add(path)
        sum_ = -1 if count < 0 or row.takes < 0 else row.takes + count
        self.rows[path] = Command(path, row.parts, [*row.options, *options], sum_, others=row.others)


def _of_argparse(scope: ast.AST, found: _Tree) -> None:
    """Note the commands that one function makes, for the parsers its variables hold at each line."""
    parsers: dict[str, list[str]] = {}
    groups: dict[str, str] = {}
    looped: dict[str, list[str]] = {}
    given = {each.arg for each in (*scope.args.args, *scope.args.kwonlyargs)} if isinstance(scope, Function) else set()

    def group_of(node: ast.expr) -> str | None:
        """Return below which command something adds commands."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_subparsers":
            above = parser_of(node.func.value)
            return above[0] if above else None
        name = ast.unparse(node)
        return groups.get(name, "" if name in given else None)

    def parser_of(node: ast.expr) -> list[str]:
        """Return the commands whose parser something is."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_parser":
            above = group_of(node.func.value)
            if above is None:
                found.add("", others=True)
                return []
            names = _names_of(node, looped)
            found.add(above, names, others=not names)
            return [f"{above} {name}".strip() for name in names]
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "ArgumentParser":
            return [""]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SHOWN_TOGETHER:
            return parser_of(node.func.value)
        return parsers.get(ast.unparse(node), [])

    for node in _in_order(scope):
        match node:
            case ast.For(target=target, iter=values):
                looped |= dict(_each_round(target, values))
                if isinstance(values, ast.Tuple | ast.List):
                    held = [parsers.get(ast.unparse(part), []) for part in values.elts]
                    parsers |= {ast.unparse(target): [path for paths in held for path in paths]} if any(held) else {}
            case ast.Assign(targets=[target], value=ast.Call() as value):
                name = ast.unparse(target)
                if (above := group_of(value)) is not None:
                    groups[name] = above
                elif made := parser_of(value):
                    parsers[name] = made
            case ast.Call(func=ast.Attribute(attr="add_parser")):
                parser_of(node)
            case ast.Call(func=ast.Attribute(attr="add_argument", value=holder)):
                paths = parser_of(holder)
                for path in paths:
                    _argument(node, path, found)
                if not paths and ast.unparse(holder) not in given:
                    found.takes("", -1, ["*"])
            case ast.Call(args=arguments):
                handed = {ast.unparse(each) for each in arguments if isinstance(each, ast.Name | ast.Attribute)}
                for path in (path for name in handed & groups.keys() for path in [groups[name]] if path):
                    found.add(path, others=True)
                for path in (path for name in handed & parsers.keys() for path in parsers[name]):
                    found.takes(path, -1, ["*"])
            case _:
                pass


def _names_of(call: ast.Call, looped: dict[str, list[str]]) -> list[str]:
    """Return the names under which a call adds a command; nothing where they are made at run time."""
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Name):
        return looped.get(first.id, [])
    if not isinstance(first, ast.Constant) or any(each.arg == "parents" for each in call.keywords):
        return [first.value] if isinstance(first, ast.Constant) and isinstance(first.value, str) else []
    others = next((each.value for each in call.keywords if each.arg == "aliases"), None)
    return [str(first.value), *_texts(others)]


def _argument(call: ast.Call, path: str, found: _Tree) -> None:
    names = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if len(names) < len(call.args):  # a name made at run time
        found.takes(path, -1, ["*"])
        return
    if any(name.startswith("-") for name in names):
        found.takes(path, 0, [name for name in names if name.startswith("--")])
        return
    given = {each.arg: each.value for each in call.keywords}
    many = "nargs" in given
    first = path not in found.rows or found.rows[path].takes == 0
    chosen = _chosen(given["choices"]) if "choices" in given else []
    if first and chosen and not (many and ast.unparse(given["nargs"]).strip("'\"") in ("*", "+")):
        found.add(path, chosen, others="?" in ast.unparse(given["nargs"]) if many else False)
    found.takes(path, -1 if many else 1, [])


def _chosen(node: ast.expr) -> list[str]:
    """Return what may be chosen from: texts, or the table whose keys they are behind an `@`."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in _CALLED and node.args:
        node = node.args[0]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys":
        node = node.func.value
    if isinstance(node, ast.Name | ast.Attribute):
        return [f"@{ast.unparse(node).rpartition('.')[2]}"]
    return _texts(node)


def _texts(node: ast.expr | None) -> list[str]:
    elements: Sequence[ast.expr | None] = ()
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        elements = node.elts
    elif isinstance(node, ast.Dict):
        elements = node.keys
    texts = [each.value for each in elements if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return texts if len(texts) == len(elements) and all(map(str.isprintable, texts)) else []


def _each_round(target: ast.expr, values: ast.expr) -> Iterator[tuple[str, list[str]]]:
    """Yield the texts that a variable of a loop over a written-down list stands for."""
    if isinstance(values, ast.Call) and isinstance(values.func, ast.Attribute) and values.func.attr == "items":
        values = values.func.value
        if isinstance(values, ast.Dict) and isinstance(target, ast.Tuple) and isinstance(target.elts[0], ast.Name):
            yield target.elts[0].id, _texts(values)
        return
    if isinstance(target, ast.Name):
        yield target.id, _texts(values)
    elif isinstance(target, ast.Tuple) and isinstance(values, ast.Tuple | ast.List):
        for place, name in enumerate(target.elts):
            rows = [each.elts[place] for each in values.elts if isinstance(each, ast.Tuple) and place < len(each.elts)]
            if isinstance(name, ast.Name) and len(rows) == len(values.elts):
                yield name.id, _texts(ast.Tuple(list(rows)))


def _in_order(scope: ast.AST) -> list[ast.AST]:
    """Return the nodes of a function without those of functions in it, in the order of lines, loops and names first."""
    found: list[ast.AST] = []
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            found.append(node)
            waiting += ast.iter_child_nodes(node)
    return sorted(found, key=lambda node: (getattr(node, "lineno", 0), not isinstance(node, ast.Assign | ast.For)))


def _tables_asked(tree: ast.Module) -> Iterator[str]:
    """Yield the tables in which a script of `sys.argv` looks up what it was asked for: `argv[1] not in JOBS`."""
    if not any(isinstance(node, ast.Attribute) and node.attr == "argv" for node in every_node(tree)):
        return
    for node in every_node(tree):
        match node:
            case ast.Compare(
                left=ast.Subscript(slice=ast.Constant(value=0 | 1)), ops=[ast.NotIn()], comparators=[ast.Name(id=name)]
            ) if name.isupper():
                yield name
            case _:
                pass
