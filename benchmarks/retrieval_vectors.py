"""Vectors that are made once: the trees of one project hold mostly the same functions."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from maintainer.tools.embeddings import Embedder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_DIGEST = 16


class Remembering:
    """An embedder that remembers what it embedded.

    Args:
        embedder: Makes the vectors.
        folder: Where they are kept for the next run, too, in one file that is only added to; None: for this run alone.
    """

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self._file = None if folder is None else folder / f"{self.name}.vectors"
        self._known: dict[bytes, Any] = {}
        if self._file is not None and self._file.exists():
            import numpy as np

            rows = np.fromfile(self._file, dtype=self._row())
            self._known = {bytes(row["digest"]): row["vector"] for row in rows}

    def embed(self, texts: Sequence[str]) -> "NDArray[float32]":
        """Return unit vectors, as the embedder made them."""
        import numpy as np

        keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            made = self._embedder.embed(list(new.values()))
            self._known |= zip(new, made, strict=True)
            if self._file is not None:
                rows = np.array(list(zip(map(np.void, new), made, strict=True)), dtype=self._row())
                self._file.parent.mkdir(parents=True, exist_ok=True)
                with self._file.open("ab") as file:
                    rows.tofile(file)
        return np.array([self._known[key] for key in keys], dtype="f4")

    def _row(self) -> Any:
        import numpy as np

        return np.dtype([("digest", f"V{_DIGEST}"), ("vector", "<f4", (self.dimension,))])
