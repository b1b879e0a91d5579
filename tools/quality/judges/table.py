"""Every judge by its name, in the order in which they are asked."""

from collections.abc import Mapping
from types import MappingProxyType

from ..known.project import Judge
from .bugs.blocking import blocking
from .bugs.doors import doors
from .bugs.owners import owners
from .bugs.promises import promises
from .bugs.queries import queries_in_loops
from .bugs.risks import risks
from .bugs.secrets import secrets
from .dead.branches import dead_branches
from .dead.code import dead_code
from .dead.constants import dead_constants
from .dead.elsewhere import dead_elsewhere
from .dead.left_behind import left_behind
from .dead.modules import dead_modules
from .dead.pages import dead_pages
from .dead.parts import dead_parts
from .dead.settings import dead_settings
from .dead.statements import dead_statements
from .dead.states import dead_states
from .dependencies.ended import ended
from .dependencies.holes import holes
from .dependencies.node import node_dependencies
from .dependencies.outdated import outdated
from .dependencies.python import dependencies
from .design.circles import import_cycles
from .design.clocks import clocks
from .design.complexity import complexity
from .design.duplicates import duplicates
from .design.history import bus_factor, hot_spots
from .design.layering import layering
from .design.passed_over import passed_over
from .design.stated_layering import stated_layering
from .design.todos import todos
from .documents.stale import stale_docs
from .lint.lint import lint, syntax_errors
from .untested.missing_tests import missing_tests

JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "secrets": secrets,
        "lint": lint,
        "risks": risks,
        "owners": owners,
        "blocking": blocking,
        "doors": doors,
        "promises": promises,
        "clocks": clocks,
        "syntax errors": syntax_errors,
        "complexity": complexity,
        "duplicates": duplicates,
        "queries in loops": queries_in_loops,
        "import cycles": import_cycles,
        "layering": layering,
        "stated layering": stated_layering,
        "passed over": passed_over,
        "missing tests": missing_tests,
        "dead code": dead_code,
        "dead statements": dead_statements,
        "dead constants": dead_constants,
        "dead branches": dead_branches,
        "dead states": dead_states,
        "dead settings": dead_settings,
        "dead modules": dead_modules,
        "dead pages": dead_pages,
        "dead parts": dead_parts,
        "left behind": left_behind,
        "dead code elsewhere": dead_elsewhere,
        "dependencies": dependencies,
        "dependencies of scripts": node_dependencies,
        "outdated dependencies": outdated,
        "ended versions": ended,
        "known holes": holes,
        "stale documents": stale_docs,
        "hot spots": hot_spots,
        "bus factor": bus_factor,
        "todos": todos,
    }
)
"""Name to judge: a new kind of problem is one module and one line here."""
