"""One writer per session: two processes on one thread lose writes without any error (133 of 240 survived)."""

import getpass
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from ...state.errors import SessionBusy, StoreBusy
from ...tools.clock import Clock
from ...tools.files import locked, make_folder, remove, write_atomic


@contextmanager
def writer_lock(folder: Path, thread_id: str, name: str, clock: Clock) -> Iterator[str]:
    """Hold a session for writing and give a sentence about a writer that died, or ``""``.

    The kernel frees the lock when its holder ends, however it ends: a lock is never stale, only the note beside it
    that says who holds it. Readers need no lock.

    Raises:
        SessionBusy: Another process is writing this session: says which, by whom and since when.
        StoreError: The lock file cannot be made.
    """
    make_folder(folder)
    holder_file = folder / f"{thread_id}.holder"
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(folder / f"{thread_id}.lock", timeout_s=_LOOK_S))
        except StoreBusy:
            raise SessionBusy(f"session {name!r} is being written by {_holder(holder_file)}: {_BUSY}") from None
        left_over = _left_over(holder_file)
        who = {"pid": os.getpid(), "host": socket.gethostname(), "user": _user(), "since": clock.now().isoformat()}
        write_atomic(holder_file, json.dumps({**who, "command": Path(sys.argv[0]).name}).encode(), mode=0o600)
        stack.callback(remove, holder_file)
        yield left_over


@contextmanager
def if_unused(folder: Path, thread_id: str) -> Iterator[bool]:
    """Say whether nobody is writing a session, and let nobody begin to for the block, which is to be short."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(make_folder(folder) / f"{thread_id}.lock", timeout_s=0))
        except StoreBusy:
            yield False
            return
        yield True


def dead_writer(folder: Path, thread_id: str) -> str:
    """Return a sentence about a writer that died holding a session, or ``""``; nothing is changed."""
    holder_file = folder / f"{thread_id}.holder"
    if not holder_file.exists():
        return ""
    with if_unused(folder, thread_id) as unused:
        return _left_over(holder_file) if unused else ""


def clear_dead_writer(folder: Path, thread_id: str) -> None:
    """Forget a writer that died; one that lives is left alone.

    Raises:
        StoreBusy: The writer lives.
    """
    with locked(folder / f"{thread_id}.lock", timeout_s=0):
        remove(folder / f"{thread_id}.holder")


_LOOK_S = 0.5
"""How long a writer waits: others may hold a session for a moment, only to see that nobody writes it."""
_BUSY = "wait for it to finish, or work in a fork (`maintainer fork`)"


def _left_over(holder_file: Path) -> str:
    """Return a sentence about a holder that died without cleaning up."""
    return f"the last writer ({_holder(holder_file)}) ended without finishing" if holder_file.exists() else ""


def _holder(holder_file: Path) -> str:
    """Return who holds the lock and since when, as far as the note beside it can be read."""
    try:
        who = json.loads(holder_file.read_text("utf-8"))
        since = datetime.fromisoformat(who["since"]).astimezone()
        return f"process {who['pid']} of {who['user']} on {who['host']} since {since:%Y-%m-%d %H:%M:%S}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _user() -> str:
    """Return the name of the user, or the number where the system knows no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"
