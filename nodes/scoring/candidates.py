"""A candidate: a packet with its marks, while it is being judged."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ...state.packet import ContextPacket
from ...state.settings import ContextConfig
from .concepts import Concept
from .freshness import freshness
from .meaning import Meaning, closeness
from .relevance import coverage, enough, rarity, spoken_of

OWN = 0.5
"""Share of a source's own score in the relevance of its packets; the rest is what all sources are measured by."""
UNKNOWN = 0.5
"""Relevance while a request speaks of nothing that could be looked for (classic default)."""
RECENT = 0.6
"""Least relevance of the newest turns: "Why?" shares no word with anything (Hello-Agents, ch. 9.3)."""
SHORTLIST = 256
"""Candidates judged exactly, at least; the others only by whether the words are there."""
CHARACTERS_PER_TOKEN = 4
"""Of plain English; only to guess how many candidates could fill the room."""

KIND_OF_TYPE = {
    "conversation_history": "history",
    "rag": "evidence",
    "rag_result": "evidence",
    "code": "evidence",
    "terminal": "evidence",
    "knowledge": "evidence",
}
"""Names used by `ContextConfig.type_weights`, where they differ from the type."""


@dataclass(slots=True)
class Candidate:
    """A packet and what was found out about it."""

    packet: ContextPacket
    kind: str
    """Its type; for a note the note's own type."""
    source: str = ""
    relevance: float = 0.0
    recency: float = 0.0
    score: float = 0.0
    tokens: int = 0
    """What it costs in the prompt, fence included; 0 until counted."""
    parts: dict[str, float] = field(default_factory=dict)
    rule: str = ""
    """Why it is in or out."""
    text: str = ""
    """What is rendered: the content made harmless, or an excerpt of it."""

    @property
    def pinned(self) -> bool:
        """Return whether it goes in whatever its relevance."""
        return bool(self.packet.metadata.get("pinned"))

    @property
    def recent(self) -> bool:
        """Return whether it is one of the newest turns."""
        return bool(self.packet.metadata.get("recent"))


@dataclass(frozen=True, slots=True)
class Question:
    """What relevance is measured against: concepts, and their weights for one pool of candidates."""

    concepts: tuple[Concept, ...]
    weights: tuple[float, ...]
    text: str

    def relevance(self, text: str) -> float:
        """Return the share of the question a text speaks of, in [0, 1]."""
        return coverage(self.concepts, self.weights, text)


def kind_of(packet: ContextPacket) -> str:
    """Return what a packet is: its type, or for a note the type of note."""
    kind = packet.type
    return str(packet.metadata.get("note_type") or kind) if kind == "note" else kind


@dataclass(frozen=True, slots=True)
class Judged:
    """A pool after scoring."""

    short: list[Candidate]
    """The candidates worth packing, judged exactly, best first."""
    rest: list[Candidate]
    """The others, judged by whether the words are there at all."""
    question: Question


def judge(
    packets: Sequence[ContextPacket],
    concepts: tuple[Concept, ...],
    text: str,
    config: ContextConfig,
    now: datetime,
    *,
    room: int,
    meaning: Meaning | None = None,
) -> Judged:
    """Return all packets with their scores, and the question as weighed for this pool.

    Every packet is measured by the same yard: for all of them whether the words are there, for a shortlist of what
    could fill `room` tokens twice the exact match, and for pools of at most 256 closeness of meaning too. The cost is
    linear in the packets.

    Raises:
        SearchError: The embedder cannot be used.
    """
    pool = [Candidate(packet, kind_of(packet), packet.source) for packet in packets]
    lowered = [packet.content.lower() for packet in packets]
    spoken = [spoken_of(concept, lowered) for concept in concepts]
    weights = tuple(
        concept.weight * rarity(sum(found), len(pool)) for concept, found in zip(concepts, spoken, strict=True)
    )
    question = Question(concepts, weights, text)
    rough = [0.0] * len(pool)
    for weight, found in zip(weights, spoken, strict=True):
        share = weight / enough(weights)
        rough = [sofar + share if there else sofar for sofar, there in zip(rough, found, strict=True)]
    for candidate, words in zip(pool, rough, strict=True):
        candidate.recency = freshness(candidate.kind, candidate.packet.timestamp, now)
        _score(candidate, min(1.0, words) if concepts else None, config)
    short, rest = _shortlist(pool, room)
    near = [0.0] * len(short) if rest else closeness(meaning, text, [each.packet.content for each in short])
    for candidate, close in zip(short, near, strict=True):
        _score(candidate, question.relevance(candidate.packet.content) if concepts else None, config, close)
    short.sort(key=lambda candidate: -candidate.score)
    return Judged(short, rest, question)


def _shortlist(pool: list[Candidate], room: int) -> tuple[list[Candidate], list[Candidate]]:
    """Return what may be worth packing, and the rest: the best by score and the best by score per length."""
    if len(pool) <= SHORTLIST:
        return pool, []
    size = SHORTLIST
    by_score = sorted(range(len(pool)), key=lambda place: -pool[place].score)
    by_density = sorted(
        range(len(pool)), key=lambda place: -pool[place].score / math.sqrt(len(pool[place].packet.content) + 1)
    )
    while size < len(pool):
        taken = {*by_score[:size], *by_density[:size]}
        if sum(len(pool[place].packet.content) for place in taken) > 2 * CHARACTERS_PER_TOKEN * room:
            break
        size *= 2
    taken = {*by_score[:size], *by_density[:size]}
    taken.update(place for place, each in enumerate(pool) if each.pinned or each.recent)
    return [pool[place] for place in sorted(taken)], [each for place, each in enumerate(pool) if place not in taken]


def _score(candidate: Candidate, words: float | None, config: ContextConfig, near: float = 0.0) -> None:
    """Fill in relevance and score: what the caller says stands; what a source says is one voice of two."""
    given = candidate.packet.relevance_score
    measured = UNKNOWN if words is None and not near else 1 - (1 - (words or 0.0)) * (1 - near)
    parts = {"words": words or 0.0}
    if near:
        parts["meaning"] = near
    if given is None:
        relevance = measured
    elif candidate.packet.metadata.get("scored_by") == "source":
        relevance = OWN * given + (1 - OWN) * measured
        parts["source"] = given
    else:
        relevance = given
        parts["caller"] = given
    if candidate.recent:
        relevance = max(relevance, RECENT)
    weight = 1.0
    if config.type_weights:
        kind = candidate.packet.type
        weight = config.type_weights.get(kind, config.type_weights.get(KIND_OF_TYPE.get(kind, kind), 1.0))
    candidate.relevance, candidate.parts = relevance, parts
    candidate.score = weight * (config.relevance_weight * relevance + config.recency_weight * candidate.recency)
