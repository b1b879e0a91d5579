"""Checkpoints in PostgreSQL: for a team, or several machines, by URL."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.serde.base import SerializerProtocol

from ...state.errors import StoreError
from .base import Checkpointer
from .retention import Row

try:
    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.rows import DictRow, dict_row
    from psycopg_pool import ConnectionPool, PoolTimeout
except ImportError as error:
    raise StoreError("sessions in PostgreSQL need one more package: pip install 'maintainer[postgres]'") from error

CONNECT_TIMEOUT_S = 10.0

_ROWS = """
SELECT checkpoint_id AS id, coalesce(parent_checkpoint_id, '') AS parent, coalesce(metadata->>'source', '') AS source,
       coalesce((metadata->>'step')::int, 0) AS step, checkpoint_ns AS namespace,
       coalesce(metadata->'parents'->>'', '') AS root
FROM checkpoints WHERE thread_id = %s ORDER BY checkpoint_id DESC
"""
_UNUSED_BLOBS = """
DELETE FROM checkpoint_blobs b WHERE b.thread_id = %s AND NOT EXISTS (
    SELECT 1 FROM checkpoints c WHERE c.thread_id = b.thread_id AND c.checkpoint_ns = b.checkpoint_ns
    AND c.checkpoint->'channel_versions'->>b.channel = b.version)
"""
_TABLES = ("checkpoints", "checkpoint_writes", "checkpoint_blobs")


class _Wrapped:
    """A value LangGraph would store inline, in clear and as JSON, which knows no NUL character."""

    def __init__(self, value: Any) -> None:
        self.value = value


class PostgresCheckpointer(Checkpointer, PostgresSaver):
    """LangGraph's PostgreSQL saver behind our interface; every value goes through our serializer."""

    def __init__(
        self, url: str, pool: "ConnectionPool[psycopg.Connection[DictRow]]", serde: SerializerProtocol
    ) -> None:
        PostgresSaver.__init__(self, pool, serde=serde)
        self.host = conninfo_to_dict(url).get("host") or "the local server"
        self.pool = pool

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[psycopg.Cursor[DictRow]]:
        """Give a cursor and explain what the server says.

        Raises:
            StoreError: The server is away or refuses.
        """
        try:
            with super()._cursor(pipeline=pipeline) as cursor:
                yield cursor
        except (psycopg.Error, PoolTimeout) as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise StoreError(f"PostgreSQL at {self.host}: {reason}; check the server and try again") from error

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint as LangGraph does, its texts among the other values and not inline."""
        values = {
            name: _Wrapped(value) if isinstance(value, str) else value
            for name, value in checkpoint["channel_values"].items()
        }
        return super().put(config, {**checkpoint, "channel_values": values}, metadata, new_versions)

    def _dump_blobs(
        self, thread_id: str, checkpoint_ns: str, values: dict[str, Any], versions: ChannelVersions
    ) -> list[tuple[str, str, str, str, str, bytes | None]]:
        plain = {name: value.value if isinstance(value, _Wrapped) else value for name, value in values.items()}
        return super()._dump_blobs(thread_id, checkpoint_ns, plain, versions)

    def threads(self) -> Sequence[str]:
        """Return the ids of all threads that have a checkpoint, sorted."""
        with self._cursor() as cursor:
            found = cursor.execute("SELECT DISTINCT thread_id FROM checkpoints").fetchall()
        return sorted(row["thread_id"] for row in found)

    def rows(self, thread_id: str) -> Sequence[Row]:
        """Return what retention needs to know of each checkpoint, newest first."""
        with self._cursor() as cursor:
            return [Row(**row) for row in cursor.execute(_ROWS, (thread_id,)).fetchall()]

    def drop(self, thread_id: str, ids: Collection[str]) -> None:
        """Remove checkpoints with their writes, and the values no other checkpoint uses, in one transaction."""
        gone = [*ids]
        with self._cursor() as cursor, cursor.connection.transaction():
            for table in ("checkpoint_writes", "checkpoints"):
                cursor.execute(
                    f"DELETE FROM {table} WHERE thread_id = %s AND checkpoint_id = ANY(%s)",  # noqa: S608 - constants
                    (thread_id, gone),
                )
            cursor.execute(_UNUSED_BLOBS, (thread_id,))

    def count(self, thread_id: str) -> int:
        """Return how many rows of the three tables belong to a thread."""
        total = 0
        with self._cursor() as cursor:
            for table in _TABLES:
                found = cursor.execute(f"SELECT count(*) AS n FROM {table} WHERE thread_id = %s", (thread_id,))  # noqa: S608
                total += (found.fetchone() or {"n": 0})["n"]
        return total

    def size_bytes(self) -> int:
        """Return the size of the three tables with their indexes."""
        total = 0
        with self._cursor() as cursor:
            for table in _TABLES:
                found = cursor.execute("SELECT pg_total_relation_size(%s::regclass) AS n", (table,)).fetchone()
                total += (found or {"n": 0})["n"]
        return total

    def close(self) -> None:
        """Close all connections."""
        self.pool.close()


def open_postgres(url: str, serializer: SerializerProtocol) -> PostgresCheckpointer:
    """Connect to the server and make the tables where they are missing.

    Raises:
        StoreError: The server cannot be reached within 10 s or refuses.
    """
    made = ConnectionPool(
        url,
        min_size=1,
        max_size=4,
        open=False,
        timeout=CONNECT_TIMEOUT_S,
        check=ConnectionPool.check_connection,  # a server that was restarted costs a reconnect, not the session
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
    )
    pool = cast("ConnectionPool[psycopg.Connection[DictRow]]", made)  # the row factory says so, unseen by type checkers
    try:
        saver = PostgresCheckpointer(url, pool, serializer)
        pool.open(wait=True, timeout=CONNECT_TIMEOUT_S)
        _make_tables(saver)
    except (psycopg.Error, PoolTimeout) as error:
        pool.close()
        raise StoreError(f"cannot connect to PostgreSQL: {error}; check the URL and that the server runs") from error
    return saver


def _make_tables(saver: PostgresCheckpointer) -> None:
    """Run LangGraph's set-up under a lock of the server: two processes that start at once would collide."""
    with saver.pool.connection() as connection:
        connection.execute("SELECT pg_advisory_lock(hashtext('maintainer setup'))")
        try:
            saver.setup()
        finally:
            connection.execute("SELECT pg_advisory_unlock(hashtext('maintainer setup'))")
