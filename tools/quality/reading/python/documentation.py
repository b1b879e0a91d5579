"""What documentation strings say: another result, order or default than their function has, and names."""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...facts.python import Contradicted
from ...syntax.names import Function
from ...syntax.walking import every_node

_NONE = re.compile(
    r"^\s*(?:Returns?|:returns?:)?\s*(?:``|`)?None(?:``|`)?\s+(?:if|when|where|for|unless)\b"
    r"|\bor ``?None``? (?:if|when|where)\b"
    r"|\b[Rr]eturns? ``?None``?(?: (?:if|when|where)\b|\.)|(?:返回|则为)\s?`{0,2}None\b"
)
_RETURNS = re.compile(r"^\s*(?:Returns?:\s*$|:returns?:\s*|Returns?\s+(?!:))", re.IGNORECASE)
_SHAPES: Mapping[str, str] = MappingProxyType(
    {
        r"(?:an? |the )?(?:\w+ )?(?:number|count|amount) of\b|how many\b": "number",
        r"(?:an? |the )?(?:\w+ )?list of\b|[^,;]*\bas an? list\b": "list",
        r"(?:an? |the )?(?:\w+ )?(?:dict|dictionary|mapping) (?:of|from|with)\b"
        r"|[^,;]*\bas an? (?:dict|dictionary)\b": "dict",
        r"(?:an? )?tuple of\b|[^,;]*\bas an? tuple\b": "tuple",
        r"(?:``?)?True(?:``?)? (?:if|when)\b|whether\b": "bool",
    }
)
"""How a result is told, and what it is then."""
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("int", "float", "Decimal", "complex"), "number"),
        **dict.fromkeys(("list", "List"), "list"),
        **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "Counter", "OrderedDict"), "dict"),
        **dict.fromkeys(("tuple", "Tuple"), "tuple"),
        **dict.fromkeys(("set", "Set", "frozenset"), "set"),
        "bool": "bool",
        "str": "text",
        "bytes": "text",
    }
)
_CONTRADICT = frozenset(
    {
        *(("number", other) for other in ("bool", "row")),
        *(("list", other) for other in ("dict", "number", "bool")),
        *(("dict", other) for other in ("list", "number", "bool", "tuple", "set")),
        *(("tuple", other) for other in ("dict", "number", "bool", "set")),
        *(("bool", other) for other in ("list", "dict")),
    }
)
"""What is told against what is given; a list may be any sequence, and anything may be written as text."""
_TRUTH = re.compile(
    r"(?:^\W*|[;,.:] *|\band |\bor )returns? `{0,2}(?:True|False)`{0,2} (?:if|when|where|unless|for|on)\b"
    r"|返回\s?`{0,2}(?:True|False)(?![\w.])",
    re.IGNORECASE,
)
_MORE = re.compile(r"\b(?:each|every|all|both|and)\b|,|每|各")
"""A sentence that tells of more than one thing may mean another part of it."""
_FALLING = re.compile(
    r"\b(?:newest|latest|most recent|largest|biggest|highest) first\b|\bdescending\b|倒序|降序|最新的?在前"
)
_RISING = re.compile(r"\b(?:oldest|earliest|smallest|lowest) first\b|\bascending\b|升序|正序|最早的?在前")
_ORDERED = re.compile(r"\border by ((?:[\w.]+(?: (?:desc|asc)\b)?(?:,\s*)?)+)", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!`)`{1,2}([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`{1,2}(?!`)")
_RAISES = re.compile(r"^\s+([A-Z]\w*(?:Error|Exception|NotFound|Refused|Denied|Missing|Invalid)):\s")
_RAISES_FIELD = re.compile(r":(?:raises?|exc(?:eption)?)\s+([A-Z]\w+):")
_DEFAULT = re.compile(
    r"^\s*(?::param (?:\w+ )?)?(\w+)(?:\s*\([^)]*\))?\s*:.*?\b(?:[Dd]efaults? (?:to|is)|[Bb]y default"
    r"|默认(?:为|是)?)\s*(?:``?)?(-?\d+(?:\.\d+)?|True|False|None)(?![\w.]*\w)"
)


def contradicted(tree: ast.Module) -> Iterator[Contradicted]:
    """Yield the sentences of documentation strings that the function below them contradicts."""
    for node in every_node(tree):
        text = ast.get_docstring(node, clean=False) if isinstance(node, Function) else None
        if isinstance(node, Function) and text:
            yield from _of_function(node, text)


def names_said(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of the constants and errors that documentation strings and comments speak of."""
    said = False
    for number, line in enumerate(text.split("\n"), 1):
        quotes = line.count('"""')
        inside = said or quotes > 0
        said = said != (quotes % 2 == 1)
        if not inside and not line.lstrip().startswith("#"):
            continue
        yield from ((number, name) for name in _QUOTED.findall(line))
        raised = _RAISES.match(line) or _RAISES_FIELD.search(line)
        if raised and not hasattr(builtins, raised[1]):
            yield number, raised[1]


def _of_function(node: Function, text: str) -> Iterator[Contradicted]:
    own = list(_own(node))
    results = [each.value for each in own if isinstance(each, ast.Return)]
    given, of_class = _given(node, own, results)
    gives_nothing = _gives_nothing(node, own)
    told, first = False, node.body[0].lineno
    for number, line in enumerate(text.split("\n"), first):
        said = _DEFAULT.match(line)
        if said and (real := _default_of(node, said[1])) is not None and real != said[2]:
            yield Contradicted(number, f"{said[1]} = {said[2]}", "the code has another default", 0.8)
        may_say = given not in ("list", "dict", "tuple", "set") or "eturns None" in line
        if gives_nothing and _TRUTH.search(line):
            yield Contradicted(number, line.strip().strip('"'), "the code returns nothing", 0.75)
            continue
        if _NONE.search(line) and given and may_say and not any(value is None or _is_none(value) for value in results):
            yield Contradicted(number, line.strip(), "the code returns something else", 0.75, of_class)
            continue
        starts = _RETURNS.match(line)
        what = line[starts.end() :] if starts else line.strip() if told else ""
        told = bool(starts and not what.strip())
        plain = what if not _MORE.search(what) else ""
        shape = next((kind for spoken, kind in _SHAPES.items() if plain and re.match(spoken, plain.strip())), "")
        turned = (what or number == first) and _turned(line, own)
        if turned or (shape, given) in _CONTRADICT:
            text_said = line.strip().strip('"')
            yield Contradicted(number, text_said, "the code returns something else", 0.75, "" if turned else of_class)


def _own(node: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions in it."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(each)


def _gives_nothing(node: Function, own: list[ast.AST]) -> bool:
    """Return whether a function with a body of its own never gives a value, other than by a decorator."""
    if node.decorator_list or any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own):
        return False
    works = [each for each in node.body[1:] if not isinstance(each, ast.Pass | ast.Raise | ast.Expr)]
    calls = [each for each in node.body[1:] if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)]
    return bool(works or calls) and not any(isinstance(each, ast.Return) and each.value for each in own)


def _given(node: Function, own: list[ast.AST], results: list[ast.expr | None]) -> tuple[str, str]:
    """Return what a function is annotated to give, and of which class; `""` where it is not plain, or gives nothing."""
    if node.returns is None or not results or any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own):
        return "", ""
    if any(not isinstance(each, ast.Name) for each in map(_name_of, node.decorator_list)):
        return "", ""
    outer = node.returns.value if isinstance(node.returns, ast.Subscript) else node.returns
    name = ast.unparse(outer).rpartition(".")[2]
    if name in _KINDS:
        return _KINDS[name], ""
    return ("row", name) if name[:1].isupper() and not _COUNTS.search(name) else ("", "")


_COUNTS = re.compile(r"int|num|count|amount|money|size|total|id|decimal|float|enum|flag|result|quantity", re.IGNORECASE)
"""A class that may well be a number."""


def _name_of(decorator: ast.expr) -> ast.expr:
    return decorator.value if isinstance(decorator, ast.Attribute) else decorator


def _is_none(value: ast.expr) -> bool:
    """Return whether a value is, or may be, None: what is only named or asked for may be anything."""
    return any(isinstance(each, ast.Constant) and each.value is None for each in every_node(value))


def _default_of(node: Function, name: str) -> str | None:
    """Return the default of a parameter as a document would write it."""
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [*zip(reversed(positional), reversed(node.args.defaults), strict=False)]
    pairs += [(each, value) for each, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value]
    for each, value in pairs:
        if each.arg == name and isinstance(value, ast.Constant) and isinstance(value.value, int | float | bool):
            return str(value.value)
    return None


def _turned(line: str, own: list[ast.AST]) -> bool:
    """Return whether a line tells the order of what is sorted once, and the other way round."""
    falling, rising = bool(_FALLING.search(line)), bool(_RISING.search(line))
    if falling == rising:
        return False
    ways = [way for each in own for way in _ways(each)]
    return len(ways) == 1 and ways[0] is rising


def _ways(node: ast.AST) -> Iterator[bool]:
    """Yield whether something is sorted from the largest on; what cannot be read is yielded as both."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        for match in _ORDERED.finditer(node.value):
            yield from {part.strip().lower().endswith(" desc") for part in match[1].strip(", ").split(",")}
    if isinstance(node, ast.Slice) and node.step is not None and ast.unparse(node.step) == "-1":
        yield from (True, False)
    if not isinstance(node, ast.Call):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    given = {each.arg: each.value for each in node.keywords}
    if name in ("sorted", "sort"):
        back = given.get("reverse")
        if "key" in given or (back is not None and not isinstance(back, ast.Constant)):
            yield from (True, False)
        else:
            yield bool(back is not None and isinstance(back, ast.Constant) and back.value)
    elif name == "order_by" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        yield str(node.args[0].value).startswith("-")
    elif name in ("order_by", "reversed", "reverse", "desc"):
        yield from (True, False)
