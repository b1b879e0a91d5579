"""Chroma's own embedding model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..state.errors import SearchError

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class ChromaEmbedder:
    """all-MiniLM-L6-v2 as Chroma brings it: English only, downloaded at first use, texts cut after 256 tokens."""

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
        return np.array(vectors, dtype="f4")
