"""The account of a build: what the receipt says about every candidate."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...state.packet import ContextPacket
from ...state.receipt import Entry
from ...tools.tokens import TokenCounter
from ..packing.packer import title_of
from ..scoring.candidates import Candidate
from .skeleton import section_of


def chosen_entry(packet: ContextPacket) -> Entry:
    """Return the entry of a packet that is in the prompt, or in the state's list of the dropped (marked packets)."""
    return _entry(packet, str(packet.metadata.get("rule", "")), chosen=True)


def dropped_entry(packet: ContextPacket, rule: str) -> Entry:
    """Return the entry of a marked packet that is not in the prompt."""
    return _entry(packet, rule, chosen=False)


def _entry(packet: ContextPacket, rule: str, *, chosen: bool) -> Entry:
    score: Mapping[str, Any] = packet.metadata.get("score") or {}
    parts = {name: float(value) for name, value in score.items() if name not in ("relevance", "recency", "total")}
    return Entry(
        source=packet.source,
        type=packet.type,
        title=title_of(packet),
        tokens=packet.token_count,
        relevance=float(score.get("relevance", packet.relevance_score or 0.0)),
        recency=float(score.get("recency", 0.0)),
        score=float(score.get("total", 0.0)),
        chosen=chosen,
        rule=rule,
        section=section_of(packet) if chosen else "",
        parts=parts,
    )


def dropped_entries(candidates: Iterable[Candidate]) -> list[Entry]:
    """Return the entries of dropped candidates, best first."""
    return [
        Entry(
            source=each.packet.source,
            type=each.packet.type,
            title=title_of(each.packet),
            tokens=each.tokens,
            relevance=round(each.relevance, 4),
            recency=round(each.recency, 4),
            score=round(each.score, 4),
            chosen=False,
            rule=each.rule,
            parts=each.parts,
        )
        for each in sorted(candidates, key=lambda each: -each.score)
    ]


def shared_tokens(before: str, now: str, counter: TokenCounter) -> int:
    """Return how many tokens two prompts have in common from their start."""
    size = next((place for place, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), None)
    return counter.count(now[: min(len(before), len(now)) if size is None else size])
