"""The embedded store behind memories: LangGraph's BaseStore on one SQLite file."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..database import open_database

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

_SCHEMA = "CREATE TABLE made_by (name TEXT);\nINSERT INTO made_by VALUES ('maintainer')"


class EmbeddedStore:
    """A store in the file at `path`, made when missing, or in memory for None; closed by `close`.

    Any other BaseStore does as well: the one the Agent Server hands to a graph, or LangGraph's PostgresStore.

    Raises:
        StoreError: The file cannot be opened, is damaged or belongs to another version.
    """

    def __init__(self, path: Path | None) -> None:
        from langgraph.store.sqlite import SqliteStore  # heavy: only who remembers pays for it

        self._connection = open_database(path, _SCHEMA, version=1)
        store = SqliteStore(self._connection)
        store.setup()
        self.store: BaseStore = store

    def shrink(self) -> None:
        """Rewrite the file, so that nothing of what was deleted is left in its free pages."""
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
