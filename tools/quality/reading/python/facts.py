"""Python source to facts: imports, definitions, uses, routes; the definitions and uses are vulture's."""

import ast
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from ....import_graph import read_imports
from ...facts.code import Defined, Imported
from ...facts.python import PythonFacts
from ...risks.families import python_risks
from ...risks.requests.doors import doors
from ...risks.requests.from_outside import from_outside
from ...risks.requests.owners import models, views
from ...risks.slips.awaiting import coroutines, standing_alone
from ...syntax.walking import every_node
from ..queries.asking_properties import admin_columns, asking_properties
from ..queries.loops import loop_queries
from ..queries.relations import relations
from ..queries.row_walks import followed, giving
from ..queries.short_loops import short_names
from .answered_paths import answered_paths
from .caught import shadowed
from .clocks import clock_reads, clocks
from .command_options import options_of
from .constants import constants
from .documentation import contradicted, names_said
from .kept import bases, decorators, why_kept, wrapping
from .nesting import nested
from .optional_imports import optional_lines
from .skipped_tests import running_names
from .statement_shapes import shapes
from .states import states
from .switches import settings, switches
from .texts import documented_lines, paths, prefixes, routes, served, words

if TYPE_CHECKING:
    from vulture.core import Item, Vulture

_MOST_WORDS = 4_000


def python_facts(text: str, path: str, tree: ast.Module) -> PythonFacts:
    """Return the facts of a file that could be parsed."""
    vulture = _scanned(text, path)
    queries, querying, called = loop_queries(tree, text)
    related = relations(tree)
    addresses = sorted(set(served(tree)))
    outside, handed, takes = from_outside(tree, text)
    optional = optional_lines(tree)
    seen, loading, minding = views(tree)
    return PythonFacts(
        imports=[
            Imported(
                each.module,
                each.name,
                each.level,
                each.line,
                each.late,
                each.typing,
                each.alias,
                each.line in optional,
            )
            for each in read_imports(tree)
        ],
        defined=_definitions(vulture, tree),
        used=sorted(str(name) for name in vulture.used_names),
        words=sorted(set(words(tree)))[:_MOST_WORDS],
        prefixes=sorted(set(prefixes(tree))),
        routes=sorted(set(routes(tree, addresses))),
        served=addresses,
        paths=sorted(set(paths(tree))),
        answered=answered_paths(tree) if "test" in path else [],
        unreachable=sorted(_unreachable(vulture, text.split("\n"))),
        loop_queries=[*queries, *admin_columns(tree), *followed(tree)],
        shadowed=shadowed(tree),
        wrapping=wrapping(tree),
        calls=_calls(tree),
        querying=querying,
        bases={node.name: bases(node) for node in every_node(tree) if isinstance(node, ast.ClassDef)},
        inner=_inner(tree),
        nested=nested(tree),
        called=called,
        risks=sorted([*outside, *python_risks(tree)], key=lambda each: each.line),
        hands_on=handed,
        takes=takes,
        clocks=clocks(tree),
        clock_reads=clock_reads(tree),
        models=models(tree),
        views=seen,
        doors=list(doors(tree)),
        loading=loading,
        minding=minding,
        constants=constants(tree),
        settings=settings(tree),
        states=states(tree),
        switches=switches(tree, documented_lines(tree)),
        relations=sorted(related.found),
        loaded_along=sorted(related.along),
        loaded_here=sorted(related.loaded),
        reaching=related.reaching,
        asking=asking_properties(tree),
        giving_rows=giving(tree),
        short=short_names(tree),
        shapes=shapes(tree),
        coroutines=coroutines(tree),
        alone=standing_alone(tree),
        contradicted=list(contradicted(tree)),
        names_said=list(names_said(text)),
        running=running_names(tree) if "skip" in text else None,
        options={name: sorted(known) for name, known in options_of(tree).items()},
        numbers=sorted({str(each) for each in _constants(tree) if type(each) in (int, float)}),
    )


