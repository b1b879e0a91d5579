"""Making room in the window without forgetting: layers, the summary a model may add, and its checks."""

from .layers import cleared, digest_line, droppable, shortened
from .summary import LEAST_SAVING, joined, pieces, rendered, summarise, unfounded

__all__ = [
    "LEAST_SAVING",
    "cleared",
    "digest_line",
    "droppable",
    "joined",
    "pieces",
    "rendered",
    "shortened",
    "summarise",
    "unfounded",
]
