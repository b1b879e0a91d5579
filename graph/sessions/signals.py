"""Ctrl-C and SIGTERM end a turn at the next step border, so that nothing half-done is left."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from langgraph.runtime import RunControl

_HANDLED = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
"""The signals with the handlers of a program that has none of its own."""


@contextmanager
def draining(control: RunControl) -> Iterator[None]:
    """Let the first signal inside the block drain the run, and the second one stop the program at once.

    Only in the main thread, and only for signals the program does not handle itself.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = {number: usual for number, usual in _HANDLED.items() if signal.getsignal(number) == usual}

    def drain(number: int, _: FrameType | None) -> None:
        control.request_drain(signal.Signals(number).name)
        for each, usual in ours.items():
            signal.signal(each, usual)
        if sys.stderr.isatty():
            os.write(sys.stderr.fileno(), b"\nstopping after this step; once more stops at once\n")

    for number in ours:
        signal.signal(number, drain)
    try:
        yield
    finally:
        for number, usual in ours.items():
            if signal.getsignal(number) is drain:
                signal.signal(number, usual)
