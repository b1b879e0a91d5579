"""Every turn kept whole, outside the checkpoint: append-only, content-addressed, fork-aware."""

from .archive import Archive
from .catalogue import Line
from .log import Log, Position
from .records import Excerpt

__all__ = ["Archive", "Excerpt", "Line", "Log", "Position"]
