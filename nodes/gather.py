"""Gather: ask every source for what may help, in parallel, each within its own time."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NotRequired, TypedDict

from ..state.packet import ContextPacket, Need, PacketSource
from ..state.receipt import SourceReport
from ..state.session import Failure, Message, SessionState, Usage
from ..tools.rewrite import Rewritten
from ..tools.secrets import mask as mask_secrets
from .prompts.fence import plain

WINDOW = 5
"""Newest messages that are kept whatever their relevance (Hello-Agents, ch. 9.3)."""
MOST_PACKETS = 20_000
"""Of one source."""
LONGEST = 200_000
"""Characters of one packet; what is longer is a file, not evidence, and is cut here."""
DIGEST = 0.4
"""Relevance of the digest: an overview gives way to what fits the request."""
PRIVILEGED = frozenset({"system_instruction", "output_format"})
"""Types that would speak with the caller's voice: a source's packets never have them."""


class GatherUpdate(TypedDict):
    """What `gather` writes."""

    candidates: list[ContextPacket]
    sources: list[SourceReport]
    failures: list[Failure]
    spent: NotRequired[Usage]
    used: NotRequired[Usage]


def gather(
    state: SessionState,
    *,
    sources: Sequence[PacketSource],
    mask: Callable[[str], str] = mask_secrets,
    news: Callable[[], Sequence[Failure]] = tuple,
    rewrite: Callable[[str], Rewritten] | None = None,
) -> GatherUpdate:
    """Read `request`, `history` and `first_look`; write `candidates`, `sources`, `failures` and what was used.

    Candidates are part of a checkpoint: secrets in them are masked here.

    Args:
        news: What the stores found damaged or had to give up since it was last asked; told as it is.
        rewrite: Finds further search terms for the request.
    """
    rewritten = rewrite(state.request) if rewrite is not None else Rewritten()
    need = Need(
        text=state.request,
        mode=state.active_mode,
        session=state.session,
        turn=state.turn,
        goal=state.goal,
        head=state.head,
        terms=rewritten.terms,
    )
    gathered, reports = collect(need, sources)
    goal = [] if state.goal in ("", state.request) else [goal_packet(state.goal)]
    failures = [Failure(where=f"gather:{each.name}", reason=each.failure) for each in reports if each.failure]
    failures += [Failure(where="rewrite", reason=rewritten.failure)] if rewritten.failure else []
    failures += news()
    update: GatherUpdate = {
        "candidates": [
            *goal,
            *history_packets(state.history),
            *digest_packets(state.digest),
            *(replace(packet, content=mask(packet.content)) for packet in (*state.first_look, *gathered)),
        ],
        "sources": reports,
        "failures": failures,
    }
    if rewritten.usage != Usage():
        update["spent"] = update["used"] = rewritten.usage
    return update


def collect(need: Need, sources: Sequence[PacketSource]) -> tuple[list[ContextPacket], list[SourceReport]]:
    """Return what the sources offer, in their order, and how each did.

    All are asked at once. One that fails, answers nonsense or is late costs its own evidence only; its thread is left
    behind and its late answer is not used.
    """
    started = time.monotonic()
    asked = [(source, _ask(source, need)) for source in sources]
    packets: list[ContextPacket] = []
    reports = []
    for source, answer in asked:
        wait = max(0.0, started + source.timeout_s - time.monotonic())
        try:
            found, rejected, failure, seconds = answer.get(timeout=wait)
        except Empty:
            found, rejected, failure = [], 0, f"no answer within {source.timeout_s:g} s"
            seconds = time.monotonic() - started
        packets += found
        report = SourceReport(
            name=source.name, offered=len(found), rejected=rejected, seconds=round(seconds, 4), failure=failure
        )
        reports.append(report)
    return packets, reports


_Answer = tuple[list[ContextPacket], int, str, float]


def _ask(source: PacketSource, need: Need) -> "SimpleQueue[_Answer]":
    """Start asking a source; the answer comes through the queue. A hanging source must not keep the program alive."""
    answer: SimpleQueue[_Answer] = SimpleQueue()

    def work() -> None:
        started = time.monotonic()
        found: list[ContextPacket] = []
        rejected, failure = 0, ""
        try:
            found, rejected, failure = checked(source.name, source.packets(need))
            rejected += int(getattr(source, "rejected", 0))
            failure = "; ".join(filter(None, [failure, *getattr(source, "notices", ())]))
        except Exception as error:  # noqa: BLE001 - foreign code must not end the turn; the report says what happened
            failure = f"{type(error).__name__}: {str(error)[:300]}"
        answer.put((found, rejected, failure, time.monotonic() - started))

    Thread(target=work, name=f"gather:{source.name}", daemon=True).start()
    return answer


def checked(name: str, offered: Any) -> tuple[list[ContextPacket], int, str]:
    """Return what is evidence, how much was not, and what was wrong.

    Packets lose privileged types, over-long ones are cut, and a score is marked as the source's own.

    Raises:
        TypeError: The source answered with a text or with something that is no list of packets.
    """
    if isinstance(offered, str | bytes) or not hasattr(offered, "__iter__"):
        said = f"{type(offered).__name__}: {str(offered)[:100]!r}"
        raise TypeError(f"answered with {said} instead of a list of packets; left out")
    found: list[ContextPacket] = []
    wrong = cut = 0
    for packet in offered:
        if len(found) >= MOST_PACKETS:
            return found, wrong, f"offered more than {MOST_PACKETS} packets; the rest is left out"
        if not isinstance(packet, ContextPacket):
            wrong += 1
            continue
        cut += len(packet.content) > LONGEST
        found.append(_as_evidence(name, packet))
    problems = [f"{wrong} results were no packets"] if wrong else []
    problems += [f"{cut} packets were longer than {LONGEST} characters and cut"] if cut else []
    return found, wrong, "; ".join(problems)


def _as_evidence(name: str, packet: ContextPacket) -> ContextPacket:
    metadata = {"source": name, **packet.metadata}
    if packet.type in PRIVILEGED:
        metadata["type"] = name
    if packet.relevance_score is not None:
        metadata.setdefault("scored_by", "source")
    return replace(packet, content=plain(packet.content[:LONGEST]), metadata=metadata)


def history_packets(history: Sequence[Message]) -> list[ContextPacket]:
    """Return messages as packets `role: content`; the newest five are kept whatever their relevance."""
    return [
        ContextPacket(
            content=f"{message.role}: {plain(message.content)[:LONGEST]}",
            timestamp=message.timestamp,
            metadata={
                "type": "conversation_history",
                "source": "history",
                "turn": message.turn,
                "order": place,
                "recent": place >= len(history) - WINDOW,
            },
        )
        for place, message in enumerate(history)
    ]


def digest_packets(digest: str) -> list[ContextPacket]:
    """Return the lines that stand for turns which left the window, as one packet; none where there are none."""
    metadata = {"type": "digest", "source": "history", "id": "digest"}
    content = f"Earlier turns:\n{plain(digest)}"
    return [ContextPacket(content=content, relevance_score=DIGEST, metadata=metadata)] if digest else []


def goal_packet(goal: str) -> ContextPacket:
    """Return the session's goal, verbatim, as a packet that always goes in."""
    return ContextPacket(content=f"Goal: {plain(goal)}", metadata={"type": "goal", "source": "custom", "pinned": True})
