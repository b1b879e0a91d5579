"""With what: files, shell, stores, models, clock. One door per outside thing."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .memory import MemoryTool
    from .notes import NoteTool
    from .rag import RAGTool
    from .terminal import TerminalTool

_LAZY = {
    "MemoryTool": ".memory",
    "NoteTool": ".notes",
    "RAGTool": ".rag",
    "TerminalTool": ".terminal",
}
"""Public name to the package that has it: importing one tool must not load the others."""

__all__ = ["MemoryTool", "NoteTool", "RAGTool", "TerminalTool"]


def __getattr__(name: str) -> Any:
    """Return a public tool, imported at first use."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name], __name__), name)
