"""The one way to open a SQLite file of ours: safe under kill -9, several processes, threads."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

from ..state.errors import StoreError

__all__ = ["BUSY_TIMEOUT_S", "Connection", "open_database", "reading", "writing"]

BUSY_TIMEOUT_S = 30.0
"""How long one process waits for another's write."""


def open_database(path: Path | None, schema: str, *, version: int) -> Connection:
    """Open or make the database at `path` (None: in memory) and return a connection in autocommit mode.

    `schema` is run when the file is new; `version` is kept in the file and compared when it is opened again. The
    connection may be used by several threads one at a time. WAL with synchronous NORMAL: a killed process loses
    nothing that was committed, a power cut at most the last commits.

    Raises:
        StoreError: The file cannot be opened or written, is damaged, or has another version.
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
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        with writing(connection):
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found == 0:
                for statement in schema.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version={version:d}")
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"cannot use {path}: {error}; move the file away to start afresh") from error
    if found not in (0, version):
        connection.close()
        raise StoreError(
            f"{path} has version {found}, this program writes {version}; move the file away to start afresh"
        )
    return connection


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """Run the block as one transaction that writes: all of it or, on any error, nothing. May be nested."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def reading(connection: Connection) -> Iterator[None]:
    """Run the block on one state of the database, whatever others write meanwhile. May be nested."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")
