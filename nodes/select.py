"""Select: which packets are worth their tokens."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from langgraph.runtime import Runtime

from ..state.errors import SearchError
from ..state.packet import ContextPacket
from ..state.session import Dropped, Failure, SessionState
from ..state.settings import ContextConfig, RunSettings
from ..tools.clock import Clock
from ..tools.tokens import TokenCounter
from .packing.duplicates import ALIKE, SAME, overlaps
from .packing.frame import frame
from .packing.packer import Packer, Selection, cost, marked, packet_id, title_of
from .prompts.request import ceiling_of, config_of, request_of
from .prompts.skeleton import place_of, quoted_tokens
from .scoring.candidates import Candidate, Judged, candidate_of, judge
from .scoring.concepts import read_question
from .scoring.meaning import Meaning

REPEATED = 0.5
"""What full overlap with a better packet would take from a packet's value."""
SAME_PLACE = 0.85
"""Factor on a packet's value for each better one from the same file."""
LISTED = 100
"""Dropped packets the state lists, the best first; the receipt counts all."""
STICKY = 1.1
"""Factor on what the call before had already: a prompt that stays the same is cached."""


class SelectUpdate(TypedDict):
    """What `select` writes."""

    selected: list[ContextPacket]
    dropped: list[Dropped]
    failures: list[Failure]


def select(
    state: SessionState,
    runtime: Runtime[RunSettings],
    *,
    clock: Clock,
    counter: TokenCounter,
    instructions: str,
    definitions: Sequence[Mapping[str, Any]] = (),
    meaning: Meaning | None = None,
    keep: Callable[[str], str] = lambda _: "",
) -> SelectUpdate:
    """Read `candidates`; write `selected`, `dropped` (the best of them) and `failures`.

    Raises:
        BudgetError: What must be in the prompt is larger than the budget.
    """
    config, ceiling = config_of(runtime.context), ceiling_of(state, runtime.context)
    request = request_of(state, instructions)
    fixed = frame(request, counter, ceiling, exchanges=state.exchanges, definitions=definitions, keep=keep)
    asked_before = next((each.content for each in reversed(state.history) if each.role == "user"), "")
    selection = pick(
        state.candidates,
        state.request,
        config,
        fixed.room - quoted_tokens(counter, state.language),
        counter,
        clock.now(),
        before=asked_before,
        meaning=meaning,
        previous=[packet_id(packet) for packet in state.selected] if state.step else (),
        keep=keep,
    )
    best = sorted(selection.dropped, key=lambda each: -each.score)[:LISTED]
    return {
        "selected": selection.packets(),
        "dropped": [Dropped(packet=marked(each, longest=200), rule=each.rule) for each in best],
        "failures": [Failure(where="select", reason=each) for each in selection.failures],
    }


def pick(
    packets: Sequence[ContextPacket],
    query: str,
    config: ContextConfig,
    room: int,
    counter: TokenCounter,
    now: datetime,
    *,
    before: str = "",
    meaning: Meaning | None = None,
    previous: Sequence[str] = (),
    keep: Callable[[str], str] = lambda _: "",
) -> Selection:
    """Return which packets go into `room` tokens.

    In order: empty texts and repetitions go; what is less relevant than the threshold goes; near-duplicates collapse.
    Pinned packets, the newest turns and the best of each source come first, each within a share of the room; the rest
    of the room goes to the packets with the largest total score (`knapsack.pack`). What is too long enters as an
    excerpt around its best lines.

    Args:
        packets: The candidates; those of type `system_instruction` are not for here.
        query: The newest request.
        config: Thresholds and weights.
        room: For packets with their fences, in tokens.
        counter: Counts tokens.
        now: The time of the build.
        before: The request before, for follow-ups such as "Why?".
        meaning: Closeness of meaning, for few candidates; None: words alone.
        previous: Ids of what the call before had, in its order.
        keep: Keeps a text and returns its handle; `""` where nothing can be kept.
    """
    selection = Selection()
    distinct = _without_repetitions(packets, selection)
    judged = _judged(distinct, query, before, config, now, room, meaning, selection)
    selection.question = judged.question
    left = _relevant(judged, config, previous, selection)
    left, values = _without_duplicates(left, selection)
    for candidate in left:
        candidate.text = candidate.packet.content
        candidate.tokens = cost(candidate, counter)
    packer = Packer(room, counter, config.enable_compression, judged.question, keep, selection)
    packer.pin(left)
    packer.fill(left, values)
    for candidate in left:
        if not candidate.rule:
            candidate.rule = "no room: others were worth more for their tokens"
            selection.dropped.append(candidate)
    order = {key: place for place, key in enumerate(previous)}
    selection.chosen.sort(key=lambda each: (order.get(packet_id(each.packet), len(order)), -each.score))
    return selection


