"""Chroma: vectors on disk or on a server."""

import contextlib
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

from ...state.errors import SearchError, StoreBusy, StoreError
from ...state.urls import check_server
from ..database import is_held
from ..embeddings import Embedder
from ..files import locked, make_folder

if TYPE_CHECKING:
    from chromadb import Collection
    from chromadb.api import ClientAPI

BATCH = 256
"""Vectors per write: small enough to be lost, large enough to be fast."""
_PAGE = 10_000
_SERVER_TIMEOUT_S = 5.0
"""For each answer of a server. Chroma's client has no limit: a server that hangs would hold up every search."""


class ChromaVectors:
    """A `VectorIndex` in Chroma: vectors by id, nothing else; the texts stay where they are.

    The collection carries model and dimension in its name, so that vectors of different models never meet.

    Args:
        folder: Where Chroma keeps its files; one process at a time (a second one is refused, see `SearchError`).
        embedder: Makes the vectors.
        kind: What the vectors stand for, for example ``"code"``; the first part of the collection's name. On a server
            that others use, too, it must tell ours from theirs.
        server: URL of a Chroma server to use instead of the folder, for example ``"http://localhost:8000"``.

    Raises:
        SearchError: Chroma cannot be opened: another process holds the folder, it cannot be written, or the server
            does not answer.
    """

    def __init__(self, folder: Path, embedder: Embedder, *, kind: str, server: str = "") -> None:
        self.notices: list[str] = []
        self._embedder, self._kind = embedder, kind
        self._lock = RLock()
        self._opened = ExitStack()
        try:
            if server:
                self._client = self._opened.enter_context(_closing(_connect(server)))
                self._collection = _collection(self._client, kind, embedder)
            else:
                self._client, self._collection = self._open(folder)
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

    def forget_other_models(self) -> int:
        """Delete the vectors that other models made of the same kind of thing, and return how many collections."""
        with self._lock, _explained("tidy"):
            names = [each.name for each in self._client.list_collections()]
            prefix = _plain(f"{self._kind}-")
            old = [name for name in names if name.startswith(prefix) and name != self._collection.name]
            for name in old:
                self._client.delete_collection(name)
        return len(old)

    def _open(self, folder: Path) -> "tuple[ClientAPI, Collection]":
        try:
            make_folder(folder)
            self._opened.enter_context(locked(folder.with_name(folder.name + ".lock"), timeout_s=0))
        except StoreBusy:
            raise SearchError(f"{folder} is used by another process: end it, or run a Chroma server") from None
        except StoreError as error:
            raise SearchError(str(error)) from error
        if is_held(folder / "chroma.sqlite3"):  # by another program: Chroma would wait for it for minutes
            raise SearchError(f"{folder} is locked by another process: end it, or run a Chroma server")
        try:
            return self._in(folder)
        except SearchError as error:
            self.notices.append(f"the vectors are being made again: {error}")
        try:
            _forget(folder)
            shutil.rmtree(folder)
            folder.mkdir()
        except OSError as error:
            raise SearchError(f"{folder} cannot be written: {error.strerror}; check who owns it") from error
        return self._in(folder)

    def _in(self, folder: Path) -> "tuple[ClientAPI, Collection]":
        with ExitStack() as opened:
            client = opened.enter_context(_closing(_persistent(folder)))
            collection = _collection(client, self._kind, self._embedder)
            self._opened.push(opened.pop_all())
        return client, collection


def _persistent(folder: Path) -> "ClientAPI":
    import chromadb
    from chromadb.config import Settings

    with _explained("open", str(folder)):
        client: ClientAPI = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        return client


def _connect(server: str) -> "ClientAPI":
    import chromadb
    from chromadb.config import Settings

    check_server("chroma server", server)
    url = urlsplit(server)
    assert url.hostname is not None, "just checked"
    with _explained("reach", server):
        _call(server)
        client: ClientAPI = chromadb.HttpClient(
            host=url.hostname,
            port=url.port or (443 if url.scheme == "https" else 80),
            ssl=url.scheme == "https",
            settings=Settings(anonymized_telemetry=False),
        )
    for session in _sessions(client):
        session.timeout = _SERVER_TIMEOUT_S
    return client


def _call(server: str) -> None:
    """Wait for any answer of a server; Chroma's client would wait without end for one that hangs."""
    with contextlib.suppress(HTTPError):  # an answer, too
        urlopen(f"{server.rstrip('/')}/api/v2/heartbeat", timeout=_SERVER_TIMEOUT_S).close()  # noqa: S310 - checked


def _collection(client: "ClientAPI", kind: str, embedder: Embedder) -> "Collection":
    with _explained("open"):
        collection = client.get_or_create_collection(
            _collection_name(kind, embedder), embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        collection.count()  # reads the files: a folder of another version fails here, not in the middle of an answer
        return collection


@contextmanager
def _closing(client: "ClientAPI") -> "Iterator[ClientAPI]":
    """Close a client at the end; Chroma's own close leaves the connections to a server open."""
    try:
        yield client
    finally:
        sessions = _sessions(client)
        close = getattr(client, "close", None)  # the interface leaves it out, the clients have it
        if close is not None:
            close()
        for session in sessions:
            session.close()


def _sessions(client: "ClientAPI") -> list[Any]:
    """Return the connections of a client to its server; none of one without a server."""
    parts = (client, getattr(client, "_admin_client", None))
    found = [getattr(getattr(part, "_server", None), "_session", None) for part in parts]
    return [session for session in found if session is not None]


def _forget(folder: Path) -> None:
    """Make Chroma forget a folder it failed to open: it would hand out the broken half again."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient._identifier_to_system.pop(str(folder), None)


def _collection_name(kind: str, embedder: Embedder) -> str:
    """Return a name of the letters Chroma takes, for example ``code-use-multilingual-0.2.1-512``."""
    return _plain(f"{kind}-{embedder.name}-{embedder.dimension}").strip("-._")[:400]


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)


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
