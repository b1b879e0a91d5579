"""How a note ages: solved, replaced, closed. Pure: a note in, the note it becomes out."""

from dataclasses import replace
from difflib import unified_diff

from ...state.notes import Note, NoteStatus, NoteType, Relation
from ..search.text import has_cjk

COMPLETED = "completed"
"""Tag of a closed task."""


def resolved(note: Note, solution: str) -> Note:
    """Return the note closed with its solution; a blocker becomes a conclusion, an action or task is completed."""
    heading = "## 解决方案" if has_cjk(note.title + solution) else "## Solution"
    done = note.type in (NoteType.ACTION, NoteType.TASK_STATE)
    return replace(
        note,
        type=NoteType.CONCLUSION if note.type is NoteType.BLOCKER else note.type,
        status=NoteStatus.RESOLVED,
        content=f"{note.content.rstrip()}\n\n{heading}\n\n{solution.strip()}" if solution.strip() else note.content,
        tags=with_tag(note.tags, COMPLETED) if done else note.tags,
    )


def superseding(note: Note, older: str) -> Note:
    """Return the note with a link that says it took the place of an older one."""
    links = {relation: list(ids) for relation, ids in note.links.items()}
    named = links.setdefault(str(Relation.SUPERSEDES), [])
    if older not in named:
        named.append(older)
    return replace(note, links=links)


def superseded(note: Note) -> Note:
    """Return the note marked as replaced."""
    return replace(note, status=NoteStatus.SUPERSEDED)


def archived(note: Note) -> Note:
    """Return the note out of the way: kept, readable, no longer in lists, searches and prompts."""
    return replace(note, status=NoteStatus.ARCHIVED, tags=with_tag(note.tags, "archived"))


def with_tag(tags: tuple[str, ...], tag: str) -> tuple[str, ...]:
    """Return the tags with one more, if it is not among them."""
    return tags if tag in tags else (*tags, tag)


def unified(before: Note, after: Note) -> str:
    """Return what changed in title, type, status, tags and text as a unified diff; empty if nothing did."""
    lines = unified_diff(
        _shown(before), _shown(after), f"{before.id} v{before.version}", f"{after.id} v{after.version}", lineterm=""
    )
    return "\n".join(lines)


def _shown(note: Note) -> list[str]:
    head = [f"title: {note.title}", f"type: {note.type}", f"status: {note.status}", f"tags: {', '.join(note.tags)}"]
    return [*head, "", *note.content.split("\n")]
