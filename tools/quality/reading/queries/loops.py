"""Queries that run once per round of a loop, by the shape of the call."""

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from ...facts.code import LoopQuery
from ...syntax.walking import every_node
from .database_calls import called_name, chain_of, is_query
from .held_names import asks_held, containers, loaded_along, query_sets
from .short_loops import (
    constant_of,
    goes_through_files,
    is_short,
    said_lines,
    short_functions,
    short_in_function,
    short_names,
)
from .writes import is_write, statement_writes, unanswered

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_OF_ROWS = frozenset({"all", "count", "exists", "first", "filter", "order_by"})
"""What the rows that belong to a row are asked for: `author.books.count()`."""
_KEPT = frozenset({"all", "count", "exists"})
"""Those of them that take what was loaded along."""
_BATCHES = (
    *("batch", "chunk", "page", "block", "attempt", "retry", "migration", "table"),
    *("statement", "stmt", "sql", "command", "query", "ddl", "script"),
)


@dataclass(frozen=True, slots=True)
class _Loops:
    """The loops around a place."""

    names: frozenset[str] = frozenset()
    """What they go through."""
    line: int = 0
    """Of the outermost of them."""
    over: tuple[str, ...] = ()
    """The constants all of them go through; empty where one goes through something else."""
    rows: tuple[str, ...] = ()
    """What each of them calls its row; `""` where it has no one name."""
    sometimes: bool = False
    """Whether a condition lets only some of the rounds come here."""


@dataclass(frozen=True, slots=True)
class _Short:
    """What is known of the short loops of a file, and of the variables of a function."""

    lines: Set[int]
    """Lines of comments that say so."""
    names: Set[str]
    containers: Set[str] = frozenset()
    """Variables that hold dictionaries and lists."""
    query_sets: Set[str] = frozenset()
    """Variables that hold queries which have not run yet."""
    loaded: Set[str] = frozenset()
    """Relations that a query of the function loads along."""

    def within(self, function: ast.AST) -> "_Short":
        """Return the same with what one function knows."""
        return replace(
            self,
            names=self.names | short_in_function(function, self.names),
            containers=containers(function),
            query_sets=query_sets(function),
            loaded=loaded_along(function),
        )


_Place = tuple[ast.AST, str, _Loops | None, _Short]
"""A node, the function it is in, the loops around it (None: none that grows), and what is short there."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the functions of a file ask, write and call."""

    in_loops: list[LoopQuery]
    """The queries and calls made in loops."""
    querying: list[str]
    """The functions that query a database."""
    writing: list[str]
    """The functions that write to one."""
    called: dict[str, list[str]]
    """What each function calls."""


