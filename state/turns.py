"""Turns as the archive keeps them: who said what, and where each turn hangs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Role = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message or tool result of a turn."""

    role: Role
    text: str
    name: str = ""
    """Name of the tool; `""` for people and models."""
    command: str = ""
    """What the tool was asked to do."""
    handle: str = ""
    """Of `text` in the archive; filled in by the archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Everything said in one turn, and the turn it follows."""

    id: str
    """Unique; appending the same id again changes nothing, so a repeated step writes once."""
    session: str
    at: datetime
    """Timezone-aware."""
    said: tuple[Said, ...]
    parent: str = ""
    """Id of the turn before; `""` for the first. Two turns with one parent are a fork."""
    prompts: tuple[str, ...] = ()
    """Handles of the prompts sent to models."""
    number: int = 0
    """Place in its own line, from 1; filled in by the archive."""
    facts: tuple[Mapping[str, Any], ...] = field(default=())
    """Changes to the ledger this turn made, as plain data."""
