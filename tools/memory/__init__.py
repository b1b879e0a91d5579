"""Memory beside project notes: working, episodic, semantic; persistent, searchable, forgettable."""

from .tool import MEMORIES, MemoryTool

__all__ = ["MEMORIES", "MemoryTool"]
