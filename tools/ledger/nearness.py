"""Closeness of meaning between short texts, each embedded once, also across processes."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from ..database import open_database, writing
from ..embeddings import Embedder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_SCHEMA = "CREATE TABLE vector (text TEXT PRIMARY KEY, data BLOB) WITHOUT ROWID"
_MOST = 4_000
"""Vectors kept in memory, 2 kB each."""


class Nearness:
    """An embedder that remembers the vectors of texts.

    Args:
        embedder: Makes the vectors.
        path: A file to keep them in, as half floats; None: in memory only.

    Raises:
        StoreError: The file cannot be used.
    """

    def __init__(self, embedder: Embedder, path: Path | None = None) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[float32]] = {}
        self._lock = RLock()
        self._db = open_database(path, _SCHEMA, version=1)

    def cosines(self, text: str, others: Sequence[str]) -> list[float]:
        """Return the cosine of each text with the first, in [-1, 1].

        Raises:
            SearchError: The embedder cannot be used.
        """
        with self._lock:
            vectors = self._get(dict.fromkeys([text, *others]))
            return [float(vectors[text] @ vectors[each]) for each in others]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _get(self, texts: Iterable[str]) -> "dict[str, NDArray[float32]]":
        import numpy as np

        wanted = list(texts)
        if len(self._vectors) + len(wanted) > _MOST:
            self._vectors = {}
        for text in wanted:
            if text not in self._vectors:
                row = self._db.execute("SELECT data FROM vector WHERE text=?", (self._key(text),)).fetchone()
                if row is not None:
                    self._vectors[text] = np.frombuffer(row[0], dtype="<f2").astype("f4")
        missing = [text for text in wanted if text not in self._vectors]
        if missing:
            halves = self._embedder.embed(missing).astype("<f2")
            with writing(self._db):
                self._db.executemany(
                    "INSERT OR REPLACE INTO vector VALUES (?,?)",
                    ((self._key(text), half.tobytes()) for text, half in zip(missing, halves, strict=True)),
                )
            # rounded here too: the same answer in this process and in the next
            self._vectors |= zip(missing, halves.astype("f4"), strict=True)
        return self._vectors

    def _key(self, text: str) -> str:
        """Return the key of a text: of its words only a digest is kept, and vectors of two models never meet."""
        return hashlib.sha256(f"{self._embedder.name}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
