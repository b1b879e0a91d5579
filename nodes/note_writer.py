"""Keep what a turn found out: notes for the sessions to come."""

from collections.abc import Callable, Sequence
from typing import TypedDict

from ..state.errors import MaintainerError, ModelError
from ..state.notes import NoteSource, NoteStatus
from ..state.packet import ContextPacket
from ..state.session import Failure, SessionState, Usage
from ..tools.citations import place_of
from ..tools.clock import Clock
from ..tools.evidence_answer import concluded
from ..tools.models import Model
from ..tools.notes import NoteTool
from ..tools.notes.findings import NoteProposal, NoteProposals, TurnMark, headline, proposed_by_rules, write
from .prompts.texts import text

MOST_SOURCES = 8
"""Places a note is bound to."""
_ANSWER_TOKENS = 800
_LIVE = (NoteStatus.OPEN, NoteStatus.IN_PROGRESS)
_OPEN_SHOWN = 10
"""Open notes a model is shown, to say which of them are solved."""
_CODE_TYPES = frozenset({"code", "evidence", "rag", "terminal"})

Bind = Callable[[str], NoteSource]
"""Returns the source of a place written as `path` or `path:12-40`, as its lines are now."""


class NoteWriterUpdate(TypedDict, total=False):
    """What `note_writer` writes."""

    notes: list[str]
    stats: dict[str, int]
    failures: list[Failure]
    spent: Usage
    used: Usage


def note_writer(
    state: SessionState, *, notes: NoteTool, bind: Bind, clock: Clock, model: Model | None = None
) -> NoteWriterUpdate:
    """Read `request`, `answer`, `citations` and `selected`; write `notes` and `stats`.

    Running it again after a crash writes nothing twice. A turn in which the model wrote notes itself is left alone.

    Args:
        state: The session at the end of a turn.
        notes: Where they are kept.
        bind: Binds a place of the repository.
        clock: For a turn that has no start.
        model: Proposes the notes; None, or a model that fails: rules of language do.
    """
    if state.notes or not state.answer.strip():
        return {}
    spent: list[Usage] = []
    failures: list[Failure] = []
    mark = TurnMark(session=state.session, turn_id=state.turn_id, at=state.started_at or clock.now())
    written: list[str] = []
    counts = {"notes_created": 0, "notes_updated": 0}
    for proposal in _proposals(state, notes, model, spent, failures):
        try:
            sources = bound(proposal.sources or places(state), bind)
            result = write(notes, proposal, sources, mark)
        except MaintainerError as error:  # a note that cannot be kept must not cost the answer
            failures.append(Failure(where="note_writer", reason=str(error)))
            continue
        if result.note.id not in written:
            written.append(result.note.id)
            counts["notes_created" if result.created else "notes_updated"] += 1
    stats = {name: count for name, count in counts.items() if count}
    update: NoteWriterUpdate = {"notes": written, "stats": stats, "failures": failures}
    if spent:
        total = Usage(**{name: sum(getattr(each, name) for each in spent) for name in Usage.model_fields})
        update["spent"] = update["used"] = total
    return update


def places(state: SessionState) -> list[str]:
    """Return the places an answer rests on: what it cites, or else the code that was put before it."""
    cited = [place_of(each) if each.line else each.path for each in state.citations if each.valid]
    return list(dict.fromkeys(cited or [place for packet in state.selected if (place := _place(packet))]))


def bound(wanted: Sequence[str], bind: Bind) -> list[NoteSource]:
    """Return the sources for places; one that is not there (any more) is left out."""
    sources = []
    for place in wanted[:MOST_SOURCES]:
        try:
            sources.append(bind(place))
        except MaintainerError:  # the answer cites what is not there: citations say so, a note is not bound to it
            continue
    return sources


def _proposals(
    state: SessionState, notes: NoteTool, model: Model | None, spent: list[Usage], failures: list[Failure]
) -> Sequence[NoteProposal]:
    if model is not None and state.reply is not None and state.reply.model != "none":
        try:
            return _asked(state, notes, model, spent)
        except ModelError as error:
            reason = f"notes by key words, because the model failed: {error}"
            failures.append(Failure(where="note_writer", reason=reason))
    if state.reply is None or state.reply.model == "none":
        found = concluded(state)
        about = [place for place in places(state) if place.partition(":")[0] in found][:MOST_SOURCES]
        return [NoteProposal(title=headline(state.request), content=found, sources=about)] if found else []
    if not (state.citations or state.selected or state.exchanges):
        return []
    by_rules = proposed_by_rules(state.request, state.answer)
    return [by_rules] if by_rules else []


def _asked(state: SessionState, notes: NoteTool, model: Model, spent: list[Usage]) -> Sequence[NoteProposal]:
    """Return what a model proposes; only open notes it was shown can be resolved."""
    shown = [row for kind in ("blocker", "action") for row in notes.list(kind, status=_LIVE, limit=_OPEN_SHOWN // 2)]
    still_open = "\n".join(f"- {row.id}: {row.title}" for row in shown) or "-"
    user = f"[Request]\n{state.request}\n\n[Answer]\n{state.answer}\n\n[Open notes]\n{still_open}"
    answer = model.structured(
        text("notes", state.language), user, NoteProposals, max_tokens=_ANSWER_TOKENS, on_usage=spent.append
    )
    known = {row.id for row in shown}
    return [each if each.resolves in known else each.model_copy(update={"resolves": ""}) for each in answer.notes]


def _place(packet: ContextPacket) -> str:
    path, lines = packet.metadata.get("path"), packet.metadata.get("lines")
    if packet.type not in _CODE_TYPES or not isinstance(path, str):
        return ""
    return f"{path}:{lines}" if isinstance(lines, str) and lines else path
