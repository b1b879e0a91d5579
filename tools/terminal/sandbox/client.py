"""The agent's end of the broker: hand over a checked pipeline, collect what it prints, stop it when it is enough."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from io import FileIO
from pathlib import Path

from ....state.errors import StoreError
from .collect import Collector, Limits, Printed
from .job import Job

_PACKAGE = Path(__file__).parent.parent
_START = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.broker import main; main(int(sys.argv[2]))"


class Broker:
    """Starts the broker process when it is needed and again after it went away."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._finalizer: Callable[[], object] | None = None

    def close(self) -> None:
        """End the broker process; a later command starts a new one."""
        with self._lock:
            self._drop()

    def run(self, job: Job, limits: Limits, feed: bytes | None = None) -> Printed:
        """Run a pipeline to its end, or to the first of its limits.

        Args:
            job: The pipeline.
            limits: When to stop it.
            feed: Bytes for the first stage's standard input; None for nothing.

        Raises:
            StoreError: The broker process cannot be started, or went away with the command under way.
        """
        for _ in range(2):
            printed = self._run_once(job, limits, feed)
            if not printed.lost:
                return printed
            with self._lock:
                self._drop()
            if printed.out or printed.err or not job["limits"]:
                break  # it had begun; only what merely reads, and said nothing yet, is begun again
        raise StoreError("the process that runs commands went away; try again, and look for a shortage of memory")

    def _run_once(self, job: Job, limits: Limits, feed: bytes | None) -> Printed:
        with contextlib.ExitStack() as ours:
            control, theirs = (ours.enter_context(end) for end in socket.socketpair())
            out, out_write = _pipe(ours)
            err, err_write = _pipe(ours)
            given: list[FileIO | socket.socket] = [theirs, out_write, err_write]
            into = None
            if feed is not None:
                feed_read, into = _pipe(ours)
                given.append(feed_read)
            self._send([end.fileno() for end in given])
            for end in given:
                end.close()
            text = json.dumps(job).encode()
            with contextlib.suppress(OSError):  # the broker went away: the collector sees it
                control.sendall(len(text).to_bytes(8, "little") + text)
            return Collector(control, out, err, into, feed or b"", limits, len(job["stages"])).collect()

    def _send(self, handles: Sequence[int]) -> None:
        with self._lock:
            for _ in range(2):
                try:
                    if self._socket is None:
                        self._start()
                    assert self._socket is not None
                    socket.send_fds(self._socket, [b"j"], list(handles))
                    return
                except OSError:
                    self._drop()  # it went away: idle, or killed
        raise StoreError("the process that starts commands cannot be started: is Python allowed to start a program?")

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", "-c", _START, str(_PACKAGE), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
                cwd="/",
                start_new_session=True,
            )
        self._socket = ours
        self._finalizer = weakref.finalize(self, _end, ours, self._process)

    def _drop(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._socket = self._finalizer = None


def _end(agent: socket.socket, process: "subprocess.Popen[bytes]") -> None:
    agent.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _pipe(stack: contextlib.ExitStack) -> tuple[FileIO, FileIO]:
    read, write = os.pipe()
    return stack.enter_context(FileIO(read, "rb")), stack.enter_context(FileIO(write, "wb"))
