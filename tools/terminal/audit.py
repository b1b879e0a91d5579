"""The audit log: every command with its verdict, one JSON line each, appended, and blanked with its session only."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ...state.errors import StoreError
from ..clock import Clock
from ..files import explained
from ..secrets import mask
from .answer import APPROVED
from .result import CommandResult

LONGEST = 2000
"""Characters of a command or reason that are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One command, as the log has it; secrets are masked."""

    at: str
    """When it ended, ISO 8601, UTC."""
    command: str
    verdict: str
    """`"ran"`, `"approved"`, `"refused"`, `"timed out"`, `"cut"` or `"cancelled"`."""
    reason: str
    exit_code: int
    seconds: float
    size: int
    """Bytes printed."""
    cwd: str
    confinement: str
    session: str = ""
    """Whose terminal it was; a sub-agent's name stands below its session's, `SESSION/TURN.CALL`."""


def path_in(home: Path) -> Path:
    """Return where the log stands in the folder everything of ours is kept in."""
    return home / "audit.jsonl"


class AuditLog:
    """A file that is appended to, one write per command, readable by its owner alone.

    Args:
        path: The file.
        clock: Dates the entries.
        session: Whose commands they are.
    """

    def __init__(self, path: Path, clock: Clock, session: str = "") -> None:
        self.path, self._clock, self._session = path, clock, session

    def append(self, result: CommandResult) -> None:
        """Write down one command.

        Raises:
            StoreError: The log cannot be written; the command's result is still the caller's.
        """
        entry = Entry(
            at=self._clock.now().isoformat(timespec="milliseconds"),
            command=mask(result.command[:LONGEST]),
            verdict=verdict(result),
            reason=mask(result.reason[:LONGEST]),
            exit_code=result.exit_code,
            seconds=round(result.seconds, 4),
            size=result.size,
            cwd=result.cwd,
            confinement=result.confinement,
            session=self._session,
        )
        line = json.dumps(asdict(entry), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                if os.fstat(handle).st_size and os.lseek(handle, -1, os.SEEK_END) and os.read(handle, 1) != b"\n":
                    line = b"\n" + line  # a line torn by a crash must not swallow this one
                if os.write(handle, line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            finally:
                os.close(handle)
        except OSError as error:
            raise StoreError(
                f"the audit log {self.path} cannot be written: {error.strerror}; free space or move it"
            ) from error


def verdict(result: CommandResult) -> str:
    """Return in one or two words what became of a command."""
    if result.refused:
        return "refused"
    if result.timed_out:
        return "timed out"
    if result.cancelled:
        return "cancelled"
    if result.truncated:
        return "cut"
    return "approved" if result.confinement == APPROVED else "ran"


def read(path: Path) -> Iterator[Entry]:
    """Yield the entries of a log, oldest first; a line torn by a crash or unknown to this version is passed over.

    Raises:
        StoreError: The log exists and cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                entry = _entry(line)
                if entry is not None:
                    yield entry
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"the audit log {path} cannot be read: {error.strerror}") from error


def blank(path: Path, mine: Callable[[str], bool]) -> None:
    """Overwrite the entries of the sessions `mine` names; no other line moves, so others may append meanwhile.

    Raises:
        StoreError: The log cannot be read or written; done again, it goes on.
    """
    if not path.exists():
        return
    with explained("write", path), path.open("r+b") as file:
        offset = 0
        for line in file.read().splitlines(keepends=True):
            entry = _entry(line.decode("utf-8", "replace"))
            if entry is not None and mine(entry.session):
                file.seek(offset)
                file.write(b"{}".ljust(len(line) - 1) + b"\n")
            offset += len(line)
        file.flush()
        os.fsync(file.fileno())


def _entry(line: str) -> Entry | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    known = {name: data[name] for name in Entry.__dataclass_fields__ if name in data} if isinstance(data, dict) else {}
    try:
        return Entry(**known)
    except TypeError:  # a field is missing
        return None
