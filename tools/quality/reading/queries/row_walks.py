"""Where a loop over rows goes on to the rows behind them, one query a round."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ...facts.code import LoopQuery
from ...syntax.walking import every_node
from .database_calls import called_name, chain_of
from .loads import loads_along, named_loads
from .short_loops import is_short

_ASKS = frozenset({"objects", "query", "session", "select"})
_OF_SESSIONS = frozenset({"query", "execute", "scalars", "scalar", "select", "stream_scalars", "exec"})
"""What a session of a database is asked; the session of a web request only gets and pops."""
_KEEPS_ROWS = frozenset({"list", "sorted", "reversed", "tuple", "set", "enumerate", "filter", "iter"})
_OF_ROWS = frozenset({"all", "filter", "order_by", "exclude"})
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_SORTS = frozenset({"sorted", "sort", "min", "max", "groupby", "map", "filter", "sum"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Eager = dict[str, frozenset[str]]
"""By variable that holds rows with what belongs to them, what that is; empty where not all of it is named."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where the rows of a loop come from."""

    callee: str = ""
    """The function that returned them; empty where they are asked for in place."""
    through: str = ""
    """The relation they were reached by."""
    loaded: bool = False
    """Whether the query loads along what belongs to them."""
    known: frozenset[str] = frozenset()
    """What was loaded along by name, and what leads back to where the loop came from: `line.order` of `order.lines`."""
    named: bool = False
    """Whether all that was loaded along is known by name."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A loop over rows."""

    line: int
    row: str
    rows: _Rows
    inside: list[ast.AST]


def followed(tree: ast.Module) -> Iterator[LoopQuery]:
    """Yield the attributes of rows that loops use, where the query of the rows loads nothing along.

    Which of them lead to other rows, only all models of a project tell.
    """
    for function in every_node(tree):
        if isinstance(function, _Function):
            told: set[tuple[int, str]] = set()
            for walk in _walks(function):
                for node in (each for part in walk.inside for each in every_node(part)):
                    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
                        continue
                    own = isinstance(node.value, ast.Name) and node.value.id == walk.row
                    if own and (walk.line, node.attr) not in told and node.attr not in walk.rows.known:
                        told.add((walk.line, node.attr))
                        rows = walk.rows
                        yield LoopQuery(
                            node.lineno,
                            ast.unparse(node)[:80],
                            rows.callee,
                            relation=node.attr,
                            through=rows.through,
                            loaded=rows.loaded,
                            named=rows.named,
                            loop=walk.line,
                        )


def giving(tree: ast.Module) -> list[str]:
    """Return the functions that return the rows of a query that loads nothing along."""
    found = set()
    for function in every_node(tree):
        if isinstance(function, _Function):
            rows, eager = _variables(function)
            returned = [each.value for each in every_node(function) if isinstance(each, ast.Return) and each.value]
            if returned and all(_is_given(_rows_of(each, rows, eager)) for each in returned):
                found.add(function.name)
    return sorted(found)


def _is_given(origin: _Rows | None) -> bool:
    return origin is not None and not origin.callee and not origin.through


def _walks(function: _Function) -> Iterator[_Walk]:
    """Yield the loops over rows, the outer ones first: rows that are reached from rows are rows."""
    rows, eager = _variables(function)
    kinds = (ast.For, ast.AsyncFor, ast.Call, *_COMPREHENSIONS)
    nodes = [each for each in every_node(function) if isinstance(each, kinds)]
    nodes.sort(key=lambda each: (each.lineno, each.col_offset))
    for node in nodes:
        for target, iterated, inside in _loops(node):
            row = target.elts[-1] if isinstance(target, ast.Tuple) and _name(iterated) == "enumerate" else target
            if not isinstance(row, ast.Name) or is_short(iterated, frozenset()):
                continue
            if loads_along(iterated) or _names(iterated) & eager.keys():
                eager[row.id] = frozenset()
                known = _loaded(iterated, eager) if _is_whole(iterated) else frozenset()
                yield _Walk(node.lineno, row.id, _Rows(loaded=True, known=known, named=bool(known)), inside)
            elif origin := _rows_of(iterated, rows, eager):
                yield _Walk(node.lineno, row.id, origin, inside)


