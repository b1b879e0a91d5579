"""Compress: the safety net. Only when a request is over its ceiling; role, task and output stay whole."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from langgraph.runtime import Runtime

from ..state.errors import BudgetError
from ..state.packet import ContextPacket
from ..state.receipt import Removal
from ..state.session import Prompt, SessionState
from ..state.settings import RunSettings
from ..tools.clock import Clock
from ..tools.tokens import TokenCounter
from .packing.excerpt import excerpt
from .packing.frame import Frame, frame
from .prompts.account import Receipts, account
from .prompts.assemble import assemble
from .prompts.fence import SEPARATOR
from .prompts.request import ceiling_of, config_of, in_order, request_of
from .prompts.skeleton import block, section_of
from .scoring.candidates import Question
from .scoring.concepts import read_question

LEAST = 50
"""Tokens every section keeps of its most valuable packet, where there is room at all."""
SMALLER = 0.9
"""A summary is refused unless it is at least a tenth smaller than what it stands for."""

Summarize = Callable[[str, int], str]
"""Returns a summary of a text in at most so many tokens."""


class CompressUpdate(TypedDict):
    """What `compress` writes."""

    prompt: Prompt
    selected: list[ContextPacket]
    receipt: str


def compress(
    state: SessionState,
    runtime: Runtime[RunSettings],
    *,
    instructions: str,
    counter: TokenCounter,
    clock: Clock,
    receipts: Receipts | None = None,
    definitions: Sequence[Mapping[str, Any]] = (),
    keep: Callable[[str], str] = lambda _: "",
    summarize: Summarize | None = None,
) -> CompressUpdate:
    """Read `selected` and `exchanges`; write `prompt` under the ceiling, the `selected` that are left, `receipt`.

    Raises:
        BudgetError: What must be in the prompt is larger than the budget.
    """
    ceiling = ceiling_of(state, runtime.context)
    request = request_of(state, instructions)
    fixed = frame(request, counter, ceiling, exchanges=state.exchanges, definitions=definitions, keep=keep)
    concepts = read_question(state.request)
    question = Question(concepts, tuple(concept.weight for concept in concepts), state.request)
    fitted = fit(
        fixed,
        state.selected,
        counter,
        ceiling,
        worth=question.relevance,
        definitions=definitions,
        keep=keep,
        summarize=summarize,
    )
    if receipts is None:
        return {"prompt": fitted.prompt, "selected": fitted.packets, "receipt": ""}
    receipt = account(
        state,
        fitted.prompt,
        fitted.packets,
        config_of(runtime.context),
        counter,
        clock.now(),
        ceiling=ceiling,
        before=receipts.last_prompt(state.session),
        removals=[*fixed.removals, *fitted.removals],
    )
    return {"prompt": fitted.prompt, "selected": fitted.packets, "receipt": receipts.save(receipt)}


@dataclass(slots=True)
class Fitted:
    """A request under its ceiling, and what that took."""

    prompt: Prompt
    packets: list[ContextPacket]
    dropped: list[ContextPacket] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)


def fit(
    fixed: Frame,
    packets: Sequence[ContextPacket],
    counter: TokenCounter,
    ceiling: int,
    *,
    worth: Callable[[str], float],
    definitions: Sequence[Mapping[str, Any]] = (),
    keep: Callable[[str], str] = lambda _: "",
    summarize: Summarize | None = None,
    as_messages: bool = True,
) -> Fitted:
    """Return the request with as many of the packets as fit under the ceiling.

    The least valuable packet of the prompt goes first, but the best of each section is only shortened, to 50 tokens;
    it goes too when even that is too much. With `summarize`, what goes is summed up in one packet where that is
    smaller.

    Raises:
        BudgetError: The fixed parts alone are over the ceiling.
    """

    def build(kept: Sequence[ContextPacket]) -> Prompt:
        return assemble(
            fixed.request,
            in_order(kept),
            counter,
            exchanges=fixed.exchanges,
            definitions=definitions,
            as_messages=as_messages,
        )

    fitted = Fitted(build(packets), list(packets))
    while fitted.prompt.tokens > ceiling:
        if not fitted.packets:
            raise BudgetError(f"the fixed parts need {fitted.prompt.tokens} tokens and {ceiling} are allowed")
        _lighten(fitted, fitted.prompt.tokens - ceiling, counter, worth, keep)
        fitted.prompt = build(fitted.packets)
    if summarize is not None and fitted.dropped:
        _sum_up(fitted, counter, ceiling, build, summarize)
    return fitted


def _lighten(
    fitted: Fitted, over: int, counter: TokenCounter, worth: Callable[[str], float], keep: Callable[[str], str]
) -> None:
    """Drop the least valuable packets, or shorten the best of a section, until about `over` tokens are gone."""
    best: dict[str, ContextPacket] = {}
    for packet in sorted(fitted.packets, key=_worth):
        best[section_of(packet)] = packet
    for packet in sorted(fitted.packets, key=lambda each: (each is best[section_of(each)], _worth(each))):
        size = counter.count(f"{block(packet)}\n{SEPARATOR}\n")
        place = fitted.packets.index(packet)
        short = excerpt(packet.content, LEAST, counter, worth) if packet is best[section_of(packet)] else ""
        if short and size > 2 * LEAST:
            shorter = replace(packet, content=short)
            fitted.packets[place] = shorter
            gone = size - counter.count(f"{block(shorter)}\n{SEPARATOR}\n")
            fitted.removals.append(_removal(packet, gone, "over budget: kept at 50 tokens", keep))
        else:
            del fitted.packets[place]
            gone = size
            fitted.dropped.append(packet)
            fitted.removals.append(_removal(packet, gone, "over budget", keep))
        over -= gone
        if over <= 0:
            return


def _removal(packet: ContextPacket, tokens: int, rule: str, keep: Callable[[str], str]) -> Removal:
    handle = str(packet.metadata.get("handle") or "") or keep(packet.content)
    return Removal(what=packet.content.strip().splitlines()[0][:60], tokens=tokens, rule=rule, handle=handle)


def _sum_up(
    fitted: Fitted,
    counter: TokenCounter,
    ceiling: int,
    build: Callable[[Sequence[ContextPacket]], Prompt],
    summarize: Summarize,
) -> None:
    """Put one summary in place of what was dropped, if it is a tenth smaller and fits."""
    whole = f"\n{SEPARATOR}\n".join(packet.content for packet in fitted.dropped)
    room = min(ceiling - fitted.prompt.tokens - 10, int(SMALLER * counter.count(whole)))
    if room < LEAST:
        return
    summary = summarize(whole, room)
    packet = ContextPacket(content=summary, metadata={"type": "summary", "source": "summary"})
    prompt = build([*fitted.packets, packet])
    if summary.strip() and counter.count(summary) <= SMALLER * counter.count(whole) and prompt.tokens <= ceiling:
        fitted.packets.append(packet)
        fitted.prompt = prompt


def _worth(packet: ContextPacket) -> float:
    score = packet.metadata.get("score")
    total = score.get("total") if isinstance(score, dict) else None
    pinned = bool(packet.metadata.get("pinned"))
    return float(total if total is not None else packet.relevance_score or 0.0) + pinned
