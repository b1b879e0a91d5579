"""The families of bugs and holes that show in one file of Python, one after the other."""

import ast
from collections.abc import Iterator

from ..facts.code import Risk
from .protections.asserted import asserted
from .protections.certificates import certificates
from .protections.comparisons import comparisons
from .protections.every_column import every_column
from .protections.logged import logged
from .protections.open_settings import open_settings
from .protections.switched_off import protections
from .requests.hooks import hooks
from .slips.awaiting import forgotten
from .slips.columns import columns
from .slips.contradictions import contradictions
from .slips.defaults import defaults
from .slips.effects import effects
from .slips.empties import empties
from .slips.leap_days import leap_days
from .slips.mistakes import mistakes
from .slips.money import money
from .slips.shared_connections import shared_connections
from .slips.unread_options import unread_options
from .slips.used_up import used_up
from .slips.waiting import waiting

_FAMILIES = (
    *(
        protections,
        certificates,
        comparisons,
        mistakes,
        contradictions,
        defaults,
        columns,
        asserted,
        effects,
        forgotten,
    ),
    *(empties, hooks, leap_days),
    *(every_column, logged, money, open_settings, shared_connections, unread_options, used_up, waiting),
)


def python_risks(tree: ast.Module) -> Iterator[Risk]:
    """Yield the bugs and holes of a file."""
    for family in _FAMILIES:
        yield from family(tree)
