"""Chroma: vectors on disk or on a server. The one module that imports it."""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...state.errors import ConfigError, SearchError, StoreBusy
from ..embeddings import Embedder, unit_rows
from ..files import locked, make_folder

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from numpy import float32
    from numpy.typing import NDArray

BATCH = 256
"""Vectors per write: small enough to be lost, large enough to be fast."""
_PAGE = 10_000


class ChromaVectors:
    """A `VectorIndex` in Chroma: vectors by id, nothing else; the texts stay where they are.

    The collection carries model and dimension in its name, so that vectors of different models never meet.

    Args:
        folder: Where Chroma keeps its files; one process at a time (a second one is refused, see `SearchError`).
        embedder: Makes the vectors.
        kind: What the vectors stand for, for example ``"code"``; the first part of the collection's name.
        server: URL of a Chroma server to use instead of the folder, for example ``"http://localhost:8000"``.

    Raises:
        SearchError: Chroma cannot be opened: another process holds the folder, it cannot be written, or the server
            does not answer.
    """

    def __init__(self, folder: Path, embedder: Embedder, *, kind: str, server: str = "") -> None:
        self.notices: list[str] = []
        self._embedder = embedder
        self._lock = RLock()
        self._opened = ExitStack()
        try:
            self._client = _connect(server) if server else self._open(folder)
            self._opened.callback(_close, self._client)
            with _explained("open"):
                self._collection = self._client.get_or_create_collection(
                    _collection_name(kind, embedder),
                    embedding_function=None,
                    configuration={"hnsw": {"space": "cosine"}},
                )
        except BaseException:
            self._opened.close()
            raise

    def close(self) -> None:
        """Close Chroma and free the folder for other processes."""
        with self._lock:
            self._opened.close()

    def put(self, texts: Mapping[str, str]) -> None:
        """Embed and keep texts by id; each batch is durable when it is done."""
        ids = list(texts)
        for start in range(0, len(ids), BATCH):
            batch = ids[start : start + BATCH]
            vectors = self._embedder.embed([texts[key] for key in batch])
            with self._lock, _explained("write"):
                self._collection.upsert(ids=batch, embeddings=vectors)

    def remove(self, ids: Iterable[str]) -> None:
        """Forget vectors; unknown ids are no error."""
        listed = list(ids)
        with self._lock, _explained("write"):
            for start in range(0, len(listed), _PAGE // 4):
                self._collection.delete(ids=listed[start : start + _PAGE // 4])

    def ids(self) -> set[str]:
        """Return the ids of all vectors."""
        found: set[str] = set()
        with self._lock, _explained("read"):
            for start in range(0, self._collection.count(), _PAGE):
                found.update(self._collection.get(limit=_PAGE, offset=start, include=[])["ids"])
        return found

    def count(self) -> int:
        """Return how many vectors there are."""
        with self._lock, _explained("read"):
            return self._collection.count()

    def nearest(self, query: str, limit: int = 10) -> dict[str, float]:
        """Return ids with their cosine similarity to the query, in [-1, 1], best first."""
        vector = self._embedder.embed([query])
        with self._lock, _explained("read"):
            limit = min(limit, self._collection.count())
            if limit <= 0 or not vector.any():
                return {}
            found = self._collection.query(query_embeddings=vector, n_results=limit, include=["distances"])
        distances = found["distances"] or [[]]
        return {key: 1.0 - distance for key, distance in zip(found["ids"][0], distances[0], strict=True)}

    def _open(self, folder: Path) -> "ClientAPI":
        make_folder(folder)
        try:
            self._opened.enter_context(locked(folder.with_name(folder.name + ".lock"), timeout_s=0))
        except StoreBusy:
            raise SearchError(
                f"{folder} is used by another process; search by words alone here, or run a Chroma server"
            ) from None
        try:
            return _persistent(folder)
        except SearchError as error:
            self.notices.append(f"the vectors are being made again: {error}")
        try:
            _forget(folder)
            shutil.rmtree(folder)
            folder.mkdir()
        except OSError as error:
            raise SearchError(f"{folder} cannot be written: {error.strerror}; search by words alone") from error
        return _persistent(folder)


class ChromaEmbedder:
    """Chroma's own model (all-MiniLM-L6-v2): English only, downloaded at first use, texts cut after 256 tokens."""

    name = "chroma-all-minilm-l6-v2"
    dimension = 384

    def embed(self, texts: Sequence[str]) -> "NDArray[float32]":
        """Return unit vectors.

        Raises:
            SearchError: The model is not there and cannot be downloaded.
        """
        import numpy as np
        from chromadb.utils.embedding_functions import DefaultEmbeddingFunction

        if not texts:
            return np.zeros((0, self.dimension), dtype="f4")
        try:
            vectors = DefaultEmbeddingFunction()(list(texts))
        except Exception as error:  # the download raises whatever its transport does
            raise SearchError(
                f"Chroma's model cannot be used: {error}; go online once, or set embedder to default or none"
            ) from error
        return unit_rows(np.array(vectors, dtype="f4"))


def _persistent(folder: Path) -> "ClientAPI":
    import chromadb
    from chromadb.config import Settings

    with _explained("open", str(folder)):
        client: ClientAPI = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        return client


def _connect(server: str) -> "ClientAPI":
    import chromadb
    from chromadb.config import Settings

    url = urlsplit(server)
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ConfigError("chroma server", server, 'must be a URL such as "http://localhost:8000"')
    with _explained("open", server):
        client: ClientAPI = chromadb.HttpClient(
            host=url.hostname,
            port=url.port or (443 if url.scheme == "https" else 80),
            ssl=url.scheme == "https",
            settings=Settings(anonymized_telemetry=False),
        )
        return client


def _close(client: "ClientAPI") -> None:
    """Close a client; Chroma's own close leaves the connections to a server open."""
    parts = (client, getattr(client, "_admin_client", None))
    sessions = [getattr(getattr(part, "_server", None), "_session", None) for part in parts]
    close = getattr(client, "close", None)  # the interface leaves it out, the clients have it
    if close is not None:
        close()
    for session in filter(None, sessions):
        session.close()


def _forget(folder: Path) -> None:
    """Make Chroma forget a folder it failed to open: it would hand out the broken half again."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient._identifier_to_system.pop(str(folder), None)


def _collection_name(kind: str, embedder: Embedder) -> str:
    """Return a name of the letters Chroma takes, for example ``code-use-multilingual-0.2.1-512``."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", f"{kind}-{embedder.name}-{embedder.dimension}").strip("-._")[:400]


@contextmanager
def _explained(action: str, place: str = "") -> Iterator[None]:
    """Turn whatever Chroma raises into a `SearchError`; its Rust core raises BaseExceptions too."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        raise SearchError(f"Chroma cannot {action} {place or 'its collection'}: {reason}") from error
