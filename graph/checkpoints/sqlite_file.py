"""Opening the SQLite file of the checkpoints: made with the right settings, looked at for damage, private."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from langgraph.checkpoint.serde.base import SerializerProtocol

from ...state.errors import StoreError
from ...tools.database import BUSY_TIMEOUT_S, opening
from ...tools.files import make_folder
from .damage import explain, is_damaged, salvage
from .sqlite import SqliteCheckpointer


def open_sqlite(path: Path, serializer: SerializerProtocol) -> SqliteCheckpointer:
    """Open, or make, the file and look for damage; a damaged file is set aside and what is readable is saved.

    Raises:
        StoreError: The file cannot be opened, is no database of ours, or nothing in it could be saved.
    """
    path = path.expanduser().absolute()
    make_folder(path.parent)
    if path.is_symlink():
        raise StoreError(f"cannot use {path}: it is a symbolic link; put a real file there")
    # Two processes that make the file or change its journal at once would get "database is locked" at once.
    with opening(path):
        findings = []
        if path.exists() and path.stat().st_size and is_damaged(path):
            findings = salvage(path, serializer, _make_tables(path, serializer))
        with explain(path):
            saver = SqliteCheckpointer(path, _connect(path), serializer)
            saver.setup()
    saver.findings = tuple(findings)
    return saver


def _make_tables(path: Path, serializer: SerializerProtocol) -> Callable[[sqlite3.Connection], None]:
    def make(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        SqliteCheckpointer(path, connection, serializer).setup()

    return make


def _connect(path: Path) -> sqlite3.Connection:
    new = not path.exists()
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    if new:
        with suppress(OSError):  # conversations are nobody else's business; some file systems have no modes
            os.chmod(path, 0o600)
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # counts only before the first table is made
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection
