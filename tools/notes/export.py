"""Notes for other readers: one Markdown page, JSON, or the notes of a release."""

import json
import re
from collections.abc import Iterable, Sequence

from ...state.notes import Note, NoteStatus, NoteType
from ..search.text import has_cjk
from .commands import as_data
from .front_matter import iso

_ORDER = (
    NoteType.BLOCKER,
    NoteType.ACTION,
    NoteType.TASK_STATE,
    NoteType.CONCLUSION,
    NoteType.REFERENCE,
    NoteType.GENERAL,
)
_HEADINGS = {
    NoteType.BLOCKER: "Blockers",
    NoteType.ACTION: "Actions",
    NoteType.TASK_STATE: "Task states",
    NoteType.CONCLUSION: "Conclusions",
    NoteType.REFERENCE: "References",
    NoteType.GENERAL: "General",
}
_SOLUTION = re.compile(r"^## (?:Solution|解决方案)\s*$", re.M)
_HEADING = re.compile(r"^(#{1,6})(?= )", re.M)
_FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def page(notes: Iterable[Note], title: str = "Notes") -> str:
    """Return all notes as one Markdown page: blockers first, then by type, in the order given."""
    by_type: dict[NoteType, list[Note]] = {}
    for note in notes:
        by_type.setdefault(note.type, []).append(note)
    parts = [f"# {title}"]
    for kind in _ORDER:
        if kind in by_type:
            parts += [f"## {_HEADINGS[kind]}", *(_section(note) for note in by_type[kind])]
    return "\n\n".join(parts) + "\n"


def as_json(notes: Iterable[Note]) -> str:
    """Return the notes as a JSON list."""
    return json.dumps([as_data(note) for note in notes], ensure_ascii=False, indent=2) + "\n"


def release_notes(notes: Sequence[Note], version: str) -> str:
    """Return what a release tells its users: fixed (solved blockers), done (completed work), known issues.

    Args:
        notes: Those of the release, for example all with its version as a tag.
        version: For the heading.
    """
    over = [note for note in notes if note.status is NoteStatus.RESOLVED]
    groups = {
        "Fixed": [note for note in over if _SOLUTION.search(note.content)],
        "Done": [note for note in over if not _SOLUTION.search(note.content)],
        "Known issues": [
            note
            for note in notes
            if note.type is NoteType.BLOCKER and note.status in (NoteStatus.OPEN, NoteStatus.IN_PROGRESS)
        ],
    }
    parts = [f"# {version}"]
    for heading, group in groups.items():
        if group:
            parts += [f"## {heading}", "\n".join(_line(note) for note in group)]
    return "\n\n".join(parts) + "\n"


def _section(note: Note) -> str:
    facts = [str(note.status), f"updated {iso(note.updated_at)[:10]}", *(f"#{tag}" for tag in note.tags)]
    facts += [f"{source.path}{':' + source.lines if source.lines else ''}" for source in note.sources]
    return f"### {note.title}\n\n*{' · '.join(facts)}* `{note.id}`\n\n{_lowered(note.content.strip())}".rstrip()


def _lowered(text: str) -> str:
    """Return Markdown with its headings three levels down, so that they stay inside their note; code is left alone."""
    parts, last = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_HEADING.sub(_deeper, text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, _HEADING.sub(_deeper, text[last:])])


def _deeper(match: re.Match[str]) -> str:
    return "#" * min(6, len(match[1]) + 3)


def _line(note: Note) -> str:
    """Return the title and, where there is one, the first line of the solution."""
    parts = _SOLUTION.split(note.content, maxsplit=1)
    said = parts[1].strip().partition("\n")[0] if len(parts) > 1 else ""
    colon = ":" if has_cjk(note.title) else ": "
    return f"- {note.title}{colon if said else ''}{said}"
