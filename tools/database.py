"""The one way to open a SQLite file of ours: safe under kill -9, several processes, threads."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection
from threading import local
from types import MappingProxyType
from typing import TypeVar

from ..state.errors import StoreDamaged, StoreError
from .files import locked, remove

__all__ = [
    "BUSY_TIMEOUT_S",
    "REMEDIES",
    "Connection",
    "damage_in",
    "explained",
    "is_held",
    "open_database",
    "opened_anew",
    "opening",
    "reading",
    "remove_database",
    "shrink",
    "writing",
]

T = TypeVar("T")

BUSY_TIMEOUT_S = 30.0
"""How long one process waits for another's write."""

_BUSY_PAUSE_S = 0.005

_opening = local()
"""`paths`: the files this thread is opening or removing."""

_LOG_BYTES = 2_000_000
"""What the log beside a file is cut back to: one large write would leave it large for as long as the file is open."""

REMEDIES: Mapping[int, str] = MappingProxyType(
    {
        sqlite3.SQLITE_FULL: "the disk is full: free some space and try again; nothing of this step was stored",
        sqlite3.SQLITE_READONLY: "it is read-only: check who owns it and its folder",
        sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check who owns it and its folder",
        sqlite3.SQLITE_BUSY: f"another process has been writing for {BUSY_TIMEOUT_S:g} s: wait for it and try again",
        sqlite3.SQLITE_CORRUPT: "it is damaged: `maintainer doctor --repair` sets it aside",
        sqlite3.SQLITE_NOTADB: "it is damaged, or no database of ours: `maintainer doctor --repair` sets it aside",
        sqlite3.SQLITE_IOERR: "the disk failed, or allows no file so large: check it and try again",
        sqlite3.SQLITE_PERM: "no permission: check who owns it",
    }
)
"""What to do about an error of SQLite, by its code."""


def open_database(path: Path | None, schema: str, *, version: int) -> Connection:
    """Open or make the database at `path` (None: in memory) and return a connection in autocommit mode.

    `schema` is run when the file is new; `version` is kept in the file and compared when it is opened again. The
    connection may be used by several threads one at a time. WAL with synchronous NORMAL: a killed process loses
    nothing that was committed, a power cut at most the last commits.

    Raises:
        StoreDamaged: The file is damaged or has another version.
        StoreError: It cannot be opened or written.
    """
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_opened(path, error) from error
    with opening(path):
        return _opened(path, schema, version)


@contextmanager
def opening(path: Path | None) -> Iterator[None]:
    """Keep other processes and threads from opening, making and removing a database for the block. May be nested.

    A file that were removed while another process makes it anew would take that one's log with it.

    Raises:
        StoreError: The lock beside the file cannot be made, or somebody else has held it for long.
    """
    held: set[Path] = _opening.__dict__.setdefault("paths", set())
    if path is None or path in held:
        yield
        return
    with locked(path.with_name(f".{path.name}.lock"), timeout_s=BUSY_TIMEOUT_S):
        held.add(path)
        try:
            yield
        finally:
            held.discard(path)


def opened_anew(open_it: Callable[[], T], path: Path | None) -> tuple[T, StoreDamaged | None]:
    """Return what `open_it` opens at `path`, and what was wrong where the file had to be removed and made anew.

    For what can be made again from other files. A file that is merely busy, full or read-only is left alone: another
    process works with it.

    Raises:
        StoreError: It cannot be opened or written.
    """
    try:
        return open_it(), None
    except StoreDamaged:
        if path is None:
            raise
    with opening(path):
        try:
            return open_it(), None  # another process has made it anew meanwhile
        except StoreDamaged as error:
            remove_database(path)
            return open_it(), error


def remove_database(path: Path) -> None:
    """Remove a database and the logs beside it; who has it open goes on with what nobody else sees any more.

    Raises:
        StoreError: One cannot be removed.
    """
    with opening(path):
        for suffix in ("", "-wal", "-shm"):
            remove(path.with_name(path.name + suffix))


def _opened(path: Path | None, schema: str, version: int) -> Connection:
    try:
        connection = sqlite3.connect(
            path or ":memory:", timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise _not_opened(path, error) from error
    try:
        with explained(connection):
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(f"PRAGMA journal_size_limit={_LOG_BYTES}")
        with writing(connection):
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found == 0:
                for statement in schema.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version={version:d}")
            elif found != version:
                raise StoreDamaged(
                    f"{path} has version {found}, but this program writes {version}; move it away to start afresh"
                )
    except StoreError:
        connection.close()
        raise
    return connection


def _write_ahead(connection: Connection) -> None:
    """Change a new file to a log beside it: SQLite refuses that at once, without waiting, while anybody reads it."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_BUSY_PAUSE_S)


def _not_opened(path: Path | None, error: Exception) -> StoreError:
    return StoreError(f"cannot open {path}: {error}; check that its folder exists and may be written")


def is_held(path: Path) -> bool:
    """Return whether another process is writing a SQLite file, of ours or not, for longer than a second."""
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(path, timeout=1.0, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
    return False


@contextmanager
def explained(connection: Connection) -> Iterator[None]:
    """Turn what SQLite raises in the block into errors of ours that say which file, and what to do.

    Raises:
        StoreError: It is busy, full or read-only: what is stored is sound.
        StoreDamaged: It is damaged.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        sound = isinstance(error, sqlite3.OperationalError | sqlite3.ProgrammingError)  # the latter: closed meanwhile
        kind = StoreError if sound else StoreDamaged
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind
        raise kind(f"cannot use {_file_of(connection)}: {REMEDIES.get(code, str(error))}") from error


def _file_of(connection: Connection) -> str:
    with suppress(sqlite3.Error):
        return str(connection.execute("PRAGMA database_list").fetchone()[2] or "the database in memory")
    return "the database"


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """Run the block as one transaction that writes: all of it or, on any error, nothing. May be nested.

    Raises:
        StoreError: SQLite refused: busy, full, read-only, or (`StoreDamaged`) broken.
    """
    with explained(connection):
        if connection.in_transaction:
            yield
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            _undo(connection)
            raise


@contextmanager
def reading(connection: Connection) -> Iterator[None]:
    """Run the block on one state of the database, whatever others write meanwhile. May be nested.

    Raises:
        StoreError: As for `writing`.
    """
    with explained(connection):
        if connection.in_transaction:
            yield
            return
        connection.execute("BEGIN")
        try:
            yield
        finally:
            _undo(connection)  # nothing was written


def damage_in(path: Path) -> str:
    """Return what is wrong inside a database file, or `""`; one that is only busy or may not be read is not damaged."""
    existing = f"{path.absolute().as_uri()}?mode=rw"  # one that is gone meanwhile is not to be made
    try:
        with closing(sqlite3.connect(existing, uri=True, timeout=BUSY_TIMEOUT_S)) as connection, explained(connection):
            found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        return "" if found == "ok" else found
    except StoreDamaged as error:
        return str(error)
    except (StoreError, sqlite3.Error):
        return ""


def shrink(connection: Connection) -> None:
    """Rewrite the file, so that nothing of what was deleted is left in its free pages or its log.

    Raises:
        StoreError: SQLite refused; the file is as it was.
    """
    with explained(connection):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _undo(connection: Connection) -> None:
    if connection.in_transaction:  # after some errors SQLite has undone it itself
        connection.execute("ROLLBACK")
