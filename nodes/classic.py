"""The published method, with exactly its numbers (Hello-Agents, ch. 9.3): kept to compare with, never by default.

score = 0.7 x relevance + 0.3 x recency; relevance is the Jaccard index of the words between spaces, recency
exp(-0.1 x age in days) within [0.1, 1]; packets are taken by score until the first that does not fit; tokens are
estimated as one per Chinese character and 1.3 per word; what is over the budget is cut section by section, a part kept
only if more than 50 tokens of room are left.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..state.packet import ContextPacket
from ..state.receipt import Entry, Removal
from ..state.session import Message
from ..state.settings import ContextConfig
from ..tools.tokens import TokenCounter

UNSCORED = 0.5
HISTORY_RELEVANCE = 0.6
HISTORY_WINDOW = 5
DECAY_PER_DAY = 0.1
LEAST_PART = 50
MARK = "[... 内容已压缩 ...]"
ASK = "请基于以上信息,提供准确、有据的回答。"
EVIDENCE_TYPES = frozenset({"rag_result", "knowledge"})


@dataclass(frozen=True, slots=True)
class Weighed:
    """A packet with the published scores."""

    packet: ContextPacket
    tokens: int
    relevance: float
    recency: float
    score: float
    rule: str

    def entry(self, *, chosen: bool) -> Entry:
        """Return what the receipt says about it."""
        return Entry(
            source=self.packet.source,
            type=self.packet.type,
            title=self.packet.content.strip()[:60].partition("\n")[0],
            tokens=self.tokens,
            relevance=self.relevance,
            recency=self.recency,
            score=self.score,
            chosen=chosen,
            rule=self.rule,
        )


def estimate(text: str) -> int:
    """Return the published estimate of a text's tokens: Chinese characters, and 1.3 per word between spaces."""
    chinese = sum("一" <= char <= "鿿" for char in text)
    return int(chinese + 1.3 * len(text.split()))


def relevance(content: str, query: str) -> float:
    """Return the Jaccard index of the words between spaces, in [0, 1]."""
    one, other = set(content.lower().split()), set(query.lower().split())
    return len(one & other) / len(one | other) if one and other else 0.0


def recency(created_at: datetime | None, now: datetime) -> float:
    """Return exp(-0.1 x age in days), within [0.1, 1]; undated packets count as made now."""
    age_days = (now - created_at).total_seconds() / 86_400 if created_at else 0.0
    return max(0.1, min(1.0, math.exp(-DECAY_PER_DAY * age_days)))


def gathered(
    instructions: str,
    found: Sequence[ContextPacket],
    history: Sequence[Message],
    custom: Sequence[ContextPacket],
    now: datetime,
) -> list[ContextPacket]:
    """Return the candidates in the published order: instructions, memory and RAG, five messages, custom packets."""
    packets = []
    if instructions:
        packets.append(ContextPacket(instructions, now, 0, 1.0, {"type": "system_instruction", "priority": "high"}))
    packets += found
    for message in history[-HISTORY_WINDOW:]:
        metadata = {"type": "conversation_history", "role": message.role}
        text = f"{message.role}: {message.content}"
        packets.append(ContextPacket(text, message.timestamp, 0, HISTORY_RELEVANCE, metadata))
    return [*packets, *custom]


def select(
    packets: Sequence[ContextPacket], query: str, config: ContextConfig, now: datetime
) -> tuple[list[Weighed], list[Weighed]]:
    """Return what is taken and what is left, by the published rules.

    A relevance of None or exactly 0.5 counts as not scored. Taking stops at the first packet that does not fit.
    """
    available = int(config.max_tokens * (1 - config.reserve_ratio))
    chosen = [
        Weighed(packet, estimate(packet.content), 1.0, 1.0, 1.0, "system instruction")
        for packet in packets
        if packet.type == "system_instruction"
    ]
    used = sum(each.tokens for each in chosen)
    weighed = [_weigh(packet, query, config, now) for packet in packets if packet.type != "system_instruction"]
    if used >= available:
        return chosen, weighed
    left = [each for each in weighed if each.relevance < config.min_relevance]
    ranked = sorted((each for each in weighed if each.relevance >= config.min_relevance), key=lambda each: -each.score)
    for place, each in enumerate(ranked):
        if used + each.tokens > available:
            return chosen, left + ranked[place:]
        chosen.append(each)
        used += each.tokens
    return chosen, left


def _weigh(packet: ContextPacket, query: str, config: ContextConfig, now: datetime) -> Weighed:
    given = packet.relevance_score
    close = relevance(packet.content, query) if given is None or given == UNSCORED else given
    fresh = recency(packet.timestamp, now)
    score = config.relevance_weight * close + config.recency_weight * fresh
    rule = "below min_relevance" if close < config.min_relevance else "by score, until the first that does not fit"
    return Weighed(packet, estimate(packet.content), close, fresh, score, rule)


def structure(packets: Sequence[ContextPacket], query: str) -> str:
    """Return the published skeleton; sections without content are left out."""
    by_section: dict[str, list[str]] = {"role": [], "evidence": [], "context": []}
    for packet in packets:
        name = "role" if packet.type == "system_instruction" else "context"
        by_section["evidence" if packet.type in EVIDENCE_TYPES else name].append(packet.content)
    parts = [
        "[Role & Policies]\n" + "\n".join(by_section["role"]) if by_section["role"] else "",
        f"[Task]\n{query}",
        "[Evidence]\n" + "\n---\n".join(by_section["evidence"]) if by_section["evidence"] else "",
        "[Context]\n" + "\n".join(by_section["context"]) if by_section["context"] else "",
        f"[Output]\n{ASK}",
    ]
    return "\n\n".join(part for part in parts if part)


def compress(text: str, max_tokens: int) -> str:
    """Return the text cut to the budget by the published rule: whole parts, then one beginning, then nothing."""
    if estimate(text) <= max_tokens:
        return text
    kept: list[str] = []
    used = 0
    for part in text.split("\n\n"):
        size = estimate(part)
        if used + size > max_tokens:
            left = max_tokens - used
            if left > LEAST_PART:
                kept.append(f"{part[: int(left * len(part) / size)]}\n{MARK}")
            break
        kept.append(part)
        used += size
    return "\n\n".join(kept)


def section_tokens(text: str, counter: TokenCounter) -> dict[str, int]:
    """Return exact tokens by section, for the receipt."""
    found: dict[str, int] = {}
    name = ""
    for part in text.split("\n\n"):
        name = part[1 : part.index("]")] if part.startswith("[") and "]" in part else name
        found[name] = found.get(name, 0) + counter.count(part)
    return found


def removals(before: str, after: str, counter: TokenCounter) -> list[Removal]:
    """Return what compressing took away, for the receipt."""
    gone = counter.count(before) - counter.count(after)
    return [Removal(what="end of the context", tokens=gone, rule="over budget")] if gone > 0 else []
