"""Memories: what they are, not where they are kept."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

MemoryType = Literal["working", "episodic", "semantic"]
MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing remembered: of a session (working), an event (episodic) or a fact (semantic)."""

    id: str
    type: MemoryType
    content: str
    importance: float
    """In [0, 1]; the classic values are 0.6 for an exchange and 0.8 for a fact."""
    created_at: datetime
    updated_at: datetime
    session: str = ""
    """The session it came from; working memory belongs to it alone."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """Plain JSON values, for example `turns`: where it came from."""
    score: float = 0.0
    """How well it fits the search that found it, in [0, 1]; 0 where nobody searched."""
