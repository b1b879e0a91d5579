"""The one door to other programs: no shell, no input, no inherited environment, limits on time and output."""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

BARE_ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
        "PAGER": "cat",
    }
)
"""What a program gets to see by default: nothing of the user's settings, keys and tokens."""

NOT_STARTED = 127
"""The exit code of a program that is missing or cannot be started, as in a shell."""

_CHUNK = 65536
_TICK_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a program ended and what it printed."""

    returncode: int
    """Negative: ended by that signal; 127: not started, with the reason in `stderr`."""
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    truncated: bool = False
    """The output reached the limit and the program was ended there."""

    @property
    def ok(self) -> bool:
        """Return whether the program ended by itself, with success."""
        return self.returncode == 0 and not self.timed_out and not self.truncated

    @property
    def text(self) -> str:
        """Return `stdout` as text; bytes that are no UTF-8 become U+FFFD."""
        return self.stdout.decode("utf-8", "replace")


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str] = BARE_ENVIRONMENT,
    timeout_s: float = 30.0,
    max_bytes: int = 10 * 2**20,
) -> Finished:
    """Run one program to its end, or to a limit, and return what it printed.

    A failing, slow, talkative or missing program is an answer, not an error. The program leads a process group of
    its own; whatever is left of the group is killed when the program ends or reaches a limit.

    Args:
        argv: The program and its arguments; no shell reads them.
        cwd: Folder to run in.
        env: The whole environment of the program.
        timeout_s: Seconds of wall time.
        max_bytes: Bytes of standard output and standard error together.
    """
    try:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in an argument
        return Finished(returncode=NOT_STARTED, stdout=b"", stderr=str(error).encode("utf-8", "replace"))
    try:
        collected = _collect(process, time.monotonic() + timeout_s, max_bytes)
    finally:
        _kill_group(process)
    return Finished(
        returncode=process.returncode,
        stdout=bytes(collected.stdout),
        stderr=bytes(collected.stderr),
        timed_out=collected.timed_out,
        truncated=collected.truncated,
    )


@dataclass(slots=True)
class _Collected:
    stdout: bytearray
    stderr: bytearray
    timed_out: bool = False
    truncated: bool = False


def _collect(process: subprocess.Popen[bytes], deadline: float, max_bytes: int) -> _Collected:
    """Read both streams until the program ends, or a limit is reached."""
    collected = _Collected(bytearray(), bytearray())
    room = max_bytes
    with selectors.DefaultSelector() as selector:
        for stream, buffer in ((process.stdout, collected.stdout), (process.stderr, collected.stderr)):
            assert stream is not None  # both are pipes
            selector.register(stream, selectors.EVENT_READ, buffer)
        while selector.get_map():
            ended = process.poll() is not None  # asked before the look at the pipes: what it wrote last is in them
            events = selector.select(min(_TICK_S, max(0.0, deadline - time.monotonic())))
            for key, _ in events:
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    selector.unregister(key.fileobj)
                    continue
                key.data.extend(chunk[:room])
                if len(chunk) > room:
                    collected.truncated = True
                    return collected
                room -= len(chunk)
            if time.monotonic() >= deadline:
                collected.timed_out = True
                return collected
            if not events and ended:  # a child of it still holds the pipes
                return collected
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        collected.timed_out = True
    return collected


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the program's group, and reap the program."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # all gone, or only zombies are left (macOS)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
