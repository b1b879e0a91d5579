"""What a turn found, as notes: proposed by rules or by a model, written once, the same finding into the same note."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import NAMESPACE_OID, uuid5

from pydantic import BaseModel, ConfigDict, Field

from ...state.notes import Note, NoteSource, NoteStatus, NoteType
from ..search import tokenize
from .lifecycle import resolved
from .origin import origin, turn_of
from .tool import NoteTool

MOST = 3
"""Notes of one turn."""
SAME_TITLE = 0.8
"""Share of common terms from which two titles of one type name the same finding."""
_LONGEST = 6000
"""Characters of an answer that are kept in a note; the whole answer is in the archive."""
_LIVE = (NoteStatus.OPEN, NoteStatus.IN_PROGRESS, NoteStatus.RESOLVED)


class NoteProposal(BaseModel):
    """One note a model proposes."""

    model_config = ConfigDict(frozen=True, str_strip_whitespace=True)

    title: str = Field(min_length=1, max_length=200, description="What was found, in one line")
    content: str = Field(min_length=1, max_length=20_000, description="Markdown; places as path:line")
    type: NoteType = NoteType.CONCLUSION
    tags: list[str] = Field(default_factory=list, max_length=8)
    sources: list[str] = Field(default_factory=list, max_length=8, description="path:12-40")
    resolves: str = Field(default="", description="Id of an open note that is solved by this")


class NoteProposals(BaseModel):
    """What a model answers when it is asked for the notes of a turn; no notes is an answer, too."""

    notes: list[NoteProposal] = Field(default_factory=list, max_length=MOST)


@dataclass(frozen=True, kw_only=True)
class TurnMark:
    """Which turn a note comes from: what is written twice after a crash is known by it."""

    session: str
    turn_id: str
    at: datetime

    def note_id(self, body: str) -> str:
        """Return the id of a note of this turn: the same whenever the turn is run again."""
        digits = uuid5(NAMESPACE_OID, f"{self.session}\n{self.turn_id}\n{body}").hex[:8]
        return f"note_{self.at:%Y%m%d_%H%M%S}_{digits}"


@dataclass(frozen=True)
class Written:
    """A note of this turn."""

    note: Note
    created: bool
    """False where the finding had a note already."""


def proposed_by_rules(request: str, answer: str) -> NoteProposal | None:
    """Return the note of a turn by key words, English and Chinese; None where nothing was found out.

    An answer that speaks of a problem is a blocker, a request for a plan gives an action, all else a conclusion
    (Hello-Agents, ch. 9.6). Better than the classic rule: code and quotations do not speak, and "no errors" or
    "没有问题" is no problem.
    """
    said = prose(answer)
    title = headline(request)
    if not said.strip() or not title:
        return None
    kind = NoteType.CONCLUSION
    if problem := problem_in(said):
        kind, title = NoteType.BLOCKER, headline(problem)
    elif _PLAN.search(request):
        kind = NoteType.ACTION
    content = answer.strip()
    if len(content) > _LONGEST:
        content = content[:_LONGEST].rsplit("\n", 1)[0] + "\n\n…"
    return NoteProposal(title=title, content=content, type=kind)


def prose(answer: str) -> str:
    """Return what an answer says itself: without code, tables, quotations, headings of other notes and places."""
    text = _NOTE.sub("\n", _FENCE.sub("\n", answer))
    lines = [line for line in text.splitlines() if not line.startswith(("    ", "\t", ">", "|"))]
    return _PLACE.sub(" ", _CODE.sub(" ", "\n".join(lines)))


def problem_in(text: str) -> str:
    """Return the first sentence that says there is a problem, or `""`; a denied problem is none."""
    for sentence in _SENTENCE.findall(text):
        if _PROBLEM.search(_DENIED.sub(" ", sentence)):
            return str(sentence)
    return ""


def write(notes: NoteTool, proposal: NoteProposal, sources: Sequence[NoteSource], mark: TurnMark) -> Written:
    """Write a proposal into the note of the same finding, or into a new one; running it again changes nothing.

    Raises:
        InvalidNote, StoreError: See `NoteTool.create`.
    """
    same = same_finding(notes, proposal)
    if same is None:
        note = notes.create(
            proposal.title,
            proposal.content,
            proposal.type,
            proposal.tags,
            sources=sources,
            extra=origin(mark.session, mark.turn_id),
            note_id=mark.note_id(f"{proposal.type}\n{proposal.title}\n{proposal.content}"),
            created_at=mark.at,
        )
        written = Written(note, created=True)
    elif turn_of(same) == mark.turn_id:
        written = Written(same, created=same.version == 1)
    else:
        written = Written(notes.change(same.id, lambda note: _updated(note, proposal, sources, mark)), created=False)
    if proposal.resolves:
        _resolve(notes, proposal, written.note)
    return written


def same_finding(notes: NoteTool, proposal: NoteProposal) -> Note | None:
    """Return the note that already tells this finding: of the same type, with nearly the same title."""
    wanted = set(tokenize(proposal.title))
    for note in notes.search(proposal.title, note_type=proposal.type, status=_LIVE, limit=5):
        terms = set(tokenize(note.title))
        if note.title == proposal.title or len(wanted & terms) >= SAME_TITLE * max(1, len(wanted | terms)):
            return note
    return None


def _updated(note: Note, proposal: NoteProposal, sources: Sequence[NoteSource], mark: TurnMark) -> Note:
    status = NoteStatus.OPEN if note.status is NoteStatus.RESOLVED and note.type is NoteType.ACTION else note.status
    return replace(
        note,
        content=proposal.content,
        tags=tuple(dict.fromkeys((*note.tags, *proposal.tags))),
        sources=tuple(sources) or note.sources,
        status=status,
        extra={**note.extra, **origin(mark.session, mark.turn_id)},
    )


def _resolve(notes: NoteTool, proposal: NoteProposal, by: Note) -> None:
    solved = notes.store.peek(proposal.resolves)
    if solved and solved.id != by.id and solved.status in (NoteStatus.OPEN, NoteStatus.IN_PROGRESS):
        notes.change(solved.id, lambda note: resolved(note, f"{proposal.title} ({by.id})\n\n{proposal.content}"))


def headline(text: str) -> str:
    """Return the first line of a text that says something, without marks, as a title of at most 120 characters."""
    line = next((line.strip(" #*-\t") for line in text.splitlines() if line.strip(" #*-\t")), "")
    return line if len(line) <= 120 else line[:117] + "..."


_FENCE = re.compile(r"^\s*(```|~~~).*?^\s*\1[^\n]*$", re.M | re.S)
_NOTE = re.compile(r"^\W*\[Note: [^\n]*", re.M)
"""A heading as `NoteContext` writes it: taken for the answer's own words, one note would beget the next."""
_CODE = re.compile(r"`[^`\n]*`")
_PLACE = re.compile(r"[\w./\\-]+\.\w{1,5}(?::\d+(?:-\d+)?)?")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")
_WORDS = (
    r"(?:problems?|bugs?|errors?|blockers?|blocked|blocking|defects?|failures?|fails|failing|crash(?:es|ed)?|broken)"
)
_WORDS_ZH = r"(?:问题|错误|阻塞|故障|缺陷|报错|崩溃)"
_PROBLEM = re.compile(rf"\b{_WORDS}\b|{_WORDS_ZH}", re.I)
_DENIED = re.compile(
    rf"\b(?:no|not|without|any|zero|0|never)\s+(?:[\w-]+\s+){{0,3}}?{_WORDS}\b(?:\s+(?:and|or|nor)\s+{_WORDS}\b)*"
    rf"|(?:没有|未发现|未见|不存在|不是|没|无|毫无)[^,，。；;\n]{{0,6}}?{_WORDS_ZH}(?:[和或、]{_WORDS_ZH})*"
    rf"|{_WORDS}[- ](?:handling|handlers?|messages?|codes?|types?|class(?:es)?|pages?|tree|free)\b"
    rf"|(?:这个|该|此|您的|你的|本)问题|问题(?:是|在于)?[:：?？]|错误(?:处理|信息|码|类型|页)",
    re.I,
)
_PLAN = re.compile(
    r"\b(?:plans?|planning|next steps?|tasks?|to-?dos?|roadmap)\b|计划|下一步|任务|待办|规划|路线图", re.I
)
