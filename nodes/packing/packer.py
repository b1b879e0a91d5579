"""Fill the room: first what must be heard, then what is worth most, over-long texts as excerpts."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...state.packet import ContextPacket
from ...state.receipt import Removal
from ...tools.tokens import TokenCounter
from ..prompts.fence import SEPARATOR, one_line
from ..prompts.skeleton import block, place_of
from ..scoring.candidates import Candidate, Question
from .excerpt import excerpt
from .knapsack import pack

LARGE, SMALL = 0.15, 0.06
"""Shares of the room: the most relevant packet may take the larger whole; the best of other sources, and excerpts at
first, the smaller."""
TOO_LONG = 0.5
"""Share of the room from which a packet is offered as an excerpt only."""
PINNED = 0.4
"""Share of the room that pinned packets and the newest turns may take together."""
VOICE = 0.5
"""A source is heard with its best packet when that is at least half as relevant as the best of all."""
LEAST_EXCERPT = 40
"""Tokens; less of a text is not worth its place."""


@dataclass(slots=True)
class Selection:
    """What goes in, in order of worth, and what does not."""

    chosen: list[Candidate] = field(default_factory=list)
    dropped: list[Candidate] = field(default_factory=list)
    question: Question = field(default_factory=lambda: Question((), (), ""))
    removals: list[Removal] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def packets(self) -> list[ContextPacket]:
        """Return the chosen packets as they are rendered, with their marks."""
        return [marked(candidate) for candidate in self.chosen]


def cost(candidate: Candidate, counter: TokenCounter) -> int:
    """Return what a candidate's text costs in its section, with label and separator."""
    return counter.count(f"{block(candidate.packet, candidate.text)}\n{SEPARATOR}\n")


def packet_id(packet: ContextPacket) -> str:
    """Return a name for a packet's text, the same in every build."""
    known = packet.metadata.get("id")
    return (
        str(known) if known else hashlib.blake2b(packet.content.encode("utf-8", "replace"), digest_size=8).hexdigest()
    )


def marked(candidate: Candidate, longest: int | None = None) -> ContextPacket:
    """Return the packet as it stands in the prompt or in the list of the dropped, with scores and rule.

    `longest`: Characters of content kept; None: all.
    """
    marks = {
        "id": packet_id(candidate.packet),
        "score": {
            "relevance": round(candidate.relevance, 4),
            "recency": round(candidate.recency, 4),
            "total": round(candidate.score, 4),
            **{name: round(part, 4) for name, part in (candidate.parts or {}).items()},
        },
        "rule": candidate.rule,
    }
    return ContextPacket(
        content=(candidate.text or candidate.packet.content)[:longest],
        timestamp=candidate.packet.timestamp,
        token_count=candidate.tokens,
        relevance_score=candidate.relevance,
        metadata={**candidate.packet.metadata, **marks},
    )


def title_of(packet: ContextPacket) -> str:
    """Return a short name: path and lines, or the beginning of the first line."""
    if place := place_of(packet):
        return one_line(place)
    title = one_line(packet.content[:200])
    return title if len(title) <= 60 else title[:57] + "..."


