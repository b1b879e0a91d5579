"""The one way to open a SQLite file of ours: safe under kill -9, several processes, threads."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

from ..state.errors import StoreDamaged, StoreError

__all__ = ["BUSY_TIMEOUT_S", "Connection", "open_database", "reading", "writing"]

BUSY_TIMEOUT_S = 30.0
"""How long one process waits for another's write."""


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
        connection = sqlite3.connect(
            path or ":memory:", timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot open {path}: {error}; check that its folder exists and may be written") from error
    try:
        with _explained():
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
        with writing(connection):
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found == 0:
                for statement in schema.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version={version:d}")
            elif found != version:
                raise StoreDamaged(f"version {found}, but this program writes {version}; move it away to start afresh")
    except StoreError as error:
        connection.close()
        raise type(error)(f"{path}: {error}") from error
    return connection


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what SQLite raises into errors of ours; what is locked, full or read-only is not damaged."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(f"the database cannot be used: {error}") from error
    except sqlite3.DatabaseError as error:
        raise StoreDamaged(f"the database is damaged: {error}; move it away to start afresh") from error


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """Run the block as one transaction that writes: all of it or, on any error, nothing. May be nested.

    Raises:
        StoreError: SQLite refused: busy, full, read-only, or (`StoreDamaged`) broken.
    """
    if connection.in_transaction:
        yield
        return
    with _explained():
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
    if connection.in_transaction:
        yield
        return
    with _explained():
        connection.execute("BEGIN")
        try:
            yield
        finally:
            _undo(connection)  # nothing was written


def _undo(connection: Connection) -> None:
    if connection.in_transaction:  # after some errors SQLite has undone it itself
        connection.execute("ROLLBACK")