def loop_queries(tree: ast.Module, text: str = "") -> Asked:
    """Return what the functions of a file ask a database, in loops and elsewhere, and what they call."""
    found: list[LoopQuery] = []
    querying: set[str] = set()
    writing: set[str] = set()
    dropped: set[ast.Call] = set()
    called: dict[str, set[str]] = {}
    waiting: list[_Place] = [
        (tree, "", None, _Short(said_lines(text), frozenset(short_names(tree)) | short_functions(tree)))
    ]
    parameters = {
        node.name: frozenset(each.arg for each in (*node.args.args, *node.args.kwonlyargs))
        for node in every_node(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    while waiting:
        node, function, loops, short = waiting.pop()
        if isinstance(node, ast.Expr):
            dropped.update(unanswered(node))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and statement_writes(node.value):
            writing.add(function)
        if isinstance(node, ast.Call):
            if is_write(node):
                writing.add(function)
            asked = is_query(node) or (loops is not None and asks_held(node, short.query_sets))
            of_row = not asked and loops is not None and (_asks_of_row(node, loops, short) or _saves_row(node, loops))
            name = called_name(node)
            if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") in short.containers:
                name = ""
            if asked or (function and _of_row(node, parameters.get(function, frozenset()))):
                querying.add(function)
            elif name and name != function:
                called.setdefault(function, set()).add(name)
            told = (asked and loops is not None and not _is_given(node, loops.names)) or of_row or (name and not asked)
            if loops is not None and told and node.lineno - 1 not in short.lines:
                callee = "" if asked or of_row else name
                call = ast.unparse(node.func)[:80]
                each = LoopQuery(node.lineno, call, callee, loop=loops.line, over=loops.over, rows=loops.rows)
                found.append(replace(each, dropped=node in dropped))
        waiting += _inner(node, function, loops, short)
    by_line = {(each.line, each.callee): each for each in sorted(found, key=lambda each: (each.line, len(each.call)))}
    calls = {name: sorted(names) for name, names in sorted(called.items()) if name}
    return Asked(list(by_line.values()), sorted(querying - {""}), sorted(writing - {""}), calls)


def _inner(node: ast.AST, function: str, loops: _Loops | None, short: _Short) -> Iterator[_Place]:
    """Yield the children of a node with the function and the loops they are in."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        known = short.within(node)
        for child in ast.iter_child_nodes(node):
            yield child, node.name, None, known
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield node.iter, function, loops, short
        around = _within(loops, node, node.target, node.iter, short)
        for child in (*node.body, *node.orelse):
            yield child, function, around, short
            if around and isinstance(child, ast.If) and isinstance(child.body[-1], ast.Continue | ast.Break):
                around = replace(around, sometimes=True)
    elif isinstance(node, ast.If) and loops and _picks_one(node.test, loops.names):
        for child in node.body:
            yield child, function, None, short  # one round at most comes here
        for child in node.orelse:
            yield child, function, loops, short
    elif isinstance(node, ast.If) and loops:
        yield node.test, function, loops, short
        # what ends the function runs once, however many rounds there were
        within = None if isinstance(node.body[-1], ast.Return | ast.Raise) else replace(loops, sometimes=True)
        for child in node.body:
            yield child, function, within, short
        for child in node.orelse:
            yield child, function, replace(loops, sometimes=True), short
    elif isinstance(node, ast.While):
        yield node.test, function, loops, short
        for child in node.body:
            yield child, function, loops if _endless(node) else _growing(loops, node.lineno), short
    elif isinstance(node, _COMPREHENSIONS):
        first, *others = node.generators
        yield first.iter, function, loops, short
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        around = _within(loops, node, first.target, first.iter, short)
        for child in (*parts, *others, *first.ifs):
            yield child, function, around, short
    else:
        for child in ast.iter_child_nodes(node):
            yield child, function, loops, short


def _within(
    loops: _Loops | None, node: ast.stmt | ast.expr, target: ast.expr, iterated: ast.expr, short: _Short
) -> _Loops | None:
    """Return the loops around what a loop does; one that does not grow with the data changes nothing."""
    body = node.body if isinstance(node, ast.For | ast.AsyncFor) else []
    head = range(node.lineno - 1, (body[0].lineno if body else node.lineno) + 1)
    if is_short(iterated, short.names) or goes_through_files(iterated) or not short.lines.isdisjoint(head):
        return loops
    names = frozenset(each.id for each in every_node(target) if isinstance(each, ast.Name))
    if loops is None and _by_batches(names) and not _has_keys(node, names):
        return None
    constant = constant_of(iterated)
    row = target.id if isinstance(target, ast.Name) else ""
    if loops is None:
        return _Loops(names, node.lineno, (constant,) if constant else (), (row,))
    over = (*loops.over, constant) if constant and loops.over else ()
    return _Loops(loops.names | names, loops.line, over, (*loops.rows, row))


def _growing(loops: _Loops | None, line: int) -> _Loops:
    return replace(loops, over=(), rows=(*loops.rows, "")) if loops else _Loops(line=line, rows=("",))


def _picks_one(test: ast.expr, loops: frozenset[str]) -> bool:
    """Return whether a condition asks for one value of what the loop goes through: `if field == "queue"`."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name):
        return False
    fixed = isinstance(test.ops[0], ast.Eq) and isinstance(test.comparators[0], ast.Constant)
    return fixed and test.left.id in loops


def _of_row(call: ast.Call, loops: frozenset[str]) -> bool:
    """Return whether the rows that belong to the row of this round are asked for, one query a round."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _OF_ROWS:
        return False
    chain = chain_of(call.func.value)
    named = all(key.arg for key in call.keywords)
    return len(chain) > 1 and chain[0] in loops and named and not call.args and call.func.attr in _OF_ROWS


def _asks_of_row(call: ast.Call, loops: _Loops, short: _Short) -> bool:
    """Return the same, where no query of the function loaded along what is asked for."""
    if not _of_row(call, loops.names):
        return False
    owner = chain_of(call.func.value)[-1]  # type: ignore[attr-defined]
    return not (call.func.attr in _KEPT and owner in short.loaded)  # type: ignore[attr-defined]


def _saves_row(call: ast.Call, loops: _Loops) -> bool:
    """Return whether the row of every round is written by itself: `row.save()`."""
    if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name) or loops.sometimes:
        return False
    return call.func.attr == "save" and call.func.value.id in loops.names and not call.args


def _is_given(call: ast.Call, loops: frozenset[str]) -> bool:
    """Return whether a loop goes through the statements themselves: each has to be run."""
    first = call.args[0] if call.args else None
    first = first.body if isinstance(first, ast.IfExp) else first
    while isinstance(first, ast.Call):  # text(statement), statement.strip()
        first = first.func.value if isinstance(first.func, ast.Attribute) else next(iter(first.args), None)
    return isinstance(first, ast.Name) and first.id in loops and ast.unparse(call.func).endswith("execute")


def _by_batches(names: Set[str]) -> bool:
    """Return whether a loop goes over batches or statements: one query each is the right number."""
    return any(name.lower().startswith(_BATCHES) or name.lower().rstrip("s").endswith(_BATCHES) for name in names)


def _has_keys(loop: ast.AST, names: Set[str]) -> bool:
    """Return whether what a loop goes through are rows after all: the batches of a brewery, the pages of a site."""
    return any(
        isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and each.value.id in names
        and (each.attr in ("id", "pk") or each.attr.endswith("_id"))
        for each in every_node(loop)
    )


def _endless(loop: ast.While) -> bool:
    """Return whether a loop waits for something: one query a round is how polling works."""
    return isinstance(loop.test, ast.Constant)
