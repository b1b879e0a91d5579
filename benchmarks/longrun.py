"""What is in front of the model in long sessions: ours beside four usual ways, without any model.

    python -m benchmarks longrun [--turns 300] [--sessions 2] [--budget 4000] [--only ours,last_5]

A planted fact counts as kept when its newest value stands within 300 characters of what it speaks of; as stale when an
older value stands there in a line that has neither the new value nor a mark. Sessions are made by rule
(`longrun_data.py`), so the figures compare ways of keeping, they do not promise them for other talk.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from statistics import mean
from typing import Any, Protocol

from maintainer.graph.builder import ContextBuilder
from maintainer.state.packet import ContextPacket
from maintainer.state.settings import ContextConfig
from maintainer.tools.fakes import FixedClock
from maintainer.tools.search.text import tokenize
from maintainer.tools.tokens import open_counter

from .longrun_data import Probe, Session, make_session
from .longrun_engine import Factory

COUNTER = open_counter()
NEAR = 300
_MARK = re.compile(r"superseded|no longer|any more|resolved|is fixed|not? .{0,40}any more")


class System(Protocol):
    """A way to keep a long session."""

    def feed(self, turn: dict[str, Any]) -> None:
        """Take one message."""

    def context_for(self, query: str, budget: int) -> str:
        """Return what the model would see."""


class LastFive:
    """The five newest messages."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def feed(self, turn: dict[str, Any]) -> None:
        self.lines.append(f"{turn['role']}: {turn['content']}")

    def context_for(self, query: str, budget: int) -> str:  # noqa: ARG002 - blind to the request
        return COUNTER.tail("\n".join(self.lines[-5:]), budget)


class Trimmed:
    """LangChain's `trim_messages`, strategy "last"."""

    def __init__(self) -> None:
        from langchain_core.messages import SystemMessage

        self.messages: list[Any] = [SystemMessage("You look after this codebase.")]

    def feed(self, turn: dict[str, Any]) -> None:
        from langchain_core.messages import AIMessage, HumanMessage

        made = HumanMessage if turn["role"] == "user" else AIMessage
        self.messages.append(made(str(turn["content"])))

    def context_for(self, query: str, budget: int) -> str:  # noqa: ARG002 - blind to the request
        from langchain_core.messages import trim_messages

        def size(messages: list[Any]) -> int:
            return sum(COUNTER.count(each.content) + 1 for each in messages)

        kept = trim_messages(
            self.messages, max_tokens=budget, token_counter=size, strategy="last", include_system=True, start_on="human"
        )
        return "\n".join(each.content for each in kept)


class Classic:
    """The published ContextBuilder, all older messages as packets."""

    def __init__(self) -> None:
        self.turns: list[dict[str, Any]] = []

    def feed(self, turn: dict[str, Any]) -> None:
        self.turns.append(turn)

    def context_for(self, query: str, budget: int) -> str:
        now = datetime.fromisoformat(self.turns[-1]["ts"])
        older = [
            ContextPacket(
                content=str(turn["content"]),
                timestamp=datetime.fromisoformat(turn["ts"]),
                metadata={"type": "tool_result"},
            )
            for turn in self.turns[:-5]
        ]
        history = [{"role": turn["role"], "content": turn["content"]} for turn in self.turns[-5:]]
        builder = ContextBuilder(
            config=ContextConfig(max_tokens=budget), strategy="classic", clock=FixedClock(now), embedder=None
        )
        return COUNTER.head(builder.build(query, history, "You look after this codebase.", older), budget)


