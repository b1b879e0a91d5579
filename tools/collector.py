"""Python's collector of circular garbage, kept from walking over what stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 10_000
"""New things that are worth a word to the collector."""


@contextmanager
def collector_resting() -> Iterator[None]:
    """Make many small things that all stay: the collector would walk over them again and again for nothing, a quarter
    of the time at 50,000 notes. At the end all are declared old, as they would be after two walks.
    """
    at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        # a few things more are the collector's daily work; and a program may have frozen things of its own
        if gc.get_count()[0] > MANY and not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        if at_work:
            gc.enable()
