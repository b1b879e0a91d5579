"""Rows of the index as lines of JSON: written in one form, read by one pattern, taken apart when somebody asks."""

import json
import os
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ...state.notes import Note, NoteRow, NoteStatus, NoteType
from .fields import safe_id
from .front_matter import iso


class DamagedIndex(Exception):
    """A line or file is no index of ours."""


@dataclass(slots=True)
class Entry:
    """What the index knows of a note; the row itself is made of `text` when it is needed first."""

    key: str
    name: str
    """Of the note's file in the folder."""
    updated: str
    """`updated_at` as written: sorts like the time."""
    stamp: int
    """Changes whenever the note's file is written, see `stamp_of`."""
    text: bytes
    """The row as JSON; empty once it has been taken apart."""
    made: NoteRow | None = None

    @property
    def row(self) -> NoteRow:
        """Return the row.

        Raises:
            DamagedIndex: The text is not what we write.
        """
        if self.made is None:
            try:
                self.made = _row(self.key, self.name, json.loads(self.text))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise DamagedIndex(f"{type(error).__name__}: {error}") from error
            self.text = b""
        return self.made


def entry_of(note: Note, name: str, stamp: int) -> Entry:
    """Return what the index keeps of a note in the file `name`."""
    row = NoteRow(
        id=note.id,
        title=note.title,
        type=note.type,
        tags=note.tags,
        created_at=note.created_at,
        updated_at=note.updated_at,
        status=note.status,
        version=note.version,
        links=note.links,
        paths=tuple(dict.fromkeys(source.path for source in note.sources)),
        file_path=name,
    )
    return Entry(note.id, name, iso(note.updated_at), stamp, b"", row)


def stamp_of(status: os.stat_result) -> int:
    """Return a number that changes with a file's time or size."""
    return status.st_mtime_ns * 1_000_003 + status.st_size


def is_note_file(name: str) -> bool:
    """Return whether a name in the folder is that of a note: Markdown, not hidden, no path."""
    return name.endswith(".md") and safe_id(name[:-3])


def as_line(entry: Entry) -> bytes:
    """Return a row as one line of JSON, without what parts it from the next."""
    text = entry.text
    if not text:
        row = entry.row
        values: dict[str, object] = {
            "title": row.title,
            "type": row.type,
            "tags": row.tags,
            "status": row.status,
            "version": row.version,
            "created_at": iso(row.created_at),
            "updated_at": entry.updated,
            "file_path": entry.name,
            "stamp": entry.stamp,
        }
        if row.links:
            values["links"] = row.links
        if row.paths:
            values["paths"] = row.paths
        text = json.dumps(values, ensure_ascii=False).encode()
    return json.dumps(entry.key, ensure_ascii=False).encode() + b": " + text


def read_lines(data: bytes, start: int = 0, end: int | None = None) -> list[Entry]:
    """Return the entries of lines as `as_line` makes them, parted by commas, between two places in `data`.

    Raises:
        DamagedIndex: A line is of another form.
    """
    end = len(data) if end is None else end
    found = _LINE.findall(data, start, end)
    if len(found) != data.count(b"\n", start, end) + (start < end):
        raise DamagedIndex("a line is no row of ours")
    try:
        return [
            Entry(key.decode(), name.decode(), updated.decode(), int(stamp), values)
            for key, values, updated, name, stamp in found
        ]
    except UnicodeDecodeError as error:
        raise DamagedIndex(str(error)) from error


_LINE = re.compile(
    rb'^"([^"\\]+)": (\{"title": .*, "updated_at": "([0-9T:.Z-]+)", '
    rb'"file_path": "([^"\\./][^"\\/]*\.md)", "stamp": ([0-9]{1,40})(?:, .*)?\}),?$',
    re.M,
)
_TYPES = {str(kind): kind for kind in NoteType}
_STATUSES = {str(status): status for status in NoteStatus}
_NO_LINKS: dict[str, list[str]] = {}
_MOST_SHARED = 10_000
_known_words: dict[tuple[str, ...], tuple[str, ...]] = {}


def _row(key: str, name: str, values: dict[str, Any]) -> NoteRow:
    if type(values["title"]) is not str or type(values["version"]) is not int or values["file_path"] != name:
        raise ValueError(f"row {key!r} has a wrong value")
    created = datetime.fromisoformat(values["created_at"])
    updated = created if values["updated_at"] == values["created_at"] else datetime.fromisoformat(values["updated_at"])
    links, paths = values.get("links"), values.get("paths")
    return NoteRow(
        id=key,
        title=values["title"],
        type=_TYPES[values["type"]],
        tags=_shared(values["tags"]),
        created_at=created,
        updated_at=updated,
        status=_STATUSES[values["status"]],
        version=values["version"],
        links={relation: list(ids) for relation, ids in links.items()} if links else _NO_LINKS,
        paths=_shared(paths) if paths else (),
        file_path=name,
    )


def _shared(words: list[str]) -> tuple[str, ...]:
    """Return one tuple for all rows with the same words: thousands of notes share a few sets of tags."""
    found = tuple(words)
    known = _known_words.get(found)
    if known is None:
        if not all(isinstance(word, str) for word in found):
            raise ValueError(f"{found!r} are not words")
        if len(_known_words) >= _MOST_SHARED:
            _known_words.clear()
        known = _known_words[found] = found
    return known