def _without_repetitions(packets: Sequence[ContextPacket], selection: Selection) -> list[Candidate]:
    """Return the packets that say something, each text once: what must go in first, then what came first."""
    found: dict[str, Candidate] = {}
    for candidate in sorted(map(candidate_of, packets), key=lambda each: not (each.pinned or each.recent)):
        first = found.setdefault(candidate.lowered, candidate)
        if candidate.lowered and first is candidate:
            continue
        candidate.rule = f"same text as {title_of(first.packet)}" if candidate.lowered else "empty"
        selection.dropped.append(candidate)
    found.pop("", None)
    return list(found.values())


def _judged(
    pool: Sequence[Candidate],
    query: str,
    before: str,
    config: ContextConfig,
    now: datetime,
    room: int,
    meaning: Meaning | None,
    selection: Selection,
) -> Judged:
    concepts = read_question(query, before)
    try:
        return judge(pool, concepts, query, config, now, room=room, meaning=meaning)
    except SearchError as error:
        selection.failures.append(f"select: judged by words alone, {error}")
        return judge(pool, concepts, query, config, now, room=room)


def _relevant(judged: Judged, config: ContextConfig, previous: Sequence[str], selection: Selection) -> list[Candidate]:
    """Return what reaches the threshold or must be kept, what must be kept first."""
    left = []
    for candidate in judged.short:
        if candidate.relevance < config.min_relevance and not candidate.pinned and not candidate.recent:
            candidate.rule = f"relevance {candidate.relevance:.2f} is below {config.min_relevance}"
            selection.dropped.append(candidate)
        else:
            left.append(candidate)
    for candidate in judged.rest:
        candidate.rule = "not among the most promising"
        if candidate.relevance < config.min_relevance:
            candidate.rule = f"relevance is below {config.min_relevance}"
    selection.dropped += judged.rest
    if previous:
        for candidate in left:
            if packet_id(candidate.packet) in previous:
                candidate.score *= STICKY
    return sorted(left, key=lambda each: (not each.pinned, not each.recent, -each.score))


def _without_duplicates(left: list[Candidate], selection: Selection) -> tuple[list[Candidate], list[float]]:
    """Return one of each group of near-duplicates, and what each is worth beside the better ones.

    A packet is worth its score, if all scores are the caller's own. Measured relevance is a guess: there the value is
    score x relevance^2, or dozens of snippets that touch the subject would push out the few that answer (measured on
    three repositories: the answer in the prompt in 54% of tasks instead of 47%).
    """
    kept, values = [], []
    by_caller = all(candidate.settled for candidate in left)
    places: dict[str, int] = {}
    for candidate, (overlap, other) in zip(left, overlaps([each.packet.content for each in left]), strict=True):
        if overlap >= SAME and not candidate.pinned:
            candidate.rule = f"says the same as {title_of(left[other].packet)}"
            selection.dropped.append(candidate)
            continue
        place = place_of(candidate.packet).partition(":")[0]
        before = places.get(place, 0)
        places[place] = before + bool(place)
        repeated = REPEATED * overlap if overlap >= ALIKE else 0.0
        kept.append(candidate)
        sure = 1.0 if by_caller else candidate.relevance**2
        values.append(candidate.score * sure * (1 - repeated) * SAME_PLACE**before)
    return kept, values
