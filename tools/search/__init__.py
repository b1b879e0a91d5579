"""One search for code, notes, memory and history: words, vectors and their fusion, English and Chinese."""

from .hybrid import fuse
from .protocol import Document, Hit, SearchIndex, VectorIndex
from .text import tokenize
from .words import WordIndex

__all__ = ["Document", "Hit", "SearchIndex", "VectorIndex", "WordIndex", "fuse", "tokenize"]
