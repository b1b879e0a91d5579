"""What a context is given of the past: anchors, standing facts, and older turns that fit the request."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice

from ...state.ledger import Fact, Ledger, Plan
from ...state.packet import ContextPacket, Need
from ..archive import Archive
from ..ledger import LedgerKeeper, Line, fact_lines, plan_lines
from ..ledger.matching import Cosines
from .older import recalled_packet
from .turns import TurnIndex
from .worth import closeness, is_about_project, is_talk, worth

Head = Callable[[Need], str]
"""Returns the archive id of the newest turn of the line a context is built for."""

_MOST_REMARKS = 40
"""Remarks offered, the newest: older ones are left to recall."""
_RELATED = 8
"""Messages that tell which files a request may be about."""
_PINNED, _CLOSE = 4, 0.6
"""Facts at least so close to the request that go in whatever else there is, and the most of them."""
_MOST_PLANS = 4
_WINDOW = 10
"""Turns the history window may hold: recall looks before them."""
_LEAST_TURNS = 70
"""Messages recalled however many facts stand."""
_PASSED_OVER = 40
"""Messages looked at beyond those, since small talk and what the ledger holds are passed over."""


class AnchorSource:
    """The goal, where nobody else brings it, and the plans with their ticks: in every context, word for word."""

    name = "anchors"
    timeout_s = 3.0

    def __init__(self, archive: Archive, keeper: LedgerKeeper, head: Head) -> None:
        self._archive, self._keeper, self._head = archive, keeper, head

    def packets(self, need: Need) -> list[ContextPacket]:
        """Return the anchors, the plan worked on last first."""
        head = self._head(need)
        if not head:
            return []
        found = [] if need.goal else goal_packets(self._archive, head)
        plans = list(self._keeper.at(head).plans)[-_MOST_PLANS:]
        plans.sort(key=lambda plan: (plan.current is not None, plan.updated), reverse=True)
        return found + [_plan_packet(plan, whole=not place) for place, plan in enumerate(plans)]


def goal_packets(archive: Archive, head: str) -> list[ContextPacket]:
    """Return the first request of a line as a packet that always goes in."""
    first = archive.turns_numbered(archive.line(head), [1]).get(1)
    asked = next((each.text for each in first.said if each.role == "user"), "") if first else ""
    metadata = {"type": "goal", "source": "anchors", "scored_by": "anchors", "pinned": True, "turn": 1}
    return [ContextPacket(content=f"Goal: {asked}", relevance_score=1.0, metadata=metadata)] if asked else []


class LedgerSource:
    """The standing facts: what was decided, asked for, is broken and was changed, never re-told."""

    name = "ledger"
    timeout_s = 3.0

    def __init__(self, keeper: LedgerKeeper, index: TurnIndex, head: Head) -> None:
        self._keeper, self._index, self._head = keeper, index, head

    def packets(self, need: Need) -> list[ContextPacket]:
        """Return one packet for each line of the ledger, what is closest to the request first."""
        head = self._head(need)
        ledger = self._keeper.at(head)
        if not ledger.facts:
            return []
        related = [(each.score, each.said.text) for each in self._index.search(need.text, head, _RELATED)]
        return ledger_packets(ledger, need.text, self._keeper.cosines, related)


def ledger_packets(
    ledger: Ledger, request: str, cosines: Cosines | None = None, related: Sequence[tuple[float, str]] = ()
) -> list[ContextPacket]:
    """Return the lines of a ledger as packets, what is closest to the request first; the closest few are pinned.

    `related` is what was said about the request before, with scores in [0, 1].
    """
    talk = is_talk(ledger)
    lines = _offered(fact_lines(ledger), talk)
    near = closeness(request, [line.fact for line in lines], cosines, related)
    ranked = sorted(range(len(lines)), key=lambda place: (-near[place], -lines[place].fact.turn, place))
    found = []
    for rank, place in enumerate(ranked):
        fact = lines[place].fact
        standing = is_about_project(fact, talk=talk)
        metadata = {
            "type": "fact" if standing else "remark",
            "source": "ledger",
            "scored_by": "ledger",
            "fact": fact.kind,
            "id": fact.id,
            "turn": fact.turn,
            "handle": fact.handle,
        }
        if standing and rank < _PINNED and near[place] >= _CLOSE:
            metadata["pinned"] = True
        worth_ = round(worth(fact, near[place], standing=standing), 4)
        found.append(
            ContextPacket(
                content=lines[place].text,
                timestamp=datetime.fromisoformat(fact.at) if fact.at else None,
                relevance_score=worth_,
                metadata=metadata,
            )
        )
    return found


def _offered(lines: Sequence[Line], talk: bool) -> list[Line]:
    """Return all facts about the project, and the newest of the remarks; in a talk only what sounds like a rule.

    The other remarks of a talk are left to recall, which shows them with all that was said around them.
    """
    if talk:
        lines = [line for line in lines if line.fact.scope or (line.fact.kind, line.fact.by) == ("rule", "user")]
    remarks = [line.fact.id for line in lines if not is_about_project(line.fact, talk=talk)]
    old = set(remarks[: max(0, len(remarks) - _MOST_REMARKS)])
    return [line for line in lines if line.fact.id not in old]


class RecallSource:
    """Older turns of the session's own line that fit the request; what is out of date in them is marked."""

    name = "recall"
    timeout_s = 3.0

    def __init__(
        self, index: TurnIndex, archive: Archive, keeper: LedgerKeeper, head: Head, *, most: int = 130
    ) -> None:
        self._index, self._archive, self._keeper, self._head, self._most = index, archive, keeper, head, most

    def packets(self, need: Need) -> list[ContextPacket]:
        """Return the messages that fit best, best first."""
        head = self._head(need)
        if not head:
            return []
        newest = self._archive.line(head).length
        ledger = self._keeper.at(head)
        # facts and turns share what is offered: a context costs the same after a thousand turns as after a hundred
        talk = is_talk(ledger)
        most = max(_LEAST_TURNS, self._most - len(_offered(fact_lines(ledger), talk)))
        found = self._index.search(need.text, head, most + _PASSED_OVER, before=newest - _WINDOW + 1)
        told: dict[int, list[Fact]] = {}
        for fact in ledger.facts.values():
            told.setdefault(fact.turn, []).append(fact)
        packets = (recalled_packet(each, told.get(each.turn.number, ()), ledger, talk=talk) for each in found)
        return list(islice(filter(None, packets), most))


def _plan_packet(plan: Plan, *, whole: bool) -> ContextPacket:
    """Return a plan as a packet that always goes in: all its steps, or only the one that is due."""
    lines = plan_lines(plan)
    if not whole and plan.current is not None:
        lines = [lines[0], lines[plan.current + 1]]
    metadata = {
        "type": "plan",
        "source": "anchors",
        "scored_by": "anchors",
        "pinned": True,
        "turn": plan.updated,
        "id": f"plan {plan.turn}",
    }
    return ContextPacket(content="\n".join(lines), relevance_score=1.0, metadata=metadata)


def past_sources(
    archive: Archive, keeper: LedgerKeeper, index: TurnIndex, head: Head | None = None
) -> tuple[AnchorSource, LedgerSource, RecallSource]:
    """Return the three sources over one archive.

    Args:
        archive: Where the turns are.
        keeper: Keeps the ledgers.
        index: Finds turns.
        head: Tells the line; None: `need.head`, else the newest turn of `need.session`.
    """
    at = head or (lambda need: need.head or archive.newest(need.session))
    return AnchorSource(archive, keeper, at), LedgerSource(keeper, index, at), RecallSource(index, archive, keeper, at)