class RollingSummary:
    """At 85% of the window all but the newest 30% become their most central sentences, summed up again each time."""

    def __init__(self, window: int = 4000) -> None:
        self.window, self.summary, self.live = window, list[str](), list[str]()

    def feed(self, turn: dict[str, Any]) -> None:
        self.live.append(f"{turn['role']}: {turn['content']}")
        if COUNTER.count("\n".join([*self.summary, *self.live])) >= 0.85 * self.window:
            kept: list[str] = []
            while self.live and COUNTER.count("\n".join([self.live[-1], *kept])) <= 0.3 * self.window:
                kept.insert(0, self.live.pop())
            pool = [
                *self.summary,
                *(part for line in self.live for part in re.split(r"(?<=[.!?。])\s*|\n", line) if part),
            ]
            self.summary, self.live = self._central(pool), kept

    def _central(self, pool: list[str]) -> list[str]:
        common = Counter(term for part in pool for term in set(tokenize(part)))
        worth = {part: mean([common[term] for term in tokenize(part)] or [0]) for part in pool}
        chosen: list[str] = []
        for part in sorted(worth, key=lambda each: -worth[each]):
            if COUNTER.count("\n".join([*chosen, part])) > 0.2 * self.window:
                break
            chosen.append(part)
        return [part for part in dict.fromkeys(pool) if part in chosen]

    def context_for(self, query: str, budget: int) -> str:  # noqa: ARG002 - blind to the request
        return COUNTER.tail("\n".join([*self.summary, *self.live]), budget)


SYSTEMS: dict[str, Callable[[], System]] = {
    "ours": Factory,
    "last_5": LastFive,
    "trim_messages": Trimmed,
    "classic_builder": Classic,
    "rolling_summary": RollingSummary,
}


def kept(context: str, probe: Probe) -> bool:
    """Return whether the newest value stands near what it speaks of."""
    near = (context[max(0, place - NEAR) : place + NEAR] for place in _places(context, probe.value))
    return any(scope in part for part in near for scope in probe.scopes)


def stale(context: str, probe: Probe) -> bool:
    """Return whether an older value stands there as if it were in force."""
    for place in _places(context, probe.old) if probe.old else ():
        line = context[context.rfind("\n", 0, place) + 1 : (context + "\n").find("\n", place)]
        if any(scope in line for scope in probe.scopes) and probe.value not in line and not _MARK.search(line):
            return True
    return False


def _places(context: str, value: str) -> list[int]:
    return [match.start() for match in re.finditer(rf"(?<![\w/]){re.escape(value)}(?!\w)", context)]


def measure(system: System, session: Session, budget: int) -> dict[str, Any]:
    """Return what one way kept of one session."""
    asked: dict[int, list[Probe]] = {}
    for probe in session.probes:
        asked.setdefault(probe.at, []).append(probe)
    rows, over, cpu = [], 0, [time.process_time()]
    for turn in session.turns:
        system.feed(dict(turn))
        number = int(str(turn["i"]))
        for probe in asked.get(number, ()):
            context = system.context_for(probe.query, budget)
            over += COUNTER.count(context) > budget
            rows.append((probe.kind, probe.distance, kept(context, probe), bool(probe.old), stale(context, probe)))
    goal = session.goal in system.context_for("How far are we?", budget)
    cpu.append(time.process_time())
    return {"rows": rows, "over": over, "goal": goal, "cpu_s": cpu[1] - cpu[0]}


def run(argv: list[str]) -> dict[str, Any]:
    """Return the figures by way of keeping."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks longrun", description=__doc__)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--sessions", type=int, default=2)
    parser.add_argument("--budget", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default=",".join(SYSTEMS))
    options = parser.parse_args(argv)
    table = {}
    for name in options.only.split(","):
        measured = [
            measure(SYSTEMS[name](), make_session(options.turns, options.seed + n), options.budget)
            for n in range(options.sessions)
        ]
        rows = [row for each in measured for row in each["rows"]]
        table[name] = {
            "kept": _share(rows, lambda row: row[2]),
            "kept_far": _share([row for row in rows if row[1] >= 50], lambda row: row[2]),
            "by_kind": {
                kind: _share([row for row in rows if row[0] == kind], lambda row: row[2]) for kind in _kinds(rows)
            },
            "by_distance": {
                str(d): _share([r for r in rows if r[1] == d], lambda row: row[2]) for d in (10, 50, 100, 500)
            },
            "fresh_of_changed": _share([row for row in rows if row[3]], lambda row: row[2] and not row[4]),
            "goal": mean(each["goal"] for each in measured),
            "over_budget": sum(each["over"] for each in measured),
            "questions": len(rows),
            "cpu_s": round(sum(each["cpu_s"] for each in measured), 1),
        }
    return table


def _kinds(rows: list[Any]) -> list[str]:
    return sorted({row[0] for row in rows})


def _share(rows: list[Any], counts: Callable[[Any], bool]) -> float | None:
    return round(mean(bool(counts(row)) for row in rows), 3) if rows else None
