"""Keeping notes useful: what was temporary is promoted or let go, what says the same is merged, what is over is filed.

A dry run first: `plan` says what would be done and why, `apply` does it. No text is deleted: what goes is archived or
superseded, and every change has its history.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal
from zlib import crc32

from ...state.notes import Note, NoteRow, NoteStatus, NoteType
from ..search import tokenize
from .lifecycle import COMPLETED, archived, superseding, with_tag
from .tool import NoteTool

IDLE = timedelta(days=30)
"""An action nobody touched for so long is closed; a temporary note nobody uses is archived."""
OLD = timedelta(days=90)
"""What is over for so long may be archived when there are too many notes."""
MANY = 1000
"""Notes in use, above which the oldest that are over are archived: blockers, actions and tasks at work never."""
SAME = 0.8
"""Share of common three-word sequences from which two notes of one type say the same."""
TEMPORARY = frozenset({"temporary", "temp", "tmp", "draft", "临时", "草稿"})
_SKETCH = 8
_WORK = (NoteType.BLOCKER, NoteType.ACTION, NoteType.TASK_STATE)
_LIVE = (NoteStatus.OPEN, NoteStatus.IN_PROGRESS)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One thing curation would do."""

    action: Literal["promote", "merge", "close", "archive"]
    note_id: str
    title: str
    version: int
    """Of the note when the plan was made."""
    into: str = ""
    """For a merge: the note that stays."""
    reason: str


def plan(rows: Sequence[NoteRow], load: Callable[[str], Note | None], now: datetime, *, many: int = MANY) -> list[Step]:
    """Return what curation would do, each note at most once.

    Args:
        rows: All notes, newest first.
        load: Gives the text of a note.
        now: The present moment.
        many: See `MANY`.
    """
    used = {key for row in rows for keys in row.links.values() for key in keys}
    steps: dict[str, Step] = {}
    live = [row for row in rows if row.status not in (NoteStatus.ARCHIVED, NoteStatus.SUPERSEDED)]
    for step in (*_single_steps(live, used, now), *_merges(live, load)):
        if step.note_id not in steps and step.into not in steps:
            steps[step.note_id] = step
    touched = steps.keys() | {step.into for step in steps.values()}
    kept = [row for row in rows if row.status is not NoteStatus.ARCHIVED and row.id not in touched]
    for row in _surplus(kept, now, many):
        reason = f"{len(kept)} notes are in use and this one has been over since {row.updated_at:%Y-%m-%d}"
        steps[row.id] = Step(action="archive", note_id=row.id, title=row.title, version=row.version, reason=reason)
    return list(steps.values())


def apply(tool: NoteTool, steps: Sequence[Step]) -> int:
    """Do the steps and return how many were done; a note that is gone or was changed meanwhile is passed over.

    Raises:
        StoreError: A note cannot be written.
    """
    return sum(_apply_one(tool, step) for step in steps)


def _single_steps(rows: Sequence[NoteRow], used: set[str], now: datetime) -> Iterator[Step]:
    for row in rows:
        tags = {tag.lower() for tag in row.tags}
        idle = now - row.updated_at
        done = COMPLETED in tags or row.status is NoteStatus.RESOLVED

        def step(action: Literal["promote", "close", "archive"], reason: str, row: NoteRow = row) -> Step:
            return Step(action=action, note_id=row.id, title=row.title, version=row.version, reason=reason)

        if row.type is NoteType.TASK_STATE and done:
            yield step("promote", "the task is done: its state is now a conclusion")
        elif tags & TEMPORARY and (row.id in used or row.version > 2):
            yield step("promote", "marked as temporary, yet other notes or later updates rely on it")
        elif tags & TEMPORARY and idle > IDLE:
            yield step("archive", f"marked as temporary and not used for {idle.days} days")
        elif row.type is NoteType.ACTION and row.status in _LIVE and done:
            yield step("close", f"tagged {COMPLETED}, but still open")
        elif row.type is NoteType.ACTION and row.status in _LIVE and idle > IDLE:
            yield step("close", f"nobody has touched this action for {idle.days} days")


