"""The audit log: every command with its verdict, one JSON line each, appended and never changed."""

import errno
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ...state.errors import StoreError
from ..clock import Clock
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


def path_in(home: Path) -> Path:
    """Return where the log stands in the folder everything of ours is kept in."""
    return home / "audit.jsonl"


class AuditLog:
    """A file that is only ever appended to, one write per command, readable by its owner alone."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path, self._clock = path, clock

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


def _entry(line: str) -> Entry | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    names = Entry.__dataclass_fields__
    if not isinstance(data, Mapping) or not names.keys() <= data.keys():
        return None
    return Entry(**{name: data[name] for name in names})
