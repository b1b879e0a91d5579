"""A note as a file: Markdown under a block of YAML. Bytes in, a note and its problems out, and back.

---
title: Orders time out          the block: every line that is not changed keeps its bytes
---
                                one blank line
The pool is exhausted.          the text, then one newline
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from ...state.notes import Note, NoteSource, NoteStatus, NoteType
from . import front_matter
from .fields import Fields

KNOWN = ("id", "title", "type", "tags", "status", "version", "created_at", "updated_at", "links", "sources")
"""The keys of ours, in the order they are written."""

_FRONT = re.compile(
    r"\A(?P<lead>\ufeff?\s*)(?P<opening>---[ \t]*\r?\n)(?P<block>(?:.*\n)*?)"
    r"(?P<closing>(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z))"
)
_UNCLOSED = re.compile(
    r"\A(?P<lead>\ufeff?\s*)(?P<opening>---[ \t]*\r?\n)(?P<block>(?:[^\s#:][^:\n]*:.*\n|[ \t-].*\n)+)"
)
_CONFLICT = re.compile(r"^(?:<{7} |>{7} |\|{7} )", re.M)
_NO_UTF8 = re.compile("[\udc80-\udcff]")
"""Bytes that are no UTF-8, as `surrogateescape` reads them."""
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.M)


@dataclass(frozen=True)
class Parsed:
    """A note as it is meant, and what is wrong with its file."""

    note: Note
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Parts:
    """A file cut up; put together again it is the same, byte for byte."""

    lead: str
    opening: str
    block: str
    closing: str
    body: str

    @property
    def newline(self) -> str:
        return "\r\n" if (self.opening or self.body.partition("\n")[0]).endswith(("\r\n", "\r")) else "\n"

    def joined(self) -> bytes:
        return (self.lead + self.opening + self.block + self.closing + self.body).encode("utf-8", "surrogateescape")


def parse(data: bytes, *, stem: str, modified: datetime) -> Parsed:
    """Return the note a file holds; never fails.

    Args:
        data: The file.
        stem: Its name without ending: the id where the block names none.
        modified: When it was last written, UTC: stands in for missing times.
    """
    text = data.decode("utf-8", "surrogateescape")
    parts = _cut(text)
    values = front_matter.read(_shown(parts.block)) if parts.block else front_matter.Values()
    problems = [*values.problems, *_file_problems(text, parts)]
    fields = Fields(values.written, problems)
    content = _content(parts)
    created = fields.moment("created_at") or fields.moment("updated_at") or modified
    note = Note(
        id=fields.id(stem),
        title=fields.text("title") or _first_heading(content) or stem,
        content=content,
        type=fields.choice("type", NoteType, NoteType.GENERAL),
        tags=fields.words("tags"),
        created_at=created,
        updated_at=fields.moment("updated_at") or (created if "created_at" in values.written else modified),
        status=fields.choice("status", NoteStatus, NoteStatus.OPEN),
        version=fields.version(),
        links=fields.links(),
        sources=fields.sources(),
        extra={key: value for key, value in values.data.items() if key not in KNOWN},
    )
    return Parsed(note, tuple(problems))


def render(note: Note) -> bytes:
    """Return the file of a new note."""
    block = front_matter.write({key: value for key, value in _values(note).items() if value is not None})
    return f"---\n{block}---\n\n{note.content}\n".encode()


def rewrite(data: bytes, note: Note, changed: Collection[str]) -> bytes:
    """Return the file with the changed fields of `note` in it and every other byte as it was.

    Args:
        data: The file as it is; may be without a block, with unknown keys, or broken.
        note: The note as it shall be.
        changed: Names of the fields to write, of `KNOWN`, ``"content"`` and the keys of `note.extra`.
    """
    parts = _cut(data.decode("utf-8", "surrogateescape"))
    newline = parts.newline
    values = _values(note)
    if not parts.opening:
        block = front_matter.write({key: value for key, value in values.items() if value is not None}, newline)
        parts = _Parts(parts.lead, f"---{newline}", block, f"---{newline}", newline + parts.body)
    else:
        gone = {key: None for key in changed if key != "content" and key not in values}
        given = {key: value for key, value in values.items() if key in changed}
        block = front_matter.edit(parts.block, given | gone, newline)
        parts = _Parts(parts.lead, parts.opening, block, parts.closing or f"---{newline}", parts.body)
    if "content" in changed:
        body = f"\n{note.content}\n"
        if newline != "\n":
            body = body.replace("\r\n", "\n").replace("\n", newline)
        parts = _Parts(parts.lead, parts.opening, parts.block, parts.closing, body)
    return parts.joined()


def _values(note: Note) -> dict[str, object]:
    """Return the front matter of a note; None for what is left out."""
    return {
        "id": note.id,
        "title": note.title,
        "type": str(note.type),
        "tags": list(note.tags),
        "status": str(note.status),
        "version": note.version,
        "created_at": note.created_at,
        "updated_at": note.updated_at,
        "links": {relation: list(ids) for relation, ids in note.links.items() if ids} or None,
        "sources": [_source_values(source) for source in note.sources] or None,
        **{key: value for key, value in note.extra.items() if key not in KNOWN},
    }


def _source_values(source: NoteSource) -> dict[str, object]:
    values = {"path": source.path, "lines": source.lines, "sha256": source.sha256, "commit": source.commit}
    return {key: value for key, value in values.items() if value}


def _cut(text: str) -> _Parts:
    if match := _FRONT.match(text) or _UNCLOSED.match(text):
        block = match["block"]
        if not block.strip() or any(key for key, _ in front_matter.blocks(block)):
            closing = match.groupdict().get("closing") or ""
            return _Parts(match["lead"], match["opening"], block, closing, text[match.end() :])
    lead = "\ufeff" if text.startswith("\ufeff") else ""
    return _Parts(lead, "", "", "", text[len(lead) :])


def _content(parts: _Parts) -> str:
    """Return the text without the blank line before it and the newline after it, which are the file's."""
    body = _shown(parts.body)
    if parts.newline != "\n":
        body = body.replace("\r\n", "\n")
    return (body.removeprefix("\n") if parts.opening else body).removesuffix("\n")


def _shown(text: str) -> str:
    """Return text that may be stored and sent: bytes that are no UTF-8 become U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _first_heading(content: str) -> str:
    if match := _HEADING.search(content):
        return match[1]
    return next((line.strip()[:120] for line in content.splitlines() if line.strip()), "")


def _file_problems(text: str, parts: _Parts) -> list[str]:
    problems = []
    if parts.opening and not parts.closing:
        problems.append("the front matter is not closed by a line ---")
    if bad := len(_NO_UTF8.findall(text)):
        problems.append(f"{bad} byte{'s are' if bad > 1 else ' is'} not UTF-8")
    if _CONFLICT.search(text):
        problems.append("a merge conflict is not resolved")
    return problems
