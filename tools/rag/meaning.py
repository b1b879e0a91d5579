"""Closeness in meaning for the code index: vectors kept in step with its pieces, in the background."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from ...state.errors import SearchError
from ..code_index.choice import Role
from ..code_index.index import CodeIndex
from ..code_index.read import decode, read_bytes, split_lines
from ..code_index.rows import Piece
from ..embeddings import Embedder
from .chroma import ChromaVectors

ROLES: tuple[Role, ...] = ("source", "doc")
"""Files whose pieces get vectors: tests and data say little that source and documents do not."""
NEAREST = 100
_STEP = 64
"""Pieces embedded between two looks whether to stop."""
_CHARS = 500
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\da-zA-Z_]+")


class Meaning:
    """The vectors of one code index.

    Args:
        folder: Where Chroma keeps its files.
        embedder: Makes the vectors.
        server: URL of a Chroma server to use instead.
    """

    def __init__(self, folder: Path, embedder: Embedder, *, server: str = "") -> None:
        self.done = 0
        """Vectors that are there."""
        self.wanted = 0
        """Vectors there should be."""
        self._folder, self._embedder, self._server = folder, embedder, server
        self._vectors: ChromaVectors | None = None

    @property
    def notices(self) -> list[str]:
        """Return what the user should know of the vectors."""
        return [] if self._vectors is None else self._vectors.notices

    def close(self) -> None:
        """Close Chroma and let another process have it."""
        if self._vectors is not None:
            self._vectors.close()
            self._vectors = None

    def catch_up(self, index: CodeIndex, stop: Callable[[], bool], progress: Callable[[int, int], None]) -> None:
        """Make the vectors that are missing and forget those whose pieces are gone; what is done stays done.

        Raises:
            SearchError: Chroma or the embedder cannot be used.
        """
        try:
            self._fill(self._open(index.root), index, stop, progress)
        except SearchError:
            self.close()  # opened again the next time: its files may have been lost, or given back
            raise

    def _fill(
        self, vectors: ChromaVectors, index: CodeIndex, stop: Callable[[], bool], progress: Callable[[int, int], None]
    ) -> None:
        pieces = index.store.keyed(ROLES)
        kept = vectors.ids()
        vectors.remove(kept - pieces.keys())
        missing = [key for key in pieces if key not in kept]
        self.done, self.wanted = len(pieces) - len(missing), len(pieces)
        texts = _Texts(index)
        for start in range(0, len(missing), _STEP):
            if stop():
                return
            batch = missing[start : start + _STEP]
            vectors.put({key: texts.of(pieces[key]) for key in batch})
            self.done += len(batch)
            progress(self.done, self.wanted)
        vectors.forget_other_models()  # not before: who changes the embedder and back again loses nothing

    def similar(self, query: str) -> dict[str, float]:
        """Return the nearest pieces by key with their cosine similarity; none while there are no vectors.

        Raises:
            SearchError: Chroma or the embedder failed.
        """
        vectors = self._vectors
        if vectors is None or not self.done:
            return {}
        try:
            return vectors.nearest(query, NEAREST)
        except SearchError:
            self.close()  # the next questions do not wait for it; catching up opens it again
            raise

    def _open(self, root: Path) -> ChromaVectors:
        if self._vectors is None:
            kind = "code"
            if self._server:  # it may serve other repositories, too
                kind += "-" + hashlib.blake2b(os.fsencode(root), digest_size=6).hexdigest()
            self._vectors = ChromaVectors(self._folder, self._embedder, kind=kind, server=self._server)
        return self._vectors


class _Texts:
    """What is embedded of a piece: path and name in words, then the beginning of its text in words."""

    def __init__(self, index: CodeIndex) -> None:
        self._root = index.root
        self._paths = {file.id: file.path for file in index.store.files()}
        self._last: tuple[int, list[str]] = (-1, [])

    def of(self, piece: Piece) -> str:
        path = self._paths.get(piece.file, "")
        lines = self._lines(piece.file, path)[piece.start - 1 : piece.end]
        return f"{spoken([path])}. {spoken([piece.name])}. {spoken(lines)[:_CHARS]}"

    def _lines(self, file: int, path: str) -> list[str]:
        if self._last[0] != file:
            try:
                self._last = (file, split_lines(decode(read_bytes(self._root, path)) or ""))
            except OSError:  # gone meanwhile; the next refresh forgets it
                self._last = (file, [])
        return self._last[1]


def spoken(texts: Iterable[str]) -> str:
    """Return code as words, for models that were taught sentences: ``getHTTPUrl`` becomes ``get http url``."""
    return " ".join(part.lower() for text in texts for part in _PART.findall(text))
