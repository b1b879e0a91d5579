"""Notes: what they are, not where they are kept."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class NoteType(StrEnum):
    """What a note speaks of."""

    TASK_STATE = "task_state"
    CONCLUSION = "conclusion"
    BLOCKER = "blocker"
    ACTION = "action"
    REFERENCE = "reference"
    GENERAL = "general"


class NoteStatus(StrEnum):
    """Where a note stands in its life."""

    OPEN = "open"
    IN_PROGRESS = "in_progress"
    RESOLVED = "resolved"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"


class SourceState(StrEnum):
    """Whether the code a note speaks of is still as it was."""

    FRESH = "fresh"
    MOVED = "moved"
    STALE = "stale"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, kw_only=True)
class NoteSource:
    """The lines of a file a note speaks of, as they were when it was written."""

    path: str
    """Relative to the repository, with forward slashes."""
    lines: str = ""
    """``"12-40"`` (1-based, both ends included) or ``""`` for the whole file."""
    sha256: str = ""
    """Of the named lines, UTF-8, as hexadecimal digits."""
    commit: str = ""
    """HEAD at that time, or ``""`` outside git."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """One note: the front matter as fields, then the text."""

    id: str
    title: str
    content: str
    type: NoteType = NoteType.GENERAL
    tags: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    status: NoteStatus = NoteStatus.OPEN
    version: int = 1
    links: dict[str, list[str]] = field(default_factory=dict)
    """Relation (``supersedes``, ``resolves``, ``depends_on``) to note ids."""
    sources: tuple[NoteSource, ...] = ()
    extra: dict[str, object] = field(default_factory=dict)
    """Front matter keys we do not know, kept as they are."""
