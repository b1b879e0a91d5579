"""Memory beside project notes: working, episodic, semantic; persistent, searchable, forgettable."""

from .tool import MemoryTool

__all__ = ["MemoryTool"]
