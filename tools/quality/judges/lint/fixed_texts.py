"""Whether a text that is put together holds only what stands in the module itself: constants, and sums of constants."""

import ast
import re
from collections.abc import Iterator

from ...syntax.walking import every_node
from .checked_names import is_looked_up

_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
_CHANGES = frozenset({"append", "extend", "insert", "add"})
_MOST_STEPS = 12
_NAMES_TABLES = frozenset({"__tablename__", "__table__", "db_table"})


def is_fixed(text: str, line: int, end: int, kind: re.Pattern[str]) -> bool:
    """Return whether every text of a kind that lines put together is made of what the module writes down.

    Names in capitals are constants, wherever they are from; a name counts where all that the function gives it does. Of
    marks for parameters, `"?" * n` and `", ".join("?" for ...)`, only the number is open.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    near = [
        (node, scope) for node, scope in _texts(tree, tree) if node.lineno <= end and (node.end_lineno or 0) >= line
    ]
    texts = [(node, scope) for node, scope in near if kind.search(ast.unparse(node))]
    return bool(texts) and all(_is_constant(node, scope, tree, 0) for node, scope in texts)


def _texts(node: ast.AST, scope: _Scope) -> Iterator[tuple[ast.expr, _Scope]]:
    """Yield the outermost texts that are put together, with the function around each."""
    for child in ast.iter_child_nodes(node):
        inner = child if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else scope
        if isinstance(child, ast.expr) and _is_made(child):
            yield child, scope
        else:
            yield from _texts(child, inner)


def _is_made(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return any(isinstance(each, ast.FormattedValue) for each in node.values)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "format"
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod) and _has_text(node)


def _has_text(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in every_node(node))


def _is_constant(node: ast.expr, scope: _Scope, tree: ast.Module, steps: int) -> bool:
    """Return whether a value is made of constants only."""
    if steps > _MOST_STEPS:
        return False
    inside: list[ast.expr]
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            looked_up = not isinstance(scope, ast.Module) and is_looked_up(name, scope)
            return name.strip("_").isupper() or looked_up or _is_given_constants(name, scope, tree, steps + 1)
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            return name.strip("_").isupper() or _is_of_classes(name, tree)
        case ast.Attribute(attr=name):
            return name.strip("_").isupper() or name in _NAMES_TABLES
        case ast.JoinedStr(values=values):
            inside = [each.value for each in values if isinstance(each, ast.FormattedValue)]
        case ast.Call(func=ast.Name(id="int" | "float" | "len" | "round" | "bool")):
            return True  # a number
        case ast.Subscript(value=ast.Name() as value):
            inside = [value]  # one of a table
        case ast.Call(func=ast.Attribute(attr="get", value=ast.Name() as value), args=args):
            inside = [value, *args[1:]]
        case ast.Dict(values=values):
            inside = values
        case ast.BinOp(op=ast.Mult(), left=left):
            inside = [left]  # "?" * len(rows)
        case ast.BinOp(left=left, right=right):
            inside = [left, right]
        case ast.IfExp(body=body, orelse=orelse):
            inside = [body, orelse]
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            inside = elts
        case ast.Starred(value=value):
            inside = [value]
        case ast.GeneratorExp(elt=elt) | ast.ListComp(elt=elt):
            names = ast.unparse(node.generators[0].iter).removesuffix(".keys()")
            named = _is_named_here(names, scope) and "[" not in ast.unparse(elt)
            picked = _is_picked(node, scope, tree, steps + 1)
            return named or picked or _is_constant(elt, scope, tree, steps + 1)
        case ast.Call(func=ast.Attribute(attr="join"), args=[ast.Name(id=name)]) if _is_named_here(name, scope):
            return True
        case ast.Call(func=ast.Attribute(attr="join" | "format" | "strip" | "removesuffix", value=value), args=args):
            inside = [value, *args, *(each.value for each in node.keywords)]
        case _:
            return False
    return all(_is_constant(each, scope, tree, steps + 1) for each in inside)


def _is_picked(node: ast.GeneratorExp | ast.ListComp, scope: _Scope, tree: ast.Module, steps: int) -> bool:
    """Return whether a comprehension picks from pairs written down: `(condition for condition, _ in conditions)`."""
    first = node.generators[0]
    targets = [first.target] if isinstance(first.target, ast.Name) else getattr(first.target, "elts", [])
    places = [at for at, each in enumerate(targets) if ast.unparse(each) == ast.unparse(node.elt)]
    if not isinstance(first.iter, ast.Name) or not places:
        return False
    return all(
        _is_list_of_constants(each, places[0], scope, tree, steps) for each in _given(first.iter.id, scope, tree)
    )


def _is_list_of_constants(value: ast.expr, place: int, scope: _Scope, tree: ast.Module, steps: int) -> bool:
    """Return whether the place-th part of each row of a list is a constant, also through another such comprehension."""
    if isinstance(value, ast.ListComp | ast.GeneratorExp) and isinstance(value.generators[0].iter, ast.Name):
        rows = _given(value.generators[0].iter.id, scope, tree)
        return bool(rows) and all(_is_list_of_constants(each, place, scope, tree, steps + 1) for each in rows)
    if not isinstance(value, ast.List | ast.Tuple):
        return False
    parts = [
        each.elts[place] if isinstance(each, ast.Tuple) and len(each.elts) > place else each for each in value.elts
    ]
    return all(_is_constant(each, scope, tree, steps + 1) for each in parts)


def _is_of_classes(name: str, tree: ast.Module) -> bool:
    """Return whether an attribute is one that classes write down, `table = "orders"`, and no object gets another."""
    written = [
        each.value
        for node in every_node(tree)
        if isinstance(node, ast.ClassDef)
        for each in node.body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        and name in map(ast.unparse, each.targets if isinstance(each, ast.Assign) else [each.target])
    ]
    set_later = any(
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)
        for node in every_node(tree)
    )
    return bool(written) and not set_later and all(value is None or _is_text_only(value) for value in written)


def _is_text_only(value: ast.expr) -> bool:
    """Return whether a value is a text, or several of them."""
    parts = value.elts if isinstance(value, ast.List | ast.Tuple | ast.Set) else [value]
    return all(isinstance(each, ast.Constant) for each in parts)


def _is_named_here(name: str, scope: _Scope) -> bool:
    """Return whether a name is `**values` of a function, whose calls write down their names, or was looked up."""
    if not isinstance(scope, ast.Module) and is_looked_up(name.removesuffix(".items()"), scope):
        return True
    kept = None if isinstance(scope, ast.Module) else scope.args.kwarg
    return kept is not None and kept.arg == name


def _is_given_constants(name: str, scope: _Scope, tree: ast.Module, steps: int) -> bool:
    given = _given(name, scope, tree)
    return bool(given) and all(_is_constant(each, scope, tree, steps) for each in given)


def _is_written_down(loop: ast.For | ast.comprehension, name: str) -> bool:
    """Return whether a loop goes through a constant or a list that stands in it, and the name is all of a round."""
    several = isinstance(loop.iter, ast.List | ast.Tuple | ast.Name | ast.Attribute)
    return several and isinstance(loop.target, ast.Name) and loop.target.id == name


def _handed(name: str, scope: ast.FunctionDef | ast.AsyncFunctionDef, tree: ast.Module) -> list[ast.expr]:
    """Return what the module hands a parameter of a function that is its own, by its name: `_select`."""
    if not scope.name.startswith("_") or scope.name.startswith("__"):
        return []
    names = [each.arg for each in (*scope.args.posonlyargs, *scope.args.args) if each.arg not in ("self", "cls")]
    found: list[ast.expr] = []
    for around in (each for each in every_node(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)):
        for call in every_node(around):
            if not isinstance(call, ast.Call) or ast.unparse(call.func).rpartition(".")[2] != scope.name:
                continue
            place = names.index(name) if name in names else len(call.args)
            given = [each.value for each in call.keywords if each.arg == name] or call.args[place : place + 1]
            if given and isinstance(given[0], ast.Name) and not given[0].id.isupper() and around is not scope:
                given = _given(given[0].id, around, tree)
            if not given or any(isinstance(each, ast.Starred) for each in given):
                return []
            found += given
    return found


def _given(name: str, scope: _Scope, tree: ast.Module) -> list[ast.expr]:
    """Return all values that a function, or else its module, gives a name, with what is added to it later.

    None where the name is a parameter, or comes out of a loop: nobody knows what it holds.
    """
    found: list[ast.expr] = []
    if not isinstance(scope, ast.Module) and name in {
        each.arg for each in every_node(scope.args) if isinstance(each, ast.arg)
    }:
        return _handed(name, scope, tree)
    for node in every_node(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [node.value for each in targets if isinstance(each, ast.Name) and each.id == name]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            found += node.args if ast.unparse(node.func.value) == name else []
        elif isinstance(node, ast.For | ast.comprehension) and name in map(ast.unparse, every_node(node.target)):
            if not _is_written_down(node, name):
                return []
            found.append(node.iter)
    return found if found or scope is tree else _given(name, tree, tree)
