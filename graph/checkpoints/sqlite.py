"""Checkpoints in one SQLite file: the default, for one machine and any number of processes on it."""

import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from ...state.errors import StoreError
from ...tools.files import locked, make_folder
from .base import Checkpointer
from .damage import explain, is_damaged, salvage
from .retention import Row

BUSY_TIMEOUT_S = 30.0
"""How long a write waits for another process's write."""
SLACK_PAGES = 256
"""Free pages of 4 KiB that stay in the file for the next turn instead of being given back."""

_ROWS = """
SELECT checkpoint_id, coalesce(parent_checkpoint_id, ''), coalesce(json_extract(metadata, '$.source'), ''),
       coalesce(json_extract(metadata, '$.step'), 0), checkpoint_ns,
       coalesce(json_extract(metadata, '$.parents.""'), '')
FROM checkpoints WHERE thread_id = ? ORDER BY checkpoint_id DESC
"""


class SqliteCheckpointer(Checkpointer, SqliteSaver):
    """LangGraph's SQLite saver, tuned: write-ahead log, one fsync a turn, transactions that roll back, pruning."""

    def __init__(self, path: Path, connection: sqlite3.Connection, serializer: SerializerProtocol) -> None:
        SqliteSaver.__init__(self, connection, serde=serializer)
        self.path = path

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Give a cursor; what it wrote is committed when the block ends and rolled back when it raises.

        Raises:
            StoreError: SQLite cannot read or write the file.
        """
        with self.lock, explain(self.path):
            self.setup()
            with closing(self.conn.cursor()) as cursor:
                try:
                    yield cursor
                except BaseException:
                    self.conn.rollback()
                    raise
                if transaction:
                    self.conn.commit()

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints newest first; the lock is free again before the first one is handed out."""
        return iter([*super().list(config, filter=filter, before=before, limit=limit)])

    def threads(self) -> Sequence[str]:
        """Return the ids of all threads that have a checkpoint, sorted."""
        with self.cursor(transaction=False) as cursor:
            return [row[0] for row in cursor.execute("SELECT DISTINCT thread_id FROM checkpoints ORDER BY 1")]

    def rows(self, thread_id: str) -> Sequence[Row]:
        """Return what retention needs to know of each checkpoint, newest first."""
        with self.cursor(transaction=False) as cursor:
            found = cursor.execute(_ROWS, (thread_id,)).fetchall()
        return [Row(id=i, parent=p, source=s, step=n, namespace=space, root=r) for i, p, s, n, space, r in found]

    def drop(self, thread_id: str, ids: Collection[str]) -> None:
        """Remove checkpoints with their writes, and give pages back to the disk when many are free."""
        pairs = [(thread_id, id_) for id_ in ids]
        with self.cursor() as cursor:
            cursor.executemany("DELETE FROM writes WHERE thread_id = ? AND checkpoint_id = ?", pairs)
            cursor.executemany("DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id = ?", pairs)
            (free,) = cursor.execute("PRAGMA freelist_count").fetchone()
        if free > SLACK_PAGES:
            with self.cursor() as cursor:
                cursor.execute(f"PRAGMA incremental_vacuum({free - SLACK_PAGES // 2})").fetchall()

    def delete_thread(self, thread_id: str) -> None:
        """Remove a thread so that its bytes are gone from the file and from its log too."""
        super().delete_thread(str(thread_id))
        with self.lock, explain(self.path):
            self.conn.execute("VACUUM")
            self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def count(self, thread_id: str) -> int:
        """Return how many rows of both tables belong to a thread."""
        with self.cursor(transaction=False) as cursor:
            return sum(
                cursor.execute(f"SELECT count(*) FROM {table} WHERE thread_id = ?", (thread_id,)).fetchone()[0]  # noqa: S608 - two constants
                for table in ("checkpoints", "writes")
            )

    def size_bytes(self) -> int:
        """Return the size of the file with its write-ahead log."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def settle(self) -> None:
        """Force everything committed so far to disk, so that a power cut takes nothing acknowledged."""
        with self.lock, explain(self.path):
            self.conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Close the connection; SQLite folds its log into the file when the last process leaves."""
        with self.lock, explain(self.path):
            self.conn.close()


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
    with locked(path.with_name(f".{path.name}.lock"), timeout_s=BUSY_TIMEOUT_S):
        findings = []
        if path.exists() and path.stat().st_size and is_damaged(path):
            findings = salvage(path, serializer)
        with explain(path):
            saver = SqliteCheckpointer(path, _connect(path), serializer)
            saver.setup()
    saver.findings = tuple(findings)
    return saver


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
