"""The four ways of working: a table, not classes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

Mode = Literal["explore", "analyze", "plan", "auto"]
MODE_NAMES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeRow:
    """How one mode differs from the others."""

    relevance: float
    """Relevance in [0, 1] of what the mode collects first (Hello-Agents, ch. 9.6)."""
    purpose: str
    """One sentence for help texts."""


MODES: Mapping[Mode, ModeRow] = MappingProxyType(
    {
        "explore": ModeRow(relevance=0.6, purpose="Show how the code is built, and where something lives."),
        "analyze": ModeRow(relevance=0.7, purpose="Rank what is wrong, with evidence."),
        "plan": ModeRow(relevance=0.8, purpose="Keep an ordered plan that survives sessions."),
        "auto": ModeRow(relevance=0.6, purpose="Pick the mode from the request, and say which and why."),
    }
)
