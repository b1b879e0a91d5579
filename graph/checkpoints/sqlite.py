"""Checkpoints in one SQLite file: the default, for one machine and any number of processes on it."""

import json
import os
import sqlite3
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from ...state.errors import StoreError
from .base import Checkpointer
from .damage import check_place, explain
from .retention import Row

SLACK_PAGES = 256
"""Free pages of 4 KiB that stay in the file for the next turn instead of being given back."""

SHORT = 64
"""Texts of at most so many characters stand in the checkpoint itself."""

VALUES_TABLE = """
CREATE TABLE IF NOT EXISTS channel_values (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL, channel TEXT NOT NULL, version TEXT NOT NULL,
    type TEXT NOT NULL, value BLOB, PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
)
"""
TABLES = ("checkpoints", "writes", "channel_values")
_APART = "apart"
"""Key of a stored checkpoint: the names of the values that stand in `channel_values`."""

_IDS = "SELECT checkpoint_ns, checkpoint_id FROM checkpoints WHERE thread_id = ? ORDER BY checkpoint_id DESC"
_ROW = """
SELECT coalesce(parent_checkpoint_id, ''), metadata, type, checkpoint FROM checkpoints
WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
"""


class _Known(NamedTuple):
    """What was read of a checkpoint once: it never changes."""

    row: Row
    values: frozenset[tuple[str, str, str]]
    """Namespace, channel and version of each value it stores apart."""


