"""Notes as packets for a prompt: blockers first, then what fits the question, each with its age and its state."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from types import MappingProxyType

from ...state.errors import StoreError
from ...state.notes import Note, NoteStatus, NoteType, SourceState
from ...state.packet import ContextPacket, Need
from ..clock import Clock
from ..search.text import has_cjk
from ..tokens import TokenCounter
from .front_matter import iso
from .origin import Lines
from .review import NoteCheck, NoteReview
from .tool import NoteTool

RELEVANCE: Mapping[NoteType, float] = MappingProxyType(
    {
        NoteType.BLOCKER: 0.9,
        NoteType.ACTION: 0.8,
        NoteType.TASK_STATE: 0.75,
        NoteType.CONCLUSION: 0.7,
        NoteType.REFERENCE: 0.6,
        NoteType.GENERAL: 0.6,
    }
)
"""Of a note by its type (Hello-Agents, ch. 9.4)."""
STALE_SHARE = 0.5
"""Of its relevance that a note keeps when the code it speaks of has changed."""
_LIVE = (NoteStatus.OPEN, NoteStatus.IN_PROGRESS)
_TRUE = (*_LIVE, NoteStatus.RESOLVED)
_LEAST_TOKENS = 50
"""Room under which a note is left out rather than cut."""


class NotesSource:
    """A `PacketSource` of notes: at most `blockers` + `found` of them, in at most `max_tokens`.

    Args:
        tool: The notes.
        review: Checks them against the code and queues what is stale; None: no note is verified.
        lines: Tells notes of other branches of the session; None: they are not marked.
        clock: For the age of a note.
        counter: Counts the tokens of the share.
        max_tokens: Of all notes together (default: a fifth of the maintainer's 4,000).
        blockers: Open blockers shown whatever the question is.
        found: Notes found by the question.
        timeout_s: How long a build waits, in seconds.
    """

    name = "notes"

    def __init__(
        self,
        tool: NoteTool,
        review: NoteReview | None,
        *,
        lines: Lines | None = None,
        clock: Clock,
        counter: TokenCounter,
        max_tokens: int = 800,
        blockers: int = 2,
        found: int = 3,
        timeout_s: float = 3.0,
    ) -> None:
        self._tool, self._review, self._clock, self._counter = tool, review, clock, counter
        self._lines = lines
        self._max_tokens, self._blockers, self._found = max_tokens, blockers, found
        self.timeout_s = timeout_s

    def packets(self, need: Need) -> Sequence[ContextPacket]:
        """Return open blockers, newest first, then notes on the question by relevance, stale ones last."""
        rows = self._tool.list("blocker", status=_LIVE, limit=self._blockers)
        blockers = [note for row in rows if (note := self._tool.store.peek(row.id))]
        known = {note.id for note in blockers}
        found = [note for note in self._answers(need) if note.id not in known]
        checks = {note.id: self._review.look(note) for note in (*blockers, *found)} if self._review else {}
        if self._review:
            with suppress(StoreError):  # a queue that cannot be written must not cost the evidence; `verify` tells
                self._review.enqueue(checks.values())
        found.sort(key=lambda note: _relevance(note, checks.get(note.id)), reverse=True)
        beside = {note.id for note in (*blockers, *found) if self._lines and self._lines.is_beside(note, need.head)}
        chinese = has_cjk(need.text)
        shown = (
            self._packet(note, checks.get(note.id), chinese=chinese, beside=note.id in beside)
            for note in (*blockers, *found)
        )
        return list(self._within(shown))

    def _answers(self, need: Need) -> list[Note]:
        """Return the notes on the question, and where it says too little ("continue"), on the goal of the session."""
        found = self._tool.search(need.text, limit=self._found, status=_TRUE)
        if len(found) < self._found and need.goal and need.goal != need.text:
            known = {note.id for note in found}
            found += [
                note for note in self._tool.search(need.goal, limit=self._found, status=_TRUE) if note.id not in known
            ]
        return found[: self._found]

    def _packet(self, note: Note, check: NoteCheck | None, *, chinese: bool, beside: bool) -> ContextPacket:
        state = check.state if check else SourceState.UNVERIFIABLE
        head = heading(note, check, self._clock.now(), chinese=chinese)
        if beside:
            head += "\n" + (_BESIDE_ZH if chinese else _BESIDE_EN)
        metadata = {
            "type": "note",
            "source": self.name,
            "note_id": note.id,
            "note_type": str(note.type),
            "title": note.title,
            "status": str(note.status),
            "state": str(state),
            "updated_at": iso(note.updated_at),
        }
        if beside:
            metadata["branch"] = "other"
        if note.sources:
            metadata |= {"path": note.sources[0].path, "lines": note.sources[0].lines}
        return ContextPacket(
            content=f"{head}\n{note.content}",
            timestamp=note.updated_at,
            relevance_score=_relevance(note, check),
            metadata=metadata,
        )

    def _within(self, packets: Iterator[ContextPacket]) -> Iterator[ContextPacket]:
        """Yield packets while they fit the share; the first that does not is cut, and says where the rest is."""
        left = self._max_tokens
        for packet in packets:
            size = self._counter.count(packet.content)
            if size <= left:
                left -= size
                yield packet
            elif left >= _LEAST_TOKENS:
                rest = f"\n[... {packet.metadata['note_id']} ...]"
                text = self._counter.head(packet.content, left - self._counter.count(rest)) + rest
                left = 0
                yield ContextPacket(
                    content=text,
                    timestamp=packet.timestamp,
                    relevance_score=packet.relevance_score,
                    metadata={**packet.metadata, "cut": True},
                )


def heading(note: Note, check: NoteCheck | None, now: datetime, *, chinese: bool) -> str:
    """Return the first line of a note in a prompt: title, type, status, age, and whether its code has changed."""
    days = max(0, (now - note.updated_at).days)
    if chinese:
        return f"[笔记:{note.title}]({note.type}, {note.status}, {days} 天前更新; {_state(check, chinese=True)})"
    age = "today" if days == 0 else f"{days} day{'s' if days > 1 else ''} ago"
    return f"[Note: {note.title}] ({note.type}, {note.status}, updated {age}; {_state(check, chinese=False)})"


def _state(check: NoteCheck | None, *, chinese: bool) -> str:
    state = check.state if check else SourceState.UNVERIFIABLE
    words = _STATES_ZH if chinese else _STATES_EN
    places = [one for one in check.sources if one.state is state] if check else []
    where = "; ".join(f"{one.source.path}: {one.reason}" for one in places if one.reason)
    return f"{words[state]}: {where}" if where else words[state]


_BESIDE_EN = "OTHER BRANCH: made after the fork, on the line this session is not on; decisions in it were not made here"
_BESIDE_ZH = "OTHER BRANCH,分叉之后在另一条线上写下;其中的决定不属于本会话"
_STATES_EN = {
    SourceState.FRESH: "FRESH, its code is unchanged",
    SourceState.MOVED: "FRESH, its code has moved",
    SourceState.STALE: "STALE, its code has changed since: check before you rely on it",
    SourceState.UNVERIFIABLE: "UNVERIFIABLE, no code to check it against",
}
_STATES_ZH = {
    SourceState.FRESH: "FRESH,相关代码未变",
    SourceState.MOVED: "FRESH,相关代码已移动",
    SourceState.STALE: "STALE,相关代码此后有改动,使用前请核对",
    SourceState.UNVERIFIABLE: "UNVERIFIABLE,没有可核对的代码",
}


def _relevance(note: Note, check: NoteCheck | None) -> float:
    kind = NoteType.CONCLUSION if note.status is NoteStatus.RESOLVED else note.type  # what is solved does not press
    stale = check is not None and check.state is SourceState.STALE
    return RELEVANCE[kind] * (STALE_SHARE if stale else 1.0)
