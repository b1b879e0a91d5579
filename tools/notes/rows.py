"""Rows of the index as lines of JSON: written in one form, read by one pattern, taken apart when somebody asks."""

import json
import os
import re
from datetime import datetime
from typing import Any, NamedTuple

from ...state.notes import Note, NoteRow, NoteStatus, NoteType
from .fields import safe_id
from .front_matter import iso


class DamagedIndex(Exception):
    """A line or file is no index of ours."""


class Entry(NamedTuple):
    """A line of the index as it is written, in bytes: at 50,000 notes, making words of them would be half the time."""

    key: bytes
    """The note's id."""
    name: bytes
    """Of the note's file in the folder."""
    updated: bytes
    """`updated_at` as written: sorts like the time."""
    stamp: bytes
    """Changes whenever the note's file is written, see `stamp_of`."""
    rest: bytes
    """The further values as JSON, without the opening brace."""

    @property
    def line(self) -> bytes:
        """Return the line, without what parts it from the next."""
        return b'"%b": {"file_path": "%b", "updated_at": "%b", "stamp": %b, %b' % self

    def row(self) -> NoteRow:
        """Return what the line says.

        Raises:
            DamagedIndex: It is not what we write.
        """
        try:
            return _row(self.key.decode(), self.name.decode(), self.updated.decode(), json.loads(b"{" + self.rest))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise DamagedIndex(f"{type(error).__name__}: {error}") from error


def entry_of(note: Note, name: str, stamp: int) -> Entry:
    """Return what the index keeps of a note in the file `name`."""
    rest: dict[str, object] = {
        "title": note.title,
        "type": note.type,
        "tags": note.tags,
        "status": note.status,
        "version": note.version,
        "created_at": iso(note.created_at),
    }
    if note.links:
        rest["links"] = note.links
    if note.sources:
        rest["paths"] = list(dict.fromkeys(source.path for source in note.sources))
    text = json.dumps(rest, ensure_ascii=False)[1:]
    return Entry(*(part.encode() for part in (note.id, name, iso(note.updated_at), str(stamp), text)))


def stamp_of(status: os.stat_result) -> int:
    """Return a number that changes with a file's time or size."""
    return status.st_mtime_ns * 1_000_003 + status.st_size


def is_note_file(name: str) -> bool:
    """Return whether a name in the folder is that of a note: Markdown, not hidden, no path."""
    return name.endswith(".md") and safe_id(name[:-3])


def read_lines(data: bytes, start: int = 0, end: int | None = None) -> list[Entry]:
    """Return the entries of lines, parted by commas, between two places in `data`.

    Raises:
        DamagedIndex: A line is of another form.
    """
    end = len(data) if end is None else end
    found = _LINE.findall(data, start, end)
    if len(found) != data.count(b"\n", start, end) + (start < end):
        raise DamagedIndex("a line is no row of ours")
    entries = list(map(Entry._make, found))
    try:
        b" ".join([b"%b %b" % (entry.key, entry.name) for entry in entries]).decode()
    except UnicodeDecodeError as error:
        raise DamagedIndex(str(error)) from error
    return entries


_LINE = re.compile(
    rb'^"([^"\\]+)": \{"file_path": "([^"\\./][^"\\/]*\.md)", "updated_at": "([0-9T:.Z-]+)", '
    rb'"stamp": ([0-9]{1,40}), ("title": .*\}),?$',
    re.M,
)
_TYPES = {str(kind): kind for kind in NoteType}
_STATUSES = {str(status): status for status in NoteStatus}
_NO_LINKS: dict[str, list[str]] = {}
_MOST_SHARED = 10_000
_known_words: dict[tuple[str, ...], tuple[str, ...]] = {}


def _row(key: str, name: str, changed: str, values: dict[str, Any]) -> NoteRow:
    if type(values["title"]) is not str or type(values["version"]) is not int:
        raise ValueError(f"row {key!r} has a wrong value")
    created = datetime.fromisoformat(values["created_at"])
    updated = created if changed == values["created_at"] else datetime.fromisoformat(changed)
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