class Packer:
    """Fills the room of one build."""

    def __init__(
        self,
        room: int,
        counter: TokenCounter,
        shorten: bool,
        question: Question,
        keep: Callable[[str], str],
        selection: Selection,
    ) -> None:
        self.room, self.left = room, room
        self._counter, self._shorten, self._question, self._keep = counter, shorten, question, keep
        self._selection = selection

    def pin(self, candidates: Sequence[Candidate]) -> None:
        """Take what goes in whatever the rest: pinned packets, the newest turns, the best of each source."""
        pinned = [each for each in candidates if each.pinned or each.recent]
        share = int(self.room * PINNED)
        for candidate in sorted(pinned, key=lambda each: (not each.pinned, -_time(each))):
            before = self.left
            self._take_or_cut(
                candidate, min(share, int(self.room * LARGE)), "pinned" if candidate.pinned else "recent turn"
            )
            share -= before - self.left
        heard = {each.source for each in pinned if each.rule}
        self._hear([each for each in candidates if not each.pinned and not each.recent], heard)

    def _hear(self, candidates: Sequence[Candidate], heard: set[str]) -> None:
        """Take the most relevant packet of all, and the best of each source that is not heard yet."""
        ranked = sorted(candidates, key=lambda each: -each.relevance)
        small = int(self.room * SMALL)
        for candidate in ranked:
            if candidate.relevance < VOICE * ranked[0].relevance:
                break
            # Who scores a packet knows its worth: it gets no more than a voice beside that.
            if candidate is ranked[0]:
                self._take_or_cut(
                    candidate, small if candidate.settled else int(self.room * LARGE), "most relevant", small
                )
            elif candidate.source not in heard and not candidate.settled:
                self._take_or_cut(candidate, small, f"best of {candidate.source}")
            heard.add(candidate.source)

    def fill(self, candidates: Sequence[Candidate], values: Sequence[float]) -> None:
        """Give the rest of the room to the largest total value; then to more of what was cut."""
        open_ = [(each, value) for each, value in zip(candidates, values, strict=True) if not each.rule]
        if self._shorten:
            for candidate, _ in open_:
                if candidate.tokens > self.left or candidate.tokens > self.room * TOO_LONG:
                    self._cut(candidate, int(self.room * SMALL))
        taken = pack([value for _, value in open_], [each.tokens for each, _ in open_], self.left)
        for place in taken:
            self._take(open_[place][0], "worth its tokens")
        if self._shorten:
            best = max((each for each, _ in open_ if not each.rule), key=lambda each: each.score, default=None)
            if best is not None and self.left >= 2 * LEAST_EXCERPT and self._cut(best, self.left):
                self._take(best, "worth its tokens")
            self._grow()
        self._note_removals()

    def _grow(self) -> None:
        """Give what room is left to excerpts, the most valuable first."""
        for candidate in self._selection.chosen:
            if self.left >= LEAST_EXCERPT and candidate.text != candidate.packet.content:
                before = candidate.tokens
                if self._cut(candidate, before + self.left):
                    self.left += before - candidate.tokens

    def _take_or_cut(self, candidate: Candidate, whole: int, rule: str, cut: int | None = None) -> None:
        if candidate.tokens <= min(whole, self.left) or (
            self._shorten and self._cut(candidate, min(whole if cut is None else cut, self.left))
        ):
            self._take(candidate, rule)

    def _take(self, candidate: Candidate, rule: str) -> None:
        shortened = "" if candidate.text == candidate.packet.content else ", shortened to its best lines"
        candidate.rule = rule + shortened
        self.left -= candidate.tokens
        self._selection.chosen.append(candidate)

    def _cut(self, candidate: Candidate, tokens: int) -> bool:
        """Replace a candidate's text by an excerpt that costs at most so many tokens; False where none is worth it."""
        content = candidate.packet.content
        whole_tokens, whole_text = candidate.tokens, candidate.text
        candidate.text = content
        whole = cost(candidate, self._counter)
        if whole <= tokens:
            candidate.tokens = whole
            return True
        candidate.text = ""
        around = cost(candidate, self._counter)
        if tokens - around >= LEAST_EXCERPT:
            handle = candidate.packet.metadata.get("handle")
            note = f"{whole} tokens in all" + (f", read them with expand({handle!r})" if handle else "")
            candidate.text = excerpt(content, tokens - around - 2, self._counter, self._question.relevance, note)
            candidate.tokens = cost(candidate, self._counter)
            if candidate.text and candidate.tokens <= tokens:
                return True
        candidate.text, candidate.tokens = whole_text, whole_tokens
        return False

    def _note_removals(self) -> None:
        for candidate in self._selection.chosen:
            if candidate.text != candidate.packet.content:
                handle = str(candidate.packet.metadata.get("handle") or "") or self._keep(candidate.packet.content)
                gone = self._counter.count(candidate.packet.content) - self._counter.count(candidate.text)
                self._selection.removals.append(
                    Removal(what=title_of(candidate.packet), tokens=max(gone, 0), rule="too long", handle=handle)
                )


def _time(candidate: Candidate) -> float:
    when = candidate.packet.timestamp
    return when.timestamp() if when else float("inf")