def _loops(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr, list[ast.AST]]]:
    """Yield the loops of a node: what is set in each round, what it goes through, what is done."""
    if isinstance(node, ast.For | ast.AsyncFor):
        yield node.target, node.iter, list(node.body)
    elif isinstance(node, _COMPREHENSIONS):
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for number, each in enumerate(node.generators):
            inner = [other.iter for other in node.generators[number + 1 :]]
            conditions = [test for other in node.generators[number:] for test in other.ifs]
            yield each.target, each.iter, [*parts, *inner, *conditions]
    elif isinstance(node, ast.Call) and _name(node) in _SORTS:
        taken = [*node.args, *(each.value for each in node.keywords if each.arg == "key")]
        given = next((each for each in taken if isinstance(each, ast.Lambda)), None)
        through = node.func.value if isinstance(node.func, ast.Attribute) and _name(node) == "sort" else None
        through = through or next((each for each in node.args if not isinstance(each, ast.Lambda)), None)
        if given is not None and given.args.args and through is not None:
            yield ast.Name(given.args.args[0].arg, ast.Store()), through, [given.body]


def _variables(function: _Function) -> tuple[dict[str, _Rows], _Eager]:
    """Return the variables that hold rows, and those that hold rows with what belongs to them."""
    rows: dict[str, _Rows] = {}
    eager: _Eager = {}
    assigned = [each for each in every_node(function) if isinstance(each, ast.Assign | ast.AnnAssign) and each.value]
    for node in sorted(assigned, key=lambda each: each.lineno):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not isinstance(target, ast.Name) or node.value is None:
            continue
        again = target.id in _names(node.value) and target.id in eager
        if loads_along(node.value) or again or (_names(node.value) & eager.keys() and _asks_plainly(node.value)):
            eager[target.id] = _loaded(node.value, eager)
            rows.pop(target.id, None)
        elif target.id not in eager and (origin := _rows_of(node.value, rows, eager)):
            rows[target.id] = origin
    return rows, eager


def _loaded(value: ast.expr, eager: _Eager) -> frozenset[str]:
    """Return what came along with rows by name; empty where not all of it is named."""
    of = [named_loads(value)] if loads_along(value) else []
    of += [eager[name] for name in _names(value) & eager.keys()]
    return frozenset().union(*of) if all(of) else frozenset()


def _is_whole(iterated: ast.expr) -> bool:
    """Return whether a loop goes through the rows of a query themselves rather than through what belongs to one."""
    while isinstance(iterated, ast.Await) or (isinstance(iterated, ast.Call) and _name(iterated) in _KEEPS_ROWS):
        iterated = iterated.value if isinstance(iterated, ast.Await) else (iterated.args or [iterated.func])[0]
    methods = chain_of(iterated)[1:]
    return isinstance(iterated, ast.Name) or _asks_plainly(iterated) or (bool(methods) and set(methods) <= _OF_ROWS)


def _rows_of(value: ast.expr, rows: dict[str, _Rows], eager: _Eager) -> _Rows | None:
    """Return where the rows of an expression come from, or None where it holds no plain rows."""
    if isinstance(value, ast.Await):
        value = value.value
    if is_short(value, frozenset()) or loads_along(value) or _names(value) & eager.keys():
        return None
    if isinstance(value, ast.Name):
        return rows.get(value.id)
    if isinstance(value, ast.ListComp) and isinstance(value.elt, ast.Name) and len(value.generators) == 1:
        same = ast.unparse(value.generators[0].target) == value.elt.id
        return _rows_of(value.generators[0].iter, rows, eager) if same else None
    if _asks_plainly(value):
        return _Rows()
    if isinstance(value, ast.Call) and _name(value) in _KEEPS_ROWS and value.args:
        return _rows_of(value.args[-1 if _name(value) == "filter" else 0], rows, eager)
    held = value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _OF_ROWS:
        held = value.func.value
    if isinstance(held, ast.Attribute) and isinstance(held.value, ast.Name | ast.Attribute):
        if ast.unparse(held.value) == "self":
            return None  # how many belong to a row, its own class does not tell
        owner = held.value.attr if isinstance(held.value, ast.Attribute) else held.value.id
        return _Rows(through=held.attr, known=frozenset({owner, owner.rpartition("_")[2]}))
    if isinstance(value, ast.Call) and (callee := called_name(value)):
        return _Rows(callee=callee)
    return None


def _asks_plainly(node: ast.expr) -> bool:
    """Return whether an expression is the rows of a query."""
    names = _names(node)
    asks = names & _ASKS - {"session"} or ("session" in names and names & _OF_SESSIONS)
    return isinstance(node, ast.Call | ast.Attribute) and bool(asks)


def _names(node: ast.expr) -> set[str]:
    return {getattr(each, "attr", getattr(each, "id", "")) for each in every_node(node)}


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