class SqliteCheckpointer(Checkpointer, SqliteSaver):
    """LangGraph's SQLite saver, tuned for months of use.

    A value is stored once for each version and not again in every step (LangGraph's saver stores the whole state at
    each). Write-ahead log, one fsync a turn, transactions that roll back, pruning.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, serializer: SerializerProtocol) -> None:
        SqliteSaver.__init__(self, connection, serde=serializer)
        self.path = path
        self._file: os.stat_result
        self.lock = threading.RLock()  # type: ignore[assignment]  # a transaction of ours may contain one of theirs
        self._known: dict[str, dict[str, _Known]] = {}

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Give a cursor; what it wrote is committed when the block ends and rolled back when it raises.

        A block inside another one belongs to its transaction.

        Raises:
            StoreError: SQLite cannot read or write the file.
        """
        with self.lock, explain(self.path):
            self._check()
            inside = self.conn.in_transaction
            with closing(self.conn.cursor()) as cursor:
                try:
                    yield cursor
                except BaseException:
                    self.conn.rollback()
                    raise
                if transaction and not inside:
                    self.conn.commit()

    @contextmanager
    def _one_state(self) -> Iterator[None]:
        """Let the block read one state of the file: another process prunes its session at the end of each turn."""
        with self.lock, explain(self.path):
            self._check()
            if self.conn.in_transaction:
                yield
                return
            self.conn.execute("BEGIN")
            try:
                yield
            finally:
                self.conn.rollback()  # nothing was written

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint; of its longer values only those that are new."""
        named = config.get("configurable", {})
        versions = checkpoint["channel_versions"]
        apart = {name for name, v in checkpoint["channel_values"].items() if name in versions and not _is_short(v)}
        fresh = [
            (
                str(named["thread_id"]),
                named["checkpoint_ns"],
                name,
                str(versions[name]),
                *self.serde.dumps_typed(checkpoint["channel_values"][name]),
            )
            for name in apart & new_versions.keys()
        ]
        short = {name: value for name, value in checkpoint["channel_values"].items() if name not in apart}
        slim = cast("Checkpoint", {**checkpoint, "channel_values": short, _APART: sorted(apart)})
        with self.cursor() as cursor:
            cursor.executemany("INSERT OR REPLACE INTO channel_values VALUES (?, ?, ?, ?, ?, ?)", fresh)
            return super().put(config, slim, metadata, new_versions)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint with all its values, by default the thread's newest; None where there is none.

        Raises:
            StoreError: It cannot be read, or a value of it is damaged or missing.
        """
        with self._one_state():
            stored = super().get_tuple(config)
            return None if stored is None else self._whole(stored)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints newest first; the lock is free again before the first one is handed out."""
        with self._one_state():
            stored = [*super().list(config, filter=filter, before=before, limit=limit)]
            return iter([self._whole(each) for each in stored])

    def threads(self) -> Sequence[str]:
        """Return the ids of all threads that have a checkpoint, sorted."""
        with self.cursor(transaction=False) as cursor:
            return [row[0] for row in cursor.execute("SELECT DISTINCT thread_id FROM checkpoints ORDER BY 1")]

    def setup(self) -> None:
        """Make the tables where they are missing; called by itself when the store is first used."""
        if not self.is_setup:
            super().setup()
            self.conn.execute(VALUES_TABLE)
            self._file = self.path.stat()

    def _check(self) -> None:
        """See that the tables are there, and that the file is still the one others open."""
        self.setup()
        check_place(self.path, self._file)

    def rows(self, thread_id: str) -> Sequence[Row]:
        """Return what retention needs to know of each checkpoint, newest first."""
        return [known.row for known in self._all_known(thread_id)]

    def drop(self, thread_id: str, ids: Collection[str]) -> None:
        """Remove checkpoints, their writes and the values no other one uses; give pages back when many are free."""
        gone = set(ids)
        pairs = [(thread_id, id_) for id_ in gone]
        known = self._all_known(thread_id)
        used = {value for each in known if each.row.id not in gone for value in each.values}
        unused = {value for each in known if each.row.id in gone for value in each.values} - used
        with self.cursor() as cursor:
            cursor.executemany("DELETE FROM writes WHERE thread_id = ? AND checkpoint_id = ?", pairs)
            cursor.executemany("DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id = ?", pairs)
            cursor.executemany(
                "DELETE FROM channel_values WHERE thread_id = ? AND checkpoint_ns = ? AND channel = ? AND version = ?",
                [(thread_id, *value) for value in unused],
            )
            (free,) = cursor.execute("PRAGMA freelist_count").fetchone()
        if free > SLACK_PAGES:
            with self.cursor() as cursor:
                cursor.execute(f"PRAGMA incremental_vacuum({free - SLACK_PAGES // 2})").fetchall()

    def delete_thread(self, thread_id: str) -> None:
        """Remove all rows of a thread; a quick step, as sub-agents take it at the end of each task."""
        with self.cursor() as cursor:
            cursor.execute("DELETE FROM channel_values WHERE thread_id = ?", (str(thread_id),))
            super().delete_thread(str(thread_id))

    def erase(self, thread_id: str) -> None:
        """Remove a thread and rewrite the file, so that its bytes are gone from it and from its log."""
        self.delete_thread(thread_id)
        with self.lock, explain(self.path):
            self.conn.execute("VACUUM")
            self.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def count(self, thread_id: str) -> int:
        """Return how many rows of the three tables belong to a thread."""
        with self.cursor(transaction=False) as cursor:
            return sum(
                cursor.execute(f"SELECT count(*) FROM {table} WHERE thread_id = ?", (thread_id,)).fetchone()[0]  # noqa: S608 - constants
                for table in TABLES
            )

    def size_bytes(self) -> int:
        """Return the size of the file with its write-ahead log."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def settle(self) -> None:
        """Force everything committed so far to disk, so that a power cut takes nothing acknowledged."""
        with self.lock, explain(self.path):
            self._check()  # nothing is acknowledged that nobody finds again
            self.conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _whole(self, stored: CheckpointTuple) -> CheckpointTuple:
        """Put the values that stand apart into a checkpoint."""
        checkpoint = cast("dict[str, Any]", stored.checkpoint)
        named = stored.config.get("configurable", {})
        wanted = [(name, str(checkpoint["channel_versions"][name])) for name in checkpoint.pop(_APART, ())]
        if not wanted:
            return stored
        marks = ", ".join(["(?, ?)"] * len(wanted))
        query = (
            "SELECT channel, type, value FROM channel_values WHERE thread_id = ? AND checkpoint_ns = ? "  # noqa: S608
            f"AND (channel, version) IN (VALUES {marks})"
        )
        with self.cursor(transaction=False) as cursor:
            flat = [part for pair in wanted for part in pair]
            found = cursor.execute(query, (str(named["thread_id"]), named.get("checkpoint_ns", ""), *flat)).fetchall()
        if len(found) != len(wanted):
            raise StoreError(
                f"a stored checkpoint is damaged ({len(wanted) - len(found)} values of it are missing): "
                "run `maintainer doctor --repair`"
            )
        checkpoint["channel_values"] |= {name: self.serde.loads_typed((kind, data)) for name, kind, data in found}
        return stored

    def _all_known(self, thread_id: str) -> Sequence[_Known]:
        """Return what is known of a thread's checkpoints, newest first; only new ones are read."""
        before = self._known.get(thread_id, {})
        now: dict[str, _Known] = {}
        with self._one_state(), self.cursor(transaction=False) as cursor:
            for space, id_ in cursor.execute(_IDS, (thread_id,)).fetchall():
                key = f"{space}/{id_}"
                now[key] = before.get(key) or self._read_known(cursor, thread_id, space, id_)
        self._known[thread_id] = now
        return [*now.values()]

    def _read_known(self, cursor: sqlite3.Cursor, thread_id: str, space: str, id_: str) -> _Known:
        parent, packed, kind, data = cursor.execute(_ROW, (thread_id, space, id_)).fetchone()
        metadata = json.loads(packed or "{}")
        try:
            checkpoint = self.serde.loads_typed((kind, data))
        except StoreError:
            checkpoint = {}  # damaged: it is found out, and told, when the session is opened
        versions = checkpoint.get("channel_versions", {})
        row = Row(
            id=id_,
            parent=parent,
            source=metadata.get("source", ""),
            step=metadata.get("step", 0),
            namespace=space,
            root=metadata.get("parents", {}).get("", ""),
        )
        return _Known(row, frozenset((space, name, str(versions[name])) for name in checkpoint.get(_APART, ())))

    def close(self) -> None:
        """Close the connection; SQLite folds its log into the file when the last process leaves."""
        with self.lock, explain(self.path):
            self.conn.close()


def _is_short(value: Any) -> bool:
    """Say whether a value may stand in the checkpoint itself."""
    if isinstance(value, str):
        return len(value) <= SHORT
    return value is None or isinstance(value, bool | int | float) or value in ([], {})
