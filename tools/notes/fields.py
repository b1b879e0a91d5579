"""The fields of a note: read as they are meant from what people write, checked strictly when a program gives them."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from ...state.errors import InvalidNote
from ...state.notes import NoteSource, Relation

Choice = TypeVar("Choice", bound=StrEnum)

MAX_TITLE = 500
"""Characters; a longer title belongs into the text."""
_DATE = re.compile(r"(\d{4})\D{1,2}(\d{1,2})\D{1,2}(\d{1,2})(?:\D+(\d{1,2}):(\d{2})(?::(\d{2}))?)?")
_UNSAFE_ID = re.compile(r"[\x00-\x1f\x7f/\\\"\ud800-\udfff]|\A[.\s-]|\A[A-Za-z]:|\.\.|[.\s]\Z")
_MAX_ID = 200
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Fields:
    """Reads the known keys of a file; what cannot be understood is added to `problems` and its default returned."""

    def __init__(self, written: Mapping[str, Any], problems: list[str]) -> None:
        self._written, self._problems = written, problems

    def text(self, key: str) -> str:
        """Return one line of text, or `""`."""
        value = self._written.get(key, "")
        if not isinstance(value, str):
            self._problems.append(f"{key} is {value!r}: must be text")
            return ""
        return " ".join(value.split())

    def id(self, stem: str) -> str:
        """Return the id the file names, or `stem` where it names none or one that could be a path."""
        written = self.text("id")
        if not written:
            return stem
        try:
            return checked_id(written)
        except InvalidNote as error:
            self._problems.append(str(error))
            return stem

    def moment(self, key: str) -> datetime | None:
        """Return a time in UTC (one without a zone is taken as UTC), or None."""
        written = self.text(key)
        if not written:
            return None
        try:
            return _moment(written)
        except (ValueError, OverflowError):
            self._problems.append(f"{key} is {written!r}: must be a time such as 2026-01-05T09:00:00Z")
            return None

    def choice(self, key: str, kind: type[Choice], default: Choice) -> Choice:
        """Return the named member, whatever its case."""
        written = self.text(key)
        try:
            return kind(written.lower().replace("-", "_").replace(" ", "_")) if written else default
        except ValueError:
            self._problems.append(_not_one_of(key, written, kind))
            return default

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of words, also where one line names them between commas."""
        value = self._written.get(key, "")
        if isinstance(value, str):
            value = re.split(r"[,，、;；]", value)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._problems.append(f"{key} is {value!r}: must be a list of words")
            return ()
        return tuple(dict.fromkeys(word for item in value if (word := item.strip())))

    def version(self) -> int:
        """Return the version, a whole number from 1."""
        written = self.text("version")
        if written and not (written.isascii() and written.isdigit() and 0 < int(written[:18]) < 10**9):
            self._problems.append(f"version is {written!r}: must be a whole number from 1")
            return 1
        return int(written or 1)

    def links(self) -> dict[str, list[str]]:
        """Return note ids by relation."""
        value = self._written.get("links") or {}
        if not isinstance(value, dict):
            self._problems.append(f"links is {value!r}: must be lists of note ids by relation")
            return {}
        links = {}
        for relation, ids in value.items():
            if relation not in list(Relation):
                self._problems.append(_not_one_of("links", relation, Relation))
            links[relation] = [ids] if isinstance(ids, str) else [str(item) for item in ids]
        return links

    def sources(self) -> tuple[NoteSource, ...]:
        """Return the places in the repository the note speaks of."""
        value = self._written.get("sources") or []
        sources = []
        for item in value if isinstance(value, list) else [value]:
            named = {"path": item} if isinstance(item, str) else item
            if not isinstance(named, dict) or not isinstance(named.get("path"), str) or not named["path"]:
                self._problems.append(f"sources holds {item!r}: must be mappings with a path")
                continue
            kept = {key: str(named.get(key) or "") for key in ("path", "lines", "sha256", "commit")}
            sources.append(NoteSource(**kept))
        return tuple(sources)


def checked_id(value: object) -> str:
    """Return the id of a note, or refuse what could be a path or no file name.

    Raises:
        InvalidNote: It is no text, or not `safe_id`.
    """
    if not isinstance(value, str) or not safe_id(value):
        raise InvalidNote(
            f"id is {value!r}: must be the id of a note, such as note_20260105_090000_1a2b3c4d, not a path"
        )
    return value


def safe_id(text: str) -> bool:
    """Return whether a text may be the id of a note and, with `.md`, the name of its file: 1 to 200 characters, no
    path, not hidden, no sign that a file system or JSON would have to quote.
    """
    return 0 < len(text) <= _MAX_ID and not _UNSAFE_ID.search(text)


def checked_title(value: object) -> str:
    """Return a title as one line.

    Raises:
        InvalidNote: It is no text, empty or too long.
    """
    title = " ".join(_checked_text("title", value).split())
    if not title or len(title) > MAX_TITLE:
        raise InvalidNote(f"title is {title[:80]!r}: must be one line of 1 to {MAX_TITLE} characters")
    return title


def checked_content(value: object) -> str:
    """Return the text of a note as given.

    Raises:
        InvalidNote: It is no text, or cannot be written as UTF-8.
    """
    return _checked_text("content", value)


def checked_choice(field: str, value: object, kind: type[Choice]) -> Choice:
    """Return the member of an enum that a value names.

    Raises:
        InvalidNote: It names none.
    """
    try:
        return kind(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidNote(_not_one_of(field, value, kind)) from None


def checked_words(field: str, value: object) -> tuple[str, ...]:
    """Return a list of words without repetitions.

    Raises:
        InvalidNote: It is no list of non-empty texts.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidNote(f"{field} is {value!r}: must be a list of words")
    words = [" ".join(_checked_text(field, item).split()) for item in value]
    if not all(words):
        raise InvalidNote(f"{field} is {value!r}: must not hold an empty word")
    return tuple(dict.fromkeys(words))


def checked_links(value: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return note ids by relation.

    Raises:
        InvalidNote: A relation is unknown or an id could be a path.
    """
    if not isinstance(value, Mapping):
        raise InvalidNote(f"links is {value!r}: must be lists of note ids by relation")
    links = {}
    for relation, ids in value.items():
        name = str(checked_choice("links", relation, Relation))
        links[name] = [checked_id(item) for item in checked_words("links", ids)]
    return {relation: ids for relation, ids in links.items() if ids}


def _checked_text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidNote(f"{field} is {value!r}: must be text")
    if match := _LONE_SURROGATE.search(value):
        raise InvalidNote(f"{field} holds half a character ({match[0]!r}) that UTF-8 cannot write: replace it")
    return value


def _not_one_of(field: str, value: object, kind: type[StrEnum]) -> str:
    return f"{field} is {value!r}: must be one of {', '.join(kind)}"


def _moment(written: str) -> datetime:
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        if not (match := _DATE.match(written)):
            raise
        year, month, day, hour, minute, second = (int(group or 0) for group in match.groups())
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
