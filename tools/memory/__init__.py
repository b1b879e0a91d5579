"""Memory beside project notes: working, episodic, semantic; persistent, searchable, forgettable."""

from .store import EmbeddedStore
from .tool import MemoryTool

__all__ = ["EmbeddedStore", "MemoryTool"]
