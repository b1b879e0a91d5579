"""Work that goes on beside the answers: one thread, asked again and again, closed cleanly."""

from collections.abc import Callable
from threading import Event, Lock, Thread

from ...state.errors import MaintainerError


class Background:
    """Runs a piece of work in its own thread each time it is asked to; requests that come meanwhile become one.

    Args:
        work: Called with a function that tells whether to stop early; what it raises is kept in `failure`.
        name: Of the thread.
    """

    def __init__(self, work: Callable[[Callable[[], bool]], None], name: str) -> None:
        self.failure = ""
        """Why the last run ended early; empty when it did not."""
        self._work, self._name = work, name
        self._lock = Lock()
        self._wanted, self._closed, self._idle = Event(), Event(), Event()
        self._idle.set()
        self._thread: Thread | None = None

    def ask(self) -> None:
        """Ask for one more run; returns at once."""
        with self._lock:
            if self._closed.is_set():
                return
            self._idle.clear()
            self._wanted.set()
            if self._thread is None:
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until everything asked for is done and return whether it is."""
        return self._idle.wait(timeout_s)

    def close(self) -> None:
        """Let the running work stop early and wait for it."""
        with self._lock:
            self._closed.set()
            self._wanted.set()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            if self._closed.is_set():
                self._idle.set()
                return
            self._wanted.clear()
            try:
                self._work(self._closed.is_set)
                self.failure = ""
            except MaintainerError as error:
                self.failure = str(error)
            except Exception as error:  # noqa: BLE001 - kept for the next answer; the thread must live on
                self.failure = f"{type(error).__name__}: {error}"
            with self._lock:
                if not self._wanted.is_set():
                    self._idle.set()
