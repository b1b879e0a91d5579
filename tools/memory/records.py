"""Memories as stores keep them: namespaces, plain data, checked values."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from ...state.errors import MemoryProblem
from ...state.memories import MEMORY_TYPES, Memory, MemoryType

_ROOT = "memory"


def namespace(memory_type: MemoryType, session: str) -> tuple[str, ...]:
    """Return where memories of a type are kept; session names may hold dots, which stores forbid."""
    if memory_type == "working":
        return (_ROOT, "working", uuid.uuid5(uuid.NAMESPACE_OID, session).hex)
    return (_ROOT, memory_type)


def checked(content: str, memory_type: str, importance: float) -> str:
    """Return the content without white space around it.

    Raises:
        MemoryProblem: It is empty, the type unknown or the importance outside [0, 1].
    """
    if not isinstance(content, str) or not content.strip():
        raise MemoryProblem("content", content, "must be a text that is not empty")
    if memory_type not in MEMORY_TYPES:
        raise MemoryProblem("memory_type", memory_type, f"must be one of {', '.join(MEMORY_TYPES)}")
    if isinstance(importance, bool) or not isinstance(importance, int | float) or not 0 <= importance <= 1:
        raise MemoryProblem("importance", importance, "must be a number in [0, 1]")
    return content.strip()


def plain(memory: Memory) -> dict[str, Any]:
    """Return a memory as JSON values."""
    return {
        **asdict(memory),
        "created_at": memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
    }


def memory_of(value: Mapping[str, Any]) -> Memory:
    """Return the memory that `plain` made the value of."""
    times = {name: datetime.fromisoformat(value[name]) for name in ("created_at", "updated_at")}
    return Memory(**{**value, **times})
