"""The two ways to build a context as text: the default one, and the published method beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from ..nodes import classic
from ..nodes.compress import fit
from ..nodes.gather import history_packets
from ..nodes.packing.frame import frame
from ..nodes.packing.packer import packet_id
from ..nodes.prompts.account import chosen_entry, dropped_entries
from ..nodes.prompts.assemble import whole_text
from ..nodes.prompts.request import language_of
from ..nodes.prompts.skeleton import ROLE, Request, quoted_tokens
from ..nodes.scoring.meaning import Meaning
from ..nodes.scoring.quality import quality
from ..nodes.select import pick
from ..state.packet import ContextPacket
from ..state.receipt import Entry, Quality, Removal
from ..state.session import Language, Message
from ..state.settings import ContextConfig
from ..tools.tokens import TokenCounter

LISTED = 200
"""Dropped candidates a receipt lists; the others are counted by rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Everything one build has to choose from."""

    query: str
    instructions: str
    history: Sequence[Message]
    custom: Sequence[ContextPacket]
    gathered: Sequence[ContextPacket]
    config: ContextConfig
    counter: TokenCounter
    now: datetime
    definitions: Sequence[Mapping[str, Any]] = ()
    meaning: Meaning | None = None
    language: Language | None = None
    keep: Callable[[str], str] = lambda _: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a strategy made of an offer."""

    system: str
    """[Role & Policies], the part that stays the same; `""` where a strategy knows none."""
    text: str
    tokens: int
    sections: Mapping[str, int] = field(default_factory=dict)
    entries: Sequence[Entry] = ()
    unlisted: Mapping[str, int] = field(default_factory=dict)
    removals: Sequence[Removal] = ()
    failures: Sequence[str] = ()
    quality: Quality | None = None


def build_default(offer: Offer) -> Built:
    """Return the context of the default strategy.

    Raises:
        BudgetError: What must be in the context is larger than the budget.
    """
    config, counter = offer.config, offer.counter
    request = _request(offer)
    fixed = frame(
        request,
        counter,
        config.ceiling,
        definitions=offer.definitions,
        keep=offer.keep,
        shorten=config.enable_compression,
        as_messages=False,
    )
    before = next((each.content for each in reversed(offer.history) if each.role == "user"), "")
    selection = pick(
        _candidates(offer),
        offer.query,
        config,
        fixed.room - quoted_tokens(counter, request.language),
        counter,
        offer.now,
        before=before,
        meaning=offer.meaning,
        keep=offer.keep,
    )
    fitted = fit(
        fixed,
        selection.packets(),
        counter,
        config.ceiling,
        worth=selection.question.relevance,
        definitions=offer.definitions,
        keep=offer.keep,
        as_messages=False,
    )
    prompt = fitted.prompt
    gone = {packet_id(packet) for packet in fitted.dropped}
    for candidate in selection.chosen:
        if packet_id(candidate.packet) in gone:
            candidate.rule = "over budget"
            selection.dropped.append(candidate)
    listed, unlisted = dropped_entries(selection.dropped, LISTED)
    reserve = int(config.max_tokens * config.reserve_ratio)
    return Built(
        system=prompt.system,
        text=whole_text(prompt),
        tokens=prompt.tokens,
        sections=prompt.sections,
        entries=[*map(chosen_entry, fitted.packets), *listed],
        unlisted=unlisted,
        removals=[*fixed.removals, *selection.removals, *fitted.removals],
        failures=selection.failures,
        quality=quality(
            selection.question, fitted.packets, prompt.tokens, config.ceiling, prompt.sections[ROLE], reserve
        ),
    )


def _request(offer: Offer) -> Request:
    told = [packet.content for packet in offer.custom if packet.type == "system_instruction"]
    return Request(
        query=offer.query,
        instructions="\n".join([offer.instructions, *told]).strip("\n"),
        language=offer.language or language_of(offer.query),
        prefix_language=offer.language or language_of(offer.instructions or offer.query),
    )


def _candidates(offer: Offer) -> list[ContextPacket]:
    # many callers hand over the running request as the newest message: it stands in [Task] and need not stand twice
    said = [message for message in offer.history if message.content.strip() != offer.query.strip()]
    custom = [packet for packet in offer.custom if packet.type != "system_instruction"]
    return [*offer.gathered, *history_packets(said), *custom]


def build_classic(offer: Offer) -> Built:
    """Return the context of the published method."""
    packets = classic.gathered(offer.instructions, offer.gathered, offer.history, offer.custom, offer.now)
    chosen, dropped = classic.select(packets, offer.query, offer.config, offer.now)
    structured = classic.structure([each.packet for each in chosen], offer.query)
    text = classic.compress(structured, offer.config.max_tokens) if offer.config.enable_compression else structured
    return Built(
        system="",
        text=text,
        tokens=offer.counter.count(text),
        sections=classic.section_tokens(text, offer.counter),
        entries=[each.entry(chosen=True) for each in chosen] + [each.entry(chosen=False) for each in dropped],
        removals=classic.removals(structured, text, offer.counter),
    )


STRATEGIES: Mapping[str, Callable[[Offer], Built]] = MappingProxyType(
    {"default": build_default, "classic": build_classic}
)
