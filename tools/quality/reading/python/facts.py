"""Python source to facts: imports, definitions, uses, routes; the definitions and uses are vulture's."""

import ast

from ....import_graph import read_imports
from ...facts.code import Imported
from ...facts.python import PythonFacts
from ...risks.families import python_risks
from ...risks.requests.doors import doors
from ...risks.requests.from_outside import from_outside
from ...risks.requests.owners import models, views
from ...risks.slips.awaiting import coroutines, standing_alone
from ...risks.slips.thrown_away import thrown_away
from ...syntax.names import whole
from ...syntax.walking import every_node
from ..command_lines.options import options_of
from ..command_lines.trees import command_trees
from ..queries.asking_properties import admin_columns, asking_properties
from ..queries.loops import loop_queries
from ..queries.relations import relations
from ..queries.row_walks import followed, giving
from ..queries.short_loops import short_names
from .answered_paths import answered_paths
from .caught import shadowed
from .clocks import clock_reads, clocks
from .constants import constants, tables
from .definitions import definitions, scanned, unreachable
from .documentation import contradicted, names_said
from .handled_before import handled_before, listed
from .kept import bases, wrapping
from .named_numbers import named_numbers
from .nesting import nested
from .optional_imports import optional_lines
from .replaced_names import replaced
from .skipped_tests import running_names
from .statement_shapes import shapes
from .states import states
from .switches import settings, switches
from .texts import documented_lines, paths, prefixes, routes, served, words
from .within import calls, inner, of_objects

_MOST_WORDS = 4_000


def python_facts(text: str, path: str, tree: ast.Module) -> PythonFacts:
    """Return the facts of a file that could be parsed."""
    seen = scanned(text, path)
    asked = loop_queries(tree, text)
    related = relations(tree)
    addresses = sorted(set(served(tree)))
    outside, handed, takes = from_outside(tree, text)
    handlers, loading, minding, whose = views(tree)
    return PythonFacts(
        imports=_imports(tree),
        defined=definitions(seen, tree),
        of_objects=of_objects(tree),
        used=sorted(whole(str(name)) for name in seen.used_names),
        words=sorted(set(words(tree)))[:_MOST_WORDS],
        prefixes=sorted(set(prefixes(tree))),
        routes=sorted(set(routes(tree, addresses))),
        served=addresses,
        paths=sorted(set(paths(tree))),
        answered=answered_paths(tree) if "test" in path else [],
        unreachable=sorted(unreachable(seen, text.split("\n"))),
        loop_queries=[*asked.in_loops, *admin_columns(tree), *followed(tree)],
        shadowed=shadowed(tree),
        handled=handled_before(tree),
        listed=listed(tree),
        wrapping=wrapping(tree),
        calls=calls(tree),
        querying=asked.querying,
        writing=asked.writing,
        bases={node.name: bases(node) for node in every_node(tree) if isinstance(node, ast.ClassDef)},
        inner=inner(tree),
        nested=nested(tree),
        called=asked.called,
        risks=sorted([*outside, *python_risks(tree)], key=lambda each: each.line),
        hands_on=handed,
        takes=takes,
        clocks=clocks(tree),
        clock_reads=clock_reads(tree),
        models=models(tree),
        views=handlers,
        doors=list(doors(tree)),
        loading=loading,
        minding=minding,
        whose=whose,
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
        thrown_away=thrown_away(tree),
        contradicted=list(contradicted(tree)),
        names_said=list(names_said(text)),
        running=running_names(tree) if "skip" in text else None,
        replaced=replaced(tree) if "test" in path else [],
        options={name: sorted(known) for name, known in options_of(tree).items()},
        commands=command_trees(tree),
        tables=tables(tree),
        numbers=_numbers(tree),
        named_numbers=named_numbers(tree),
    )


def _imports(tree: ast.Module) -> list[Imported]:
    optional = optional_lines(tree)
    return [
        Imported(
            each.module, each.name, each.level, each.line, each.late, each.typing, each.alias, each.line in optional
        )
        for each in read_imports(tree)
    ]


def _numbers(tree: ast.Module) -> list[str]:
    """Return the numbers of a module as Python writes them; `True` is none."""
    found = (each.value for each in every_node(tree) if isinstance(each, ast.Constant))
    return sorted({str(each) for each in found if type(each) in (int, float)})
