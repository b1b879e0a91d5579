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
    """One line for help texts."""


MODES: Mapping[Mode, ModeRow] = MappingProxyType(
    {
        "explore": ModeRow(relevance=0.6, purpose="how this codebase is built; where something lives"),
        "analyze": ModeRow(relevance=0.7, purpose="ranked problems with evidence"),
        "plan": ModeRow(relevance=0.8, purpose="an ordered plan that survives sessions"),
        "auto": ModeRow(relevance=0.6, purpose="picks the mode and says which and why"),
    }
)
