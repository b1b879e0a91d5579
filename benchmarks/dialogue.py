"""Long talks between people: is what answers a question in front of the model? Ours beside BM25, without any model.

    python -m benchmarks dialogue [--talks 2] [--budgets 1000,2000,4000]

A question counts as answerable when the turn that answers it stands in the context word for word. Talks are made by
rule (`dialogue_data.py`); BM25 fills its budget with the turns that share the rarest words with the question.
"""

import argparse
from statistics import mean
from typing import Any, Protocol

from maintainer.tools.search import Document, WordIndex
from maintainer.tools.tokens import open_counter

from .dialogue_data import Talk, make_talk
from .longrun_engine import Factory

COUNTER = open_counter()


class System(Protocol):
    """A way to keep a talk."""

    def feed(self, turn: dict[str, Any]) -> None:
        """Take one turn."""

    def context_for(self, query: str, budget: int) -> str:
        """Return what the model would see."""


class Words:
    """All turns by BM25, the best first, until the budget is full."""

    def __init__(self) -> None:
        self._index = WordIndex(None, {"text": 1.0})
        self._texts: dict[str, str] = {}

    def feed(self, turn: dict[str, Any]) -> None:
        self._texts[str(turn["i"])] = str(turn["content"])
        self._index.put([Document(str(turn["i"]), {"text": str(turn["content"])})])

    def context_for(self, query: str, budget: int) -> str:
        lines: list[str] = []
        for hit in self._index.search(query, limit=400, among=None):
            if COUNTER.count("\n".join([*lines, self._texts[hit.id]])) > budget:
                break
            lines.append(self._texts[hit.id])
        return "\n".join(lines)


SYSTEMS: dict[str, type[System]] = {"ours": Factory, "bm25": Words}


def found(system: System, talk: Talk, budget: int) -> list[bool]:
    """Return for each question whether the turn that answers it is in the context."""
    return [
        str(talk.turns[answer]["content"]) in system.context_for(question, budget)
        for question, answer in talk.questions
    ]


def run(argv: list[str]) -> dict[str, Any]:
    """Return the share of answerable questions by language, budget and way of keeping."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks dialogue", description=__doc__)
    parser.add_argument("--talks", type=int, default=2)
    parser.add_argument("--budgets", default="1000,2000,4000")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(argv)
    budgets = [int(each) for each in options.budgets.split(",")]
    table: dict[str, Any] = {}
    for language in ("en", "zh"):
        talks = [make_talk(language, options.seed + number) for number in range(options.talks)]
        shares: dict[str, dict[str, float]] = {}
        for name, make in SYSTEMS.items():
            kept: dict[int, list[bool]] = {budget: [] for budget in budgets}
            for talk in talks:
                system = make()
                for turn in talk.turns:
                    system.feed(dict(turn))
                for budget in budgets:
                    kept[budget] += found(system, talk, budget)
            shares[name] = {str(budget): round(mean(each), 3) for budget, each in kept.items()}
        asked = sum(len(talk.questions) for talk in talks)
        table[language] = {"turns": sum(len(talk.turns) for talk in talks), "questions": asked, "found": shares}
    return table
