"""The project's notes: found, read and written."""

from collections.abc import Callable
from uuid import NAMESPACE_OID, uuid5

from pydantic import Field

from ...state.notes import Note, NoteSource, NoteType
from ..notes import NoteTool
from ..notes.origin import origin
from ..secrets import mask
from .tool import Arguments, Asked, Caller, Outcome, Tool

Bind = Callable[[str], NoteSource]
"""Returns the source of a place written as `path` or `path:12-40`, as its lines are now."""
MOST_FOUND = 5
MILESTONES = frozenset({NoteType.TASK_STATE, NoteType.CONCLUSION})
"""Types of notes that are put to the user first where approvals are on."""


class Wanted(Arguments):
    """Arguments of `notes_search`."""

    query: str = Field(description="Words, or a note's id")


class Written(Arguments):
    """Arguments of `note_write`."""

    title: str = Field(min_length=1, max_length=200)
    content: str = Field(description="Markdown, with path:line", min_length=1, max_length=20_000)
    type: NoteType = NoteType.CONCLUSION
    sources: list[str] = Field(default_factory=list, max_length=10, description="path:12-40")
    replaces: str = Field("", description="Id of the note to rewrite")
    solved: bool = Field(False, description="A blocker or action is over")


def notes_search_tool(notes: NoteTool) -> Tool:
    """Return the tool that finds and reads notes."""

    def run(arguments: Wanted, _: Caller) -> Outcome:
        if arguments.query.startswith("note_") and " " not in arguments.query:
            return Outcome(text=_whole(notes.read(arguments.query)))
        found = notes.search(arguments.query, limit=MOST_FOUND)
        return Outcome(text="\n---\n".join(map(_whole, found)) or "No note fits. Try other words.")

    return Tool(
        name="notes_search",
        description="Find notes of earlier sessions: findings, blockers, plans. They may be stale.",
        arguments=Wanted,
        run=run,
    )


def note_write_tool(notes: NoteTool, bind: Bind, *, approvals: bool = False) -> Tool:
    """Return the tool that writes notes; with `approvals`, notes at milestones are put to the user first."""

    def run(arguments: Written, caller: Caller) -> Outcome:
        title, content = mask(arguments.title), mask(arguments.content)
        sources = [bind(place) for place in arguments.sources]
        written_in = origin(caller.session, caller.turn_id)
        if arguments.replaces:
            note = notes.update(
                arguments.replaces,
                title=title,
                content=content,
                note_type=arguments.type,
                sources=sources or None,
                extra={**notes.read(arguments.replaces).extra, **written_in},
            )
        else:
            once = once_id(caller, f"{arguments.type}\n{title}\n{content}")
            note = notes.create(
                title,
                content,
                arguments.type,
                sources=sources,
                extra=written_in,
                note_id=once,
                created_at=caller.started_at,
            )
        if arguments.solved:
            note = notes.resolve(note.id, "")
        count, verb = ("notes_updated", "Rewrote") if arguments.replaces else ("notes_created", "Wrote")
        return Outcome(text=f"{verb} {note.id}.", counts={count: 1}, notes=[note.id])

    def ask(arguments: Written, _: Caller) -> Asked | None:
        if not approvals or arguments.type not in MILESTONES:
            return None
        return Asked(what=f"{arguments.title}\n\n{arguments.content}", reason=f"a note of type {arguments.type}")

    return Tool(
        name="note_write",
        description="Keep a finding for later sessions; rewrite its note where there is one.",
        arguments=Written,
        run=run,
        ask=ask,
    )


def once_id(caller: Caller, body: str) -> str:
    """Return an id that is the same when the turn is run again after a crash, so that nothing is written twice."""
    digits = uuid5(NAMESPACE_OID, f"{caller.session}\n{caller.turn_id}\n{body}").hex[:8]
    return f"note_{caller.started_at:%Y%m%d_%H%M%S}_{digits}"


def _whole(note: Note) -> str:
    places = [f"{source.path}:{source.lines}" if source.lines else source.path for source in note.sources]
    head = f"[Note: {note.title}] {note.id} ({note.type}, {note.status}, {note.updated_at:%Y-%m-%d})"
    return "\n".join([head, *([f"about {', '.join(places)}"] if places else []), note.content])
