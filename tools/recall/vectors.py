"""Vectors of turns: rows of half floats in SQLite, one matrix in memory, every answer exact."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from ..database import open_database, reading, writing
from ..embeddings import Embedder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_SCHEMA = """
CREATE TABLE vector (id TEXT PRIMARY KEY, data BLOB);
CREATE TABLE model (name TEXT);
INSERT INTO model VALUES ('')"""
_ROOM = 256


class VectorTable:
    """A `VectorIndex` for tens of thousands of short texts: 1 kB each on disk, a product of matrices to search.

    Vectors of another model than the embedder's are forgotten when the file is opened: they cannot be compared. A
    process that works with another model meanwhile has its own in memory only.

    Raises:
        StoreError: The file cannot be opened or is damaged.
    """

    def __init__(self, path: Path | None, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = RLock()
        self._db = open_database(path, _SCHEMA, version=1)
        self._places: dict[str, int] = {}
        self._matrix: NDArray[float32] | None = None
        with writing(self._db):
            if not self._is_mine():
                self._db.execute("DELETE FROM vector")
                self._db.execute("UPDATE model SET name=?", (embedder.name,))

    def put(self, texts: Mapping[str, str]) -> None:
        """Embed and keep texts by id; on disk when this returns.

        Raises:
            SearchError: The embedder cannot be used.
        """
        if not texts:
            return
        vectors = self._embedder.embed(list(texts.values()))
        with self._lock:
            self._load()
            with writing(self._db):
                if self._is_mine():
                    self._db.executemany(
                        "INSERT OR REPLACE INTO vector VALUES (?,?)",
                        ((key, row.astype("<f2").tobytes()) for key, row in zip(texts, vectors, strict=True)),
                    )
            self._add(list(texts), vectors.astype("<f2").astype("f4"))

    def remove(self, ids: Iterable[str]) -> None:
        """Forget texts; unknown ids are no error."""
        with self._lock, writing(self._db):
            self._db.executemany("DELETE FROM vector WHERE id=?", ((key,) for key in ids))
            self._places, self._matrix = {}, None

    def ids(self) -> set[str]:
        """Return the ids of all texts."""
        with self._lock:
            self._load()
            return set(self._places)

    def nearest(self, query: str, limit: int = 10) -> dict[str, float]:
        """Return ids with their cosine similarity to the query, in [-1, 1], best first.

        Raises:
            SearchError: The embedder cannot be used.
        """
        import numpy as np

        asked = self._embedder.embed([query])[0]
        with self._lock:
            self._load()
            if not self._places or self._matrix is None:
                return {}
            keys = list(self._places)
            cosines = self._matrix[: len(keys)] @ asked
            best = np.argsort(-cosines, kind="stable")[: max(limit, 0)]
            return {keys[int(place)]: float(cosines[place]) for place in best}

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _is_mine(self) -> bool:
        """Return whether the file holds this model's vectors: another process may have opened it for another one."""
        return bool(self._db.execute("SELECT name FROM model").fetchone()[0] == self._embedder.name)

    def _load(self) -> None:
        import numpy as np

        if self._matrix is not None:
            return
        self._matrix = np.zeros((_ROOM, self._embedder.dimension), dtype="f4")
        with reading(self._db):
            rows = []
            if self._is_mine():
                rows = self._db.execute("SELECT id, data FROM vector ORDER BY rowid").fetchall()
        if rows:
            data = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f2").reshape(len(rows), -1)
            self._add([row[0] for row in rows], data.astype("f4"))

    def _add(self, ids: list[str], vectors: "NDArray[float32]") -> None:
        import numpy as np

        assert self._matrix is not None
        for key, row in zip(ids, vectors, strict=True):
            place = self._places.setdefault(key, len(self._places))
            if place == len(self._matrix):
                self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
            self._matrix[place] = row
