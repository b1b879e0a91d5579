"""Reading what a pipeline prints, and stopping it when it is enough."""

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from io import FileIO

_CHUNK = 1 << 16
_BLOCK = 1 << 20
_PLAIN = bytes([9, 10, 13, *range(32, 127), *range(128, 256)])
_GROWTH = 3
"""A control byte is shown as four characters, so it counts four times."""
_TICK_S = 1.0


class Budget:
    """Bytes that may still be collected, shared by commands that run at the same time."""

    def __init__(self, size: int) -> None:
        self.left = size
        self._lock = threading.Lock()

    def take(self, wanted: int) -> int:
        """Return how many of the wanted bytes are granted; fewer than wanted means: stop."""
        with self._lock:
            granted = min(wanted, self.left)
            self.left -= granted
            return granted


@dataclass(slots=True)
class Limits:
    """When a pipeline is stopped."""

    deadline: float
    """On the monotonic clock, in seconds."""
    budget: Budget
    cancelled: threading.Event
    wake: int
    """A descriptor that becomes readable when `cancelled` is set."""
    extend: Callable[[], float] | None = None
    """Asked once at the deadline for a later one."""
    heartbeat: Callable[[float, int], None] | None = None
    """Called about once a second with the seconds and bytes so far."""


@dataclass(slots=True)
class Printed:
    """What a pipeline printed and how it ended."""

    out: list[bytes | bytearray] = field(default_factory=list)
    err: list[bytes | bytearray] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    """Exit codes by stage; negative: ended by that signal."""
    seconds: float = 0.0
    timed_out: bool = False
    truncated: bool = False
    cancelled: bool = False
    lost: bool = False
    """The broker went away before it said how every stage ended."""


def _append(blocks: list[bytes | bytearray], data: bytes) -> None:
    """Put data into blocks that are large enough to be given back to the system one by one."""
    if not blocks or len(blocks[-1]) >= _BLOCK:
        blocks.append(bytearray())
    blocks[-1] += data  # a bytearray grows in place


class Collector:
    """One run: reads both streams and the job's socket until the job is over."""

    def __init__(
        self,
        control: socket.socket,
        out: FileIO,
        err: FileIO,
        into: FileIO | None,
        feed: bytes,
        limits: Limits,
        stages: int,
    ) -> None:
        self.control, self.out, self.into, self.feed, self.limits = control, out, into, memoryview(feed), limits
        self.readers = {out.fileno(): out, err.fileno(): err}
        self.printed = Printed(codes=[0] * stages)
        self.unreported = stages
        self.poll = select.poll()
        for handle in (*self.readers, control.fileno(), limits.wake):
            self.poll.register(handle, select.POLLIN)
        if into is not None:
            os.set_blocking(into.fileno(), False)
            self.poll.register(into.fileno(), select.POLLOUT)
        self.begun = time.monotonic()
        self.size = 0
        self.next_beat = self.begun + _TICK_S
        self.stopped = False

    def collect(self) -> Printed:
        """Return when the broker says that every program has been reaped."""
        control = self.control.fileno()
        open_ = {*self.readers, control}
        while control in open_ or (open_ and not self.stopped):
            for handle, _ in self.poll.poll(self._patience() * 1000):
                if handle == self.limits.wake:
                    self.printed.cancelled = True
                    self._stop()
                elif handle in open_:
                    more = self._statuses() if handle == control else self._read(self.readers[handle])
                    if not more:
                        open_.discard(handle)
                        self.poll.unregister(handle)
                elif self.into is not None:
                    self._write(self.into)
            self._look_at_the_clock()
        self.printed.seconds = time.monotonic() - self.begun
        self.printed.lost = self.unreported > 0
        return self.printed

    def _patience(self) -> float:
        due = min(self.limits.deadline, self.next_beat if self.limits.heartbeat else self.limits.deadline)
        return _TICK_S if self.stopped else max(0.0, due - time.monotonic()) + 0.001

    def _read(self, reader: FileIO) -> bool:
        data = os.read(reader.fileno(), _CHUNK)
        if self.stopped:
            return bool(data)
        shown = len(data) + _GROWTH * len(data.translate(None, _PLAIN))
        granted = self.limits.budget.take(shown)
        if granted:
            _append(self.printed.out if reader is self.out else self.printed.err, data[:granted])
            self.size += min(granted, len(data))
        if granted < shown:
            self.printed.truncated = True
            self._stop()
        return bool(data)

    def _statuses(self) -> bool:
        try:
            data = self.control.recv(3 * 64)
            while data and len(data) % 3:
                data += self.control.recv(3 - len(data) % 3)
        except ConnectionResetError:
            data = b""
        for place, low, high in zip(data[::3], data[1::3], data[2::3], strict=True):
            code = low | high << 8
            self.unreported -= 1
            self.printed.codes[place] = code - 0x10000 if code & 0x8000 else code
        return bool(data)

    def _write(self, into: FileIO) -> None:
        try:
            written = os.write(into.fileno(), self.feed[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:  # the reader has had enough
            written = len(self.feed)
        self.feed = self.feed[written:]
        if not self.feed:
            self.poll.unregister(into.fileno())
            into.close()
            self.into = None

    def _look_at_the_clock(self) -> None:
        now = time.monotonic()
        if self.limits.heartbeat and now >= self.next_beat:
            self.next_beat = now + _TICK_S
            self.limits.heartbeat(now - self.begun, self.size)
        if now < self.limits.deadline or self.stopped:
            return
        if self.limits.extend is not None:
            self.limits.deadline, self.limits.extend = self.limits.extend(), None
        if now >= self.limits.deadline:
            self.printed.timed_out = True
            self._stop()

    def _stop(self) -> None:
        self.stopped = True
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)  # the broker kills, reaps, and closes its end
        with contextlib.suppress(KeyError):
            self.poll.unregister(self.limits.wake)