def _merges(rows: Sequence[NoteRow], load: Callable[[str], Note | None]) -> Iterator[Step]:
    """Find notes that say nearly the same; the newest stays."""
    shingles: dict[str, frozenset[int]] = {}
    alike: dict[tuple[NoteType, int], list[str]] = defaultdict(list)
    by_id = {row.id: row for row in rows}
    for row in rows:  # newest first
        note = load(row.id)
        words = _shingles(f"{note.title}\n{note.content}") if note else frozenset()
        if not words:
            continue
        sketch = [(row.type, number) for number in sorted(words)[:_SKETCH]]
        common = Counter(key for place in sketch for key in alike[place])
        for key, _ in common.most_common(3):
            share = len(words & shingles[key]) / len(words | shingles[key])
            if share >= SAME:
                reason = f"{share:.0%} the same as the newer {by_id[key].title!r}"
                yield Step(
                    action="merge", note_id=row.id, title=row.title, version=row.version, into=key, reason=reason
                )
                break
        else:
            shingles[row.id] = words
            for place in sketch:
                alike[place].append(row.id)


def _shingles(text: str) -> frozenset[int]:
    words = tokenize(text)
    return frozenset(crc32(" ".join(words[start : start + 3]).encode()) for start in range(max(1, len(words) - 2)))


def _surplus(rows: Sequence[NoteRow], now: datetime, many: int) -> list[NoteRow]:
    """Return the notes beyond `many` that are over: replaced ones first, then solved ones, then the oldest others."""
    over = [row for row in rows if now - row.updated_at > OLD and not (row.type in _WORK and row.status in _LIVE)]
    rank: Mapping[NoteStatus, int] = {NoteStatus.SUPERSEDED: 0, NoteStatus.RESOLVED: 1}
    over.sort(key=lambda row: (rank.get(row.status, 2), row.updated_at))
    return over[: max(0, len(rows) - many)]


def _apply_one(tool: NoteTool, step: Step) -> bool:
    note = tool.store.peek(step.note_id)
    if note is None or note.version != step.version:
        return False
    if step.action == "merge":
        newer = tool.store.peek(step.into)
        if newer is None:
            return False
        tool.change(step.into, lambda kept: _merged(kept, note))
        tool.change(step.note_id, lambda old: replace(old, status=NoteStatus.SUPERSEDED))
    else:
        tool.change(step.note_id, _EDITS[step.action])
    return True


def _merged(kept: Note, note: Note) -> Note:
    """Return the note that stays with the tags, sources and links of the one that goes."""
    kept = superseding(kept, note.id)
    links = {relation: list(ids) for relation, ids in kept.links.items()}
    for relation, ids in note.links.items():
        known = links.setdefault(relation, [])
        known += [key for key in ids if key not in known and key != kept.id]
    return replace(
        kept,
        tags=tuple(dict.fromkeys((*kept.tags, *note.tags))),
        sources=tuple(dict.fromkeys((*kept.sources, *note.sources))),
        links=links,
    )


def _promoted(note: Note) -> Note:
    tags = tuple(tag for tag in note.tags if tag.lower() not in TEMPORARY)
    if note.type is NoteType.TASK_STATE:
        return replace(note, type=NoteType.CONCLUSION, status=NoteStatus.RESOLVED, tags=with_tag(tags, COMPLETED))
    kind = NoteType.REFERENCE if note.type is NoteType.GENERAL else note.type
    return replace(note, type=kind, tags=tags)


def _closed(note: Note) -> Note:
    if COMPLETED in note.tags:
        return replace(note, status=NoteStatus.RESOLVED)
    return archived(replace(note, tags=with_tag(note.tags, "stale")))


_EDITS: Mapping[str, Callable[[Note], Note]] = {"promote": _promoted, "close": _closed, "archive": archived}
