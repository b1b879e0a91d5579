"""Close a turn: keep it whole in the archive, carry on what lasts, clear what was only for this turn."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol, TypedDict

from ..state.errors import StoreError
from ..state.packet import ContextPacket
from ..state.session import Dropped, Exchange, Message, Prompt, SessionState
from ..state.turns import Said, Turn
from ..tools.clock import Clock

Facts = Callable[[Turn], Sequence[Mapping[str, Any]]]
"""Returns the changes a turn makes to the ledger of standing facts."""


QUESTION_CHARS = 1_000
"""Of a request that is remembered; all of it is in the archive."""


class TurnArchive(Protocol):
    """Where turns are kept whole."""

    def append(self, turn: Turn) -> Turn:
        """Keep a turn; one whose id is known already is not kept twice."""
        ...

    def get(self, handle: str) -> str:
        """Return a full text by its handle."""
        ...


class Events(Protocol):
    """Where questions and answers are remembered across sessions."""

    def add_exchange(
        self, question: str, answer: str, metadata: Mapping[str, Any] | None = None, *, session: str = ""
    ) -> object:
        """Keep a question with the beginning of its answer; the same pair is kept once."""
        ...


class RecordUpdate(TypedDict):
    """What `record` writes."""

    head: str
    history: list[Message]
    totals: dict[str, int]
    first_look: list[ContextPacket]
    candidates: list[ContextPacket]
    selected: list[ContextPacket]
    dropped: list[Dropped]
    prompt: Prompt | None


def record(state: SessionState, *, archive: TurnArchive, memory: Events, facts: Facts, clock: Clock) -> RecordUpdate:
    """Read the whole turn; write `head`, `history` and `totals`; clear packets and prompt.

    Running it again changes nothing: the archive knows the turn by its id, the memory the pair by its words.
    """
    now = state.started_at or clock.now()
    turn = as_turn(state, archive, now)
    archive.append(replace(turn, facts=tuple(facts(_judged(state, turn)))))
    memory.add_exchange(state.request[:QUESTION_CHARS], state.answer, {"turn_id": state.turn_id}, session=state.session)
    return {
        "head": state.turn_id,
        "history": [
            *state.history,
            Message(role="user", content=state.request, turn=state.turn, timestamp=now),
            Message(role="assistant", content=state.answer, turn=state.turn, timestamp=now),
        ],
        "totals": dict(Counter(state.totals) + Counter(state.stats)),
        "first_look": [],
        "candidates": [],
        "selected": [],
        "dropped": [],
        "prompt": None,
    }


def as_turn(state: SessionState, archive: TurnArchive, now: datetime) -> Turn:
    """Return the turn as the archive keeps it: request, tool results in full, answer."""
    results = [
        Said(
            role="tool",
            name=each.call.name,
            command=str(each.call.arguments),
            text=_whole(each, archive),
        )
        for each in state.exchanges
    ]
    said = (Said(role="user", text=state.request), *results, Said(role="assistant", text=state.answer))
    return Turn(id=state.turn_id, session=state.session, at=now, said=said, parent=state.head)


def _whole(exchange: Exchange, archive: TurnArchive) -> str:
    """Return a tool's result in full; where that can no longer be read, what the model saw of it, and why."""
    if not exchange.handle:
        return exchange.result
    try:
        return archive.get(exchange.handle)
    except StoreError as error:
        return f"{exchange.result}\n[the full text can no longer be read: {error}]"


def _judged(state: SessionState, turn: Turn) -> Turn:
    """Return what facts are read from: a list of evidence that no model wrote decides, plans and settles nothing."""
    unwritten = state.reply is not None and state.reply.model == "none"
    return replace(turn, said=turn.said[:-1]) if unwritten else turn
