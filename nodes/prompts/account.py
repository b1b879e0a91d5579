"""The account of a build: what the receipt says about every candidate."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from ...state.packet import ContextPacket
from ...state.receipt import Entry, Receipt, Removal
from ...state.session import Prompt, SessionState
from ...state.settings import ContextConfig
from ...tools.tokens import TokenCounter
from ..packing.packer import title_of
from ..scoring.candidates import Candidate, Question
from ..scoring.concepts import read_question
from ..scoring.quality import quality
from .skeleton import ROLE, section_of


class Receipts(Protocol):
    """Where receipts are kept."""

    def save(self, receipt: Receipt) -> str:
        """Keep a receipt and return its id."""
        ...

    def last_prompt(self, session: str) -> str:
        """Return the text of a session's newest prompt; `""` where there is none."""
        ...


def account(
    state: SessionState,
    prompt: Prompt,
    packets: Sequence[ContextPacket],
    config: ContextConfig,
    counter: TokenCounter,
    at: datetime,
    *,
    ceiling: int,
    before: str = "",
    removals: Sequence[Removal] = (),
) -> Receipt:
    """Return the receipt of a call of the graph.

    Args:
        state: Its candidates, dropped packets, sources and failures are accounted for.
        prompt: What is sent.
        packets: The packets in it.
        config: Settings of the build.
        counter: What its tokens were counted with.
        at: Time of the build.
        ceiling: The most tokens the request might have had.
        before: The prompt of the call before, for the shared prefix.
        removals: What was taken out of what is in the prompt.
    """
    concepts = read_question(state.request)
    question = Question(concepts, tuple(concept.weight for concept in concepts), state.request)
    listed = [dropped_entry(each.packet, each.rule) for each in state.dropped]
    inside = {packet.metadata.get("id") for packet in packets}
    listed += [dropped_entry(each, "over budget") for each in state.selected if each.metadata.get("id") not in inside]
    more = len(state.candidates) - len(packets) - len(listed)
    reserve = int(config.max_tokens * config.reserve_ratio)
    return Receipt(
        strategy="default",
        tokenizer=counter.name,
        exact=counter.exact,
        budget=ceiling + config.reply_reserve,
        reply_reserve=config.reply_reserve,
        tokens=prompt.tokens,
        sections=prompt.sections,
        utilisation=round(prompt.tokens / ceiling, 4),
        stable_tokens=shared_tokens(before, sent_text(prompt), counter) if before else 0,
        sources=tuple(state.sources),
        entries=(*map(chosen_entry, packets), *listed),
        unlisted={"less worth than those listed": more} if more > 0 else {},
        removals=tuple(removals),
        failures=tuple(f"{each.where}: {each.reason}" for each in state.failures),
        quality=quality(question, packets, prompt.tokens, ceiling, prompt.sections.get(ROLE, 0), reserve),
        request=state.request,
        session=state.session,
        turn=state.turn,
        step=state.step + 1,
        mode=state.active_mode,
        at=at.isoformat(timespec="seconds"),
        prompt={"system": prompt.system, "user": prompt.user, "exchanges": exchanges_text(prompt)},
    )


def sent_text(prompt: Prompt) -> str:
    """Return all texts of a prompt in the order in which they are sent."""
    return "\n\n".join(part for part in (prompt.system, prompt.user, exchanges_text(prompt)) if part)


def exchanges_text(prompt: Prompt) -> str:
    """Return the tool calls and results of a prompt as JSON lines."""
    return "\n".join(json.dumps(each.model_dump(), ensure_ascii=False) for each in prompt.exchanges)


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


def dropped_entries(candidates: Sequence[Candidate], listed: int) -> tuple[list[Entry], dict[str, int]]:
    """Return the entries of the best dropped candidates, best first, and how many others each rule dropped."""
    ranked = sorted(candidates, key=lambda each: -each.score)
    return [*map(_dropped_candidate, ranked[:listed])], dict(Counter(each.rule for each in ranked[listed:]))


def _dropped_candidate(candidate: Candidate) -> Entry:
    return Entry(
        source=candidate.packet.source,
        type=candidate.packet.type,
        title=title_of(candidate.packet),
        tokens=candidate.tokens,
        relevance=round(candidate.relevance, 4),
        recency=round(candidate.recency, 4),
        score=round(candidate.score, 4),
        chosen=False,
        rule=candidate.rule,
        parts=dict(candidate.parts or {}),
    )


def shared_tokens(before: str, now: str, counter: TokenCounter) -> int:
    """Return how many tokens two prompts have in common from their start."""
    size = next((place for place, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), None)
    return counter.count(now[: min(len(before), len(now)) if size is None else size])
