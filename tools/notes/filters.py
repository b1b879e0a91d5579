"""Which notes a search or a list may show."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from ...state.errors import InvalidNote
from ...state.notes import NoteRow, NoteStatus, NoteType
from .fields import checked_choice, checked_words

IN_USE = frozenset(NoteStatus) - {NoteStatus.ARCHIVED}
"""What is shown when no status is asked for: all but the archive."""


@dataclass(frozen=True, kw_only=True)
class NoteFilter:
    """Lets a row pass when all of its conditions hold; build one with `note_filter`."""

    type: NoteType | None = None
    tags: frozenset[str] = frozenset()
    """In lower case; empty for any."""
    all_tags: bool = False
    """Whether a note must have all of the tags, not just one."""
    statuses: frozenset[NoteStatus] = IN_USE
    since: datetime | None = None
    """Last updated at this moment or later."""
    until: datetime | None = None
    """Last updated before this moment."""
    path: str = ""
    """A file or folder of the repository the note has a source in."""

    def passes(self, row: NoteRow) -> bool:
        """Return whether the note may be shown."""
        return (
            (self.type is None or row.type is self.type)
            and row.status in self.statuses
            and (not self.tags or self._has_tags(row))
            and (self.since is None or row.updated_at >= self.since)
            and (self.until is None or row.updated_at < self.until)
            and (not self.path or any(path == self.path or path.startswith(self.path + "/") for path in row.paths))
        )

    def among(self) -> dict[str, str | list[str]]:
        """Return the conditions that an index of words can check by itself, which saves it from being asked twice."""
        found: dict[str, str | list[str]] = {}
        if self.type is not None:
            found["type"] = str(self.type)
        if self.statuses != IN_USE:
            found["status"] = [str(status) for status in self.statuses]
        if self.tags:
            found["tag"] = sorted(self.tags)
        if self.path:
            found["path"] = self.path
        return found

    def _has_tags(self, row: NoteRow) -> bool:
        has = {tag.lower() for tag in row.tags}
        return self.tags <= has if self.all_tags else not self.tags.isdisjoint(has)


def note_filter(
    *,
    note_type: str | None = None,
    tags: Iterable[str] | None = None,
    all_tags: bool = False,
    status: str | Iterable[str] | None = None,
    since: datetime | str | None = None,
    until: datetime | str | None = None,
    path: str = "",
) -> NoteFilter:
    """Return the filter for what a caller asks.

    Raises:
        InvalidNote: A value is wrong; the message names the field.
    """
    wanted = [status] if isinstance(status, str) else status
    return NoteFilter(
        type=None if note_type is None else checked_choice("note_type", note_type, NoteType),
        tags=frozenset(tag.lower() for tag in checked_words("tags", tags or ())),
        all_tags=all_tags,
        statuses=IN_USE if wanted is None else frozenset(checked_choice("status", one, NoteStatus) for one in wanted),
        since=_moment("since", since),
        until=_moment("until", until),
        path=path.strip().removeprefix("./").rstrip("/"),
    )


def checked_limit(limit: object) -> int:
    """Return how many notes are wanted.

    Raises:
        InvalidNote: It is no whole number from 0.
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise InvalidNote(f"limit is {limit!r}: must be a whole number from 0")
    return limit


def _moment(field: str, value: datetime | str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise InvalidNote(f"{field} is {value!r}: must be a time such as 2026-01-05 or 2026-01-05T09:00") from None
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
