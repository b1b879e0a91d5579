"""Recall over all turns of a session's own line of ancestors, and what a context is given of them."""

from .card import Card, card_text, where_was_i
from .phases import PhaseSource, end_phase, last_phase, phase_report
from .sources import AnchorSource, LedgerSource, RecallSource, past_sources
from .turns import Recalled, TurnIndex

__all__ = [
    "AnchorSource",
    "Card",
    "LedgerSource",
    "PhaseSource",
    "RecallSource",
    "Recalled",
    "TurnIndex",
    "card_text",
    "end_phase",
    "last_phase",
    "past_sources",
    "phase_report",
    "where_was_i",
]