def _constants(tree: ast.Module) -> Iterator[object]:
    return (each.value for each in every_node(tree) if isinstance(each, ast.Constant))


def _scanned(text: str, path: str) -> "Vulture":
    from vulture.core import Vulture

    vulture = Vulture()
    vulture.scan(text, path)
    return vulture


def _unreachable(vulture: "Vulture", lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield first and last line of code that never runs; a lone `yield` is there to make its function a generator."""
    for item in vulture.unreachable_code:
        if item.first_lineno != item.last_lineno or not lines[item.first_lineno - 1].strip().startswith("yield"):
            yield item.first_lineno, item.last_lineno


def _definitions(vulture: "Vulture", tree: ast.Module) -> list[Defined]:
    """Return functions, classes, methods and properties in the order of lines, with why some are kept."""
    nodes = {node.lineno: (node, owner) for node, owner in _defs(tree, None)}
    nodes |= {node.decorator_list[0].lineno: (node, owner) for node, owner in _defs(tree, None) if node.decorator_list}
    exported = _exported(tree)
    found = []
    items: list[tuple[str, list[Item]]] = [
        ("function", vulture.defined_funcs),
        ("class", vulture.defined_classes),
        ("method", vulture.defined_methods),
        ("property", vulture.defined_props),
    ]
    for what, group in items:
        for item in group:
            node, owner = nodes.get(item.first_lineno, (None, None))
            if node is None or node.name != item.name:
                continue
            kept = "exported" if item.name in exported and owner is None else why_kept(node, owner, what)
            by = decorators(node) if kept in ("decorated", "of templates") else []
            name = owner.name if owner is not None else ""
            found.append(Defined(item.name, what, item.first_lineno, item.last_lineno, name, kept, by))
    return sorted(found, key=lambda each: (each.line, each.name))


_Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _defs(node: ast.AST, owner: "_Node | None") -> Iterator[tuple["_Node", "_Node | None"]]:
    """Yield every definition with the definition around it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child, owner
            yield from _defs(child, child)
        else:
            yield from _defs(child, owner)


def _exported(tree: ast.Module) -> set[str]:
    """Return the strings of `__all__`."""
    return {
        element.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign)
        and "__all__" in ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        for element in every_node(node)
        if isinstance(element, ast.Constant) and isinstance(element.value, str)
    }


def _calls(tree: ast.Module) -> dict[str, list[str]]:
    """Return, by function, the functions of the file that it names."""
    functions = [node for node in every_node(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    ours = {node.name for node in functions}
    found: dict[str, set[str]] = {}
    for node in functions:
        named = {each.id for each in every_node(node) if isinstance(each, ast.Name)}
        named |= {each.attr for each in every_node(node) if isinstance(each, ast.Attribute)}
        found.setdefault(node.name, set()).update(named & ours - {node.name})
    return {name: sorted(names) for name, names in sorted(found.items()) if names}


def _inner(tree: ast.Module) -> dict[str, list[str]]:
    """Return, by outermost definition, which outermost definitions it names; `""` for the code outside of them."""
    outer = [(node, owner) for node, owner in _defs(tree, None) if owner is None]
    ours = {node.name for node, _ in outer}
    inside = {id(node) for node, _ in outer}
    found: dict[str, set[str]] = {}
    for node, _ in outer:
        found.setdefault(node.name, set()).update(_names_in(node, frozenset()) & ours)
    found[""] = _names_in(tree, inside) & ours
    return {name: sorted(names) for name, names in sorted(found.items()) if names}


def _names_in(node: ast.AST, without: Set[int]) -> set[str]:
    """Return the names and attributes used below a node, passing over the nodes with the given ids."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.Attribute):
            found.add(each.attr)
        waiting += [child for child in ast.iter_child_nodes(each) if id(child) not in without]
    return found
