"""A candidate: a packet with its marks, while it is being judged."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
FEW = 256
"""Candidates that are all judged exactly."""
SHORTLIST = 160
"""Of more, the best by score and as many by score per length; the others only by whether the words are there."""
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
    source: str
    lowered: str
    """The content in lower case, without white space around it."""
    pinned: bool = False
    """Whether it goes in whatever its relevance."""
    recent: bool = False
    """Whether it is one of the newest turns."""
    settled: bool = False
    """Whether the caller has given the relevance that counts."""
    relevance: float = 0.0
    recency: float = 0.0
    score: float = 0.0
    tokens: int = 0
    """What it costs in the prompt, fence included; 0 until counted."""
    parts: Mapping[str, float] | None = None
    rule: str = ""
    """Why it is in or out."""
    text: str = ""
    """What is rendered: the content made harmless, or an excerpt of it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What relevance is measured against: concepts, and their weights for one pool of candidates."""

    concepts: tuple[Concept, ...]
    weights: tuple[float, ...]
    text: str

    def relevance(self, text: str) -> float:
        """Return the share of the question a text speaks of, in [0, 1]."""
        return coverage(self.concepts, self.weights, text)


def candidate_of(packet: ContextPacket) -> Candidate:
    """Return a packet as a candidate, nothing judged yet."""
    marks = packet.metadata
    kind = str(marks.get("type") or "custom")
    source = str(marks.get("source") or kind)
    if kind == "note":
        kind = str(marks.get("note_type") or kind)
    settled = packet.relevance_score is not None and marks.get("scored_by") != "source"
    pinned, recent = bool(marks.get("pinned")), bool(marks.get("recent"))
    lowered = packet.content.strip().lower()
    return Candidate(packet, kind, source, lowered, pinned=pinned, recent=recent, settled=settled)


@dataclass(frozen=True, slots=True)
class Judged:
    """A pool after scoring."""

    short: list[Candidate]
    """The candidates worth packing, judged exactly, best first."""
    rest: list[Candidate]
    """The others, judged by whether the words are there at all."""
    question: Question


def judge(
    pool: Sequence[Candidate],
    concepts: tuple[Concept, ...],
    text: str,
    config: ContextConfig,
    now: datetime,
    *,
    room: int,
    meaning: Meaning | None = None,
) -> Judged:
    """Score all candidates, and return them with the question as weighed for this pool.

    Every packet is measured by the same yard: for all of them whether the words are there, for a shortlist of what
    could fill `room` tokens twice the exact match, and for pools of at most 256 closeness of meaning too. The cost is
    linear in the packets.

    Raises:
        SearchError: The embedder cannot be used.
    """
    question = Question(concepts, _judge_roughly(pool, concepts, config, now), text)
    short, rest = _shortlist(pool, room)
    near = dict.fromkeys(map(id, short), 0.0)
    if not rest:
        doubtful = [each for each in short if not each.settled]
        near |= zip(
            map(id, doubtful), closeness(meaning, text, [each.packet.content for each in doubtful]), strict=True
        )
    for candidate in short:
        exactly = bool(concepts) and not candidate.settled  # a final score needs no second opinion
        words = question.relevance(candidate.packet.content) if exactly else None
        _score(candidate, words, config, near[id(candidate)])
        candidate.parts = _parts(candidate, words, near[id(candidate)])
    short.sort(key=lambda candidate: -candidate.score)
    return Judged(short, rest, question)


def _judge_roughly(
    pool: Sequence[Candidate], concepts: tuple[Concept, ...], config: ContextConfig, now: datetime
) -> tuple[float, ...]:
    """Score the candidates by whether the words are there, and return the weights of the concepts for this pool."""
    texts = [candidate.lowered for candidate in pool]
    spoken = [spoken_of(concept, texts) for concept in concepts]
    weights = tuple(
        concept.weight * rarity(sum(found), len(pool)) for concept, found in zip(concepts, spoken, strict=True)
    )
    shares = [0.0] * len(pool)
    for weight, found in zip(weights, spoken, strict=True):
        share = weight / enough(weights)
        shares = [sofar + share if there else sofar for sofar, there in zip(shares, found, strict=True)]
    for candidate, words in zip(pool, shares, strict=True):
        candidate.recency = freshness(candidate.kind, candidate.packet.timestamp, now)
        _score(candidate, min(1.0, words) if concepts else None, config)
    return weights


def _shortlist(pool: Sequence[Candidate], room: int) -> tuple[list[Candidate], list[Candidate]]:
    """Return what may be worth packing, and the rest: the best by score and the best by score per length."""
    if len(pool) <= FEW:
        return list(pool), []
    scores = [candidate.score for candidate in pool]
    lengths = [len(candidate.lowered) for candidate in pool]
    densities = [score / math.sqrt(length + 1) for score, length in zip(scores, lengths, strict=True)]
    by_score = sorted(range(len(pool)), key=scores.__getitem__, reverse=True)
    by_density = sorted(range(len(pool)), key=densities.__getitem__, reverse=True)
    size = SHORTLIST
    while True:
        taken = {*by_score[:size], *by_density[:size]}
        if size >= len(pool) or sum(lengths[place] for place in taken) > 2 * CHARACTERS_PER_TOKEN * room:
            break
        size *= 2
    taken.update(place for place, each in enumerate(pool) if each.pinned or each.recent)
    return [pool[place] for place in sorted(taken)], [each for place, each in enumerate(pool) if place not in taken]


def _score(candidate: Candidate, words: float | None, config: ContextConfig, near: float = 0.0) -> None:
    """Fill in relevance and score: what the caller says stands; what a source says is one voice of two."""
    given = candidate.packet.relevance_score
    relevance = UNKNOWN if words is None else 1 - (1 - words) * (1 - near)
    if given is not None:
        relevance = given if candidate.settled else OWN * given + (1 - OWN) * relevance
    if candidate.recent:
        relevance = max(relevance, RECENT)
    weight = 1.0
    if config.type_weights:
        kind = candidate.packet.type
        weight = config.type_weights.get(kind, config.type_weights.get(KIND_OF_TYPE.get(kind, kind), 1.0))
    candidate.relevance = relevance
    candidate.score = weight * (config.relevance_weight * relevance + config.recency_weight * candidate.recency)


def _parts(candidate: Candidate, words: float | None, near: float) -> dict[str, float]:
    """Return what the relevance of a candidate is made of."""
    parts = {"words": words or 0.0}
    if near:
        parts["meaning"] = near
    if candidate.packet.relevance_score is not None:
        parts["caller" if candidate.settled else "source"] = candidate.packet.relevance_score
    return parts
