"""The meaning of notes as vectors: one byte a number, on disk beside the index, compared all at once."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from ..database import open_database, writing
from ..embeddings import Embedder

if TYPE_CHECKING:
    from numpy import float32, int8
    from numpy.typing import NDArray

VERSION = 1
"""Of the table and of how numbers are rounded."""
MIN_COSINE = 0.2
"""Below this a text is not about the question: unrelated pairs of notes and questions reach 0.15 on average."""
_BLOCK = 256
"""Rows turned into floats at once: they stay in the processor's cache (4 ms for 50,000 rows; 22 ms with 1,000)."""
_AT_ONCE = 1000
"""Rows read from the file at once."""
_SCHEMA = "CREATE TABLE vector (id TEXT PRIMARY KEY, numbers BLOB) WITHOUT ROWID"


class NoteVectors:
    """A `VectorIndex` in one SQLite file and in memory, 512 bytes a note with the default embedder.

    Args:
        path: The file, made when missing; None keeps everything in memory.
        embedder: Whose vectors these are: each has a file of its own, see `vectors_name`.

    Raises:
        StoreError: The file is damaged.
    """

    def __init__(self, path: Path | None, embedder: Embedder) -> None:
        self._embedder = embedder
        self._db = open_database(path, _SCHEMA, version=VERSION)
        self._lock = RLock()
        self._places: dict[str, int] | None = None
        self._ids: list[str] = []
        self._used = 0
        self._rows: NDArray[int8]
        self._lengths: NDArray[float32]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def ids(self) -> set[str]:
        """Return the ids of all texts."""
        with self._lock:
            return set(self._loaded())

    def put(self, texts: Mapping[str, str]) -> None:
        """Embed and keep texts by id.

        Raises:
            SearchError: The embedder failed; nothing is kept.
        """
        import numpy as np

        if not texts:
            return
        vectors = self._embedder.embed(list(texts.values()))
        scales = 127.0 / np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-9)
        rows = np.rint(vectors * scales).astype("i1")
        with self._lock:
            self.remove(texts)
            with writing(self._db):
                pairs = ((key, row.tobytes()) for key, row in zip(texts, rows, strict=True))
                self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", pairs)
            self._keep(list(texts), rows)

    def remove(self, ids: Iterable[str]) -> None:
        """Forget texts; unknown ids are no error."""
        with self._lock:
            places = self._loaded()
            known = [key for key in ids if key in places]
            if not known:
                return
            with writing(self._db):
                self._db.executemany("DELETE FROM vector WHERE id=?", ((key,) for key in known))
            for key in known:
                self._lengths[places.pop(key)] = float("inf")  # as far from everything as can be

    def nearest(self, query: str, limit: int = 10) -> dict[str, float]:
        """Return ids with their cosine similarity to the query, best first, none below `MIN_COSINE`.

        Raises:
            SearchError: The embedder failed.
        """
        import numpy as np

        with self._lock:
            if not self._loaded() or limit < 1:
                return {}
            cosines = _dots(self._rows[: self._used], self._embedder.embed([query])[0]) / self._lengths[: self._used]
            best = np.argpartition(-cosines, min(limit, self._used) - 1)[:limit]
            near = sorted((place for place in best if cosines[place] >= MIN_COSINE), key=lambda place: -cosines[place])
            return {self._ids[place]: float(cosines[place]) for place in near}

    def _loaded(self) -> dict[str, int]:
        """Return the place of each id, after reading the file at first use."""
        import numpy as np

        if self._places is None:
            self._places = {}
            width = self._embedder.dimension
            count = self._db.execute("SELECT count(*) FROM vector").fetchone()[0]
            self._rows = np.empty((count, width), dtype="i1")
            self._lengths = np.empty(count, dtype="f4")
            kept = self._db.execute("SELECT id, numbers FROM vector WHERE length(numbers)=?", (width,))
            while some := kept.fetchmany(_AT_ONCE):
                numbers = np.frombuffer(b"".join(row for _, row in some), dtype="i1").reshape(-1, width)
                self._keep([key for key, _ in some], numbers)
        return self._places

    def _keep(self, ids: list[str], rows: "NDArray[int8]") -> None:
        import numpy as np

        places = self._loaded()
        end = self._used + len(ids)
        if end > len(self._rows):
            room = max(end, len(self._rows) * 5 // 4)
            self._rows = np.concatenate([self._rows, np.zeros((room - len(self._rows), rows.shape[1]), dtype="i1")])
            self._lengths = np.concatenate([self._lengths, np.ones(room - len(self._lengths), dtype="f4")])
        self._rows[self._used : end] = rows
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype="i4"))
        self._lengths[self._used : end] = np.where(lengths > 0, lengths, np.inf)
        places.update(zip(ids, range(self._used, end), strict=True))
        self._ids += ids
        self._used = end


def vectors_name(embedder: Embedder) -> str:
    """Return the name of the file of an embedder's vectors."""
    return f"vectors-{sha256(embedder.name.encode()).hexdigest()[:12]}.sqlite"


def _dots(rows: "NDArray[int8]", vector: "NDArray[float32]") -> "NDArray[float32]":
    import numpy as np

    products = np.empty(len(rows), dtype="f4")
    block = np.empty((_BLOCK, rows.shape[1]), dtype="f4")
    for start in range(0, len(rows), _BLOCK):
        some = rows[start : start + _BLOCK]
        np.copyto(block[: len(some)], some)
        np.dot(block[: len(some)], vector, out=products[start : start + len(some)])
    return products
