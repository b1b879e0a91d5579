"""Notes: Markdown files that are never lost, found by a sentence, and bound to the code they speak of."""

from .tool import NoteTool

__all__ = ["NoteTool"]
