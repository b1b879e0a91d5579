"""Who hears how far a long piece of work has come: whoever runs it says so once, and nobody hands it through."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[str, int, int], None]
"""Is told what is being done, how much of it, and of how much."""

_LISTENER: ContextVar[Progress | None] = ContextVar("progress", default=None)


@contextmanager
def heard_by(listener: Progress) -> Iterator[None]:
    """Tell a listener about all work inside the block, in this thread; what is told elsewhere stays apart."""
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def tell(what: str, done: int, total: int) -> None:
    """Tell the listener, where there is one."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(what, done, total)
