"""Names that are off and the branches that ask for them, in one Python file; and what else gives a name a value."""

import ast
import re
from collections.abc import Iterator, Sequence, Set

from ...facts.code import Defined, Risk
from ...facts.python import Switches
from ...syntax.walking import every_node, written

_CAPITALS = re.compile(r"_*[A-Z][A-Z0-9_]{2,}")
_SETTINGS = re.compile(r"(Settings|Config|Configuration|Options|Flags|Features|Toggles|Switches)$|^(Settings|Config)")
_HOLDS_ONLY = re.compile(r"(Settings|Config|Configuration|BaseModel|NamedTuple|object)$")
"""Bases of classes that only hold values."""
_TURNED_BY_HAND = re.compile(
    r"DEBUG|VERBOSE|TRACE|PROFIL|TEST|DRY|TYPE_CHECKING|^_*PY|WINDOWS|LINUX|MACOS|DARWIN|QUIET|STRICT|ECHO",
    re.IGNORECASE,
)
"""What whoever develops turns on for an hour, and what tools or platforms know better."""
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


ANY_NAME = "*"
"""Stands among what is given for `config[name] = value` with a name made at run time."""
_HOLDER = re.compile(r"(settings|config|conf|cfg|options|flags|features|toggles|switches)(\(\))?$", re.IGNORECASE)


def switches(tree: ast.Module, documents: Set[int]) -> Switches:
    """Return what a file says of names that are off.

    Args:
        documents: The lines of documentation, which gives no name a value.
    """
    return Switches(_switched_off(tree), _asking(tree), sorted(_given(tree, documents)))


def _switched_off(tree: ast.Module) -> list[Defined]:
    """Return the constants of a module, and the plain fields of its classes, that are written down as false.

    Of fields in small letters only those of classes of settings count that nothing fills: no base, no decorator.
    """
    found = [Defined(name, "constant", line, line) for name, line in _false(tree.body) if _CAPITALS.fullmatch(name)]
    for node in every_node(tree):
        if isinstance(node, ast.ClassDef) and not node.keywords:
            plain = not node.decorator_list and all(_is_ours(base) for base in node.bases)
            found += [
                Defined(name, "setting", line, line, node.name)
                for name, line in _false(node.body)
                if plain and (_CAPITALS.fullmatch(name) or _SETTINGS.search(node.name))
            ]
    return [each for each in found if not _TURNED_BY_HAND.search(each.name)]


def _is_ours(base: ast.expr) -> bool:
    """Return whether a base is a class of settings or nothing at all; libraries fill theirs from the environment."""
    name = ast.unparse(base).rpartition(".")[2]
    return name == "object" or (bool(_SETTINGS.search(name)) and name != "BaseSettings")


def _false(body: Sequence[ast.stmt]) -> Iterator[tuple[str, int]]:
    for node in body:
        if target := _off_target(node):
            yield target.id, node.lineno


