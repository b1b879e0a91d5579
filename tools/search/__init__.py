"""One search for code, notes, memory and history: words, vectors and their fusion, English and Chinese."""

from .hybrid import HybridIndex
from .protocol import Document, Hit, SearchIndex, VectorIndex
from .text import tokenize
from .words import WordIndex

__all__ = ["Document", "Hit", "HybridIndex", "SearchIndex", "VectorIndex", "WordIndex", "tokenize"]
