"""The families of bugs and holes that show in one file of Python, one after the other."""

import ast
from collections.abc import Iterator

from ..awaiting import forgotten
from ..facts import Risk
from .asserted import asserted
from .columns import columns
from .comparisons import comparisons
from .contradictions import contradictions
from .defaults import defaults
from .effects import effects
from .every_column import every_column
from .logged import logged
from .mistakes import mistakes
from .money import money
from .open_settings import open_settings
from .protections import protections
from .shared_connections import shared_connections
from .unread_options import unread_options
from .used_up import used_up
from .waiting import waiting

_FAMILIES = (
    *(protections, comparisons, mistakes, contradictions, defaults, columns, asserted, effects, forgotten),
    *(every_column, logged, money, open_settings, shared_connections, unread_options, used_up, waiting),
)


def python_risks(tree: ast.Module) -> Iterator[Risk]:
    """Yield the bugs and holes of a file."""
    for family in _FAMILIES:
        yield from family(tree)
