"""The embedded store behind memories: LangGraph's BaseStore on one SQLite file."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from langgraph.store.base import Op, Result
from langgraph.store.sqlite import SqliteStore

from ..database import explained, open_database, opening, shrink, writing

_SCHEMA = "CREATE TABLE made_by (name TEXT);\nINSERT INTO made_by VALUES ('maintainer')"


class EmbeddedStore(SqliteStore):
    """A store in the file at `path`, made when missing, or in memory for None; closed by `close`.

    Any other BaseStore does as well: the one the Agent Server hands to a graph, or LangGraph's PostgresStore.

    Raises:
        StoreError: The file cannot be opened, is damaged or belongs to another version.
    """

    def __init__(self, path: Path | None) -> None:
        with opening(path):  # LangGraph makes its tables step by step: two at once would make one step twice
            super().__init__(open_database(path, _SCHEMA, version=1))
            self.lock = threading.RLock()  # type: ignore[assignment]  # a batch of ours holds it around LangGraph's own
            with explained(self.conn):
                self.setup()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations and return their results.

        Raises:
            StoreError: The file cannot be read or written; nothing is half written.
        """
        with self.lock, explained(self.conn):
            return super().batch(ops)

    @contextmanager
    def _cursor(self, *, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """Give a cursor, as LangGraph's own does, that writes all of the block or nothing.

        A transaction that began as a reader's is refused at once when another process has written meanwhile.
        """
        with self.lock, closing(self.conn.cursor()) as cursor:
            if not transaction:
                yield cursor
                return
            with writing(self.conn):
                yield cursor

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Let no other thread or process write for the block: all of what it writes is kept or, on an error, nothing.

        Raises:
            StoreError: The file cannot be written, or another process has been writing for long.
        """
        with self.lock, writing(self.conn):
            yield

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same in a thread: the Agent Server, which brings this store to its clients, is asynchronous."""
        return await asyncio.to_thread(self.batch, list(ops))

    def shrink(self) -> None:
        """Rewrite the file, so that nothing of what was deleted is left in its free pages."""
        with self.lock:
            shrink(self.conn)

    def close(self) -> None:
        """Close the file."""
        self.conn.close()
