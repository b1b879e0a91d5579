"""Recall over all turns of a session's own line of ancestors, and what a context is given of them."""

from .sources import AnchorSource, LedgerSource, RecallSource, past_sources
from .turns import Recalled, TurnIndex

__all__ = ["AnchorSource", "LedgerSource", "RecallSource", "Recalled", "TurnIndex", "past_sources"]
