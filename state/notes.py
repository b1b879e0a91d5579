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


class Relation(StrEnum):
    """How a note stands to another one."""

    SUPERSEDES = "supersedes"
    RESOLVES = "resolves"
    DEPENDS_ON = "depends_on"


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
class SourceCheck:
    """One source compared with the repository as it is now."""

    source: NoteSource
    state: SourceState
    path: str = ""
    """Where the text is now; ``""`` where it is gone or unknown."""
    lines: str = ""
    """Which lines hold it now, written as in `NoteSource`."""
    changed_lines: int | None = None
    """Lines added and removed since then; 0 for FRESH and MOVED, None where the old text cannot be had."""
    reason: str = ""
    """Why the state is not FRESH, in words."""


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
    """Relation (`Relation`) to note ids."""
    sources: tuple[NoteSource, ...] = ()
    extra: dict[str, object] = field(default_factory=dict)
    """Front matter keys we do not know, as plain data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """A note without its text: one row of the index."""

    id: str
    title: str
    type: NoteType
    tags: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    status: NoteStatus
    version: int
    links: dict[str, list[str]]
    paths: tuple[str, ...]
    """Files of the repository the note speaks of."""
    file_path: str
    """Name of the note's own file in its folder."""


@dataclass(frozen=True, kw_only=True)
class NotesSummary:
    """What a folder of notes holds."""

    total_notes: int
    type_distribution: dict[str, int]
    status_distribution: dict[str, int]
    recent_notes: list[NoteRow]
    """The five newest by `updated_at`."""