def _off_target(node: ast.AST) -> ast.Name | None:
    """Return the one name that a statement sets to a literal that counts as false."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        target, value = node.target, node.value
    else:
        return None
    off = isinstance(value, ast.Constant) and (value.value is None or value.value in (False, 0, ""))
    return target if off and isinstance(target, ast.Name) else None


def _asking(tree: ast.Module) -> list[Risk]:
    """Return the lines that do not run where a name is off: rule `name` where it is plain, `of` where it is held."""
    found: list[Risk] = []
    for node in every_node(tree):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            found += _branches(node)
        for body in _bodies(node):
            for place, each in enumerate(body[:-1]):
                if isinstance(each, ast.If) and not each.orelse and isinstance(each.body[-1], _ENDS):
                    found += _risks(_on_where_off(each.test), body[place + 1 :])
    return sorted(found, key=lambda each: (each.line, each.end))


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        if isinstance(body := getattr(node, name, None), list) and body:
            yield body


def _branches(node: ast.If | ast.While | ast.IfExp) -> Iterator[Risk]:
    yield from _risks(_off_where_off(node.test), node.body if isinstance(node.body, list) else [node.body])
    otherwise = node.orelse if isinstance(node.orelse, list) else [node.orelse]
    if otherwise and not isinstance(node, ast.While):
        yield from _risks(_on_where_off(node.test), otherwise)


def _risks(names: Iterator[tuple[str, str]], body: Sequence[ast.AST]) -> Iterator[Risk]:
    first, last = body[0], body[-1]
    for name, how in names:
        yield Risk(getattr(first, "lineno", 0), getattr(last, "end_lineno", 0), how, name)


def _off_where_off(test: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the names of which each alone makes a condition false by being so."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            for each in values:
                yield from _off_where_off(each)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _on_where_off(operand)
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=True)]):
            yield from _off_where_off(left)
        case ast.Call(func=ast.Name(id="bool"), args=[argument]):
            yield from _off_where_off(argument)
        case _:
            yield from _asked(test)


def _on_where_off(test: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the names of which each alone makes a condition true by being false."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            for each in values:
                yield from _on_where_off(each)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _off_where_off(operand)
        case _:
            return


def _asked(node: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield the name that is asked for: `X`, `settings.X`, `config["X"]`, `getattr(settings, "X")`."""
    if isinstance(node, ast.Name) and _CAPITALS.fullmatch(node.id):
        yield node.id, "name"
    elif isinstance(node, ast.Attribute):
        if _CAPITALS.fullmatch(node.attr) or _HOLDER.search(ast.unparse(node.value)):
            yield node.attr, "of"
    elif (key := _key(node)) is not None and _given_false(node) and _CAPITALS.fullmatch(str(key.value)):
        yield str(key.value), "of"


def _given_false(node: ast.expr) -> bool:
    """Return whether what is asked for has no default, or one that is false as well."""
    default = node.args[-1] if isinstance(node, ast.Call) else None
    return not isinstance(default, ast.Constant) or isinstance(default.value, str) or not default.value


def _key(node: ast.AST) -> "ast.Constant | None":
    """Return the string by which a value is read."""
    key: ast.expr | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        key = node.slice
    elif isinstance(node, ast.Call) and node.args:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "get" and "environ" not in written(function):
            key = node.args[0]
        elif isinstance(function, ast.Name) and function.id in ("getattr", "hasattr") and len(node.args) > 1:
            key = node.args[1]
    return key if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _given(tree: ast.Module, documents: Set[int]) -> set[str]:
    """Return the names that a file gives a value, or may: all it sets to something else, and spells in strings."""
    off = {id(target) for node in every_node(tree) if (target := _off_target(node))}
    read = {id(key) for node in every_node(tree) if (key := _key(node))}
    found: set[str] = set()
    for node in every_node(tree):
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()) if id(node) not in off and _CAPITALS.fullmatch(node.id):
                found.add(node.id)
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                found.add(node.attr)
            case ast.Subscript(ctx=ast.Store(), slice=ast.Name(), value=holder) if _HOLDER.search(ast.unparse(holder)):
                found.add(ANY_NAME)
            case ast.Constant(value=str(text)) if id(node) not in read and node.lineno not in documents:
                found.update(_CAPITALS.findall(text) or ([text] if text.isidentifier() else []))
            case ast.keyword(arg=str(name)) | ast.alias(asname=str(name)):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(body=body):
                targets = (getattr(each, "target", None) or getattr(each, "targets", [None])[0] for each in body)
                found.update(each.id for each in targets if isinstance(each, ast.Name) and id(each) not in off)
            case ast.Global() | ast.Nonlocal():
                found.update(node.names)
            case _:
                pass
    return found


def settings(tree: ast.Module) -> list[Defined]:
    """Return the fields of classes of settings: what a class is called that is full of them."""
    return [
        Defined(target.id, "setting", each.lineno, each.end_lineno or each.lineno, node.name)
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and re.search(r"(Settings|Config|Configuration)$", node.name)
        and all(_HOLDS_ONLY.search(ast.unparse(base)) for base in node.bases)
        for each in node.body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        and isinstance(target := each.targets[0] if isinstance(each, ast.Assign) else each.target, ast.Name)
        and not target.id.startswith("_")
    ]
