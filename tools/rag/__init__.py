"""The repository's code and documents, searched by words and by meaning."""

from .answers import Answer, Passage
from .source import CodeSource
from .tool import RAGTool

__all__ = ["Answer", "CodeSource", "Passage", "RAGTool"]
