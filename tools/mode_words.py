"""What the words of a request say about its mode: weights learnt for words and for runs of two and three of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Literal, get_args

ModeName = Literal["explore", "analyze", "plan"]
Kind = Literal["explore", "analyze", "plan", "unclear"]
MODES: tuple[ModeName, ...] = get_args(ModeName)
KINDS: tuple[Kind, ...] = get_args(Kind)
SCALE = 10
"""Weights stand in mode_words.tsv as tenths, for explore, analyze and plan; those of unclear are 0."""
_LONGEST = 3
_STEM = 5
"""Letters that stand for a longer word beside it: plans, planned and planning have something in common."""
_TOLD = 4
"""Runs of which the reason is made."""
_NEAR = 2
"""Characters between two parts of a request that are told as one."""
_BARE = " \t\n?.!,:;\"'()？。！，：；“”（）、"
_TOKEN = re.compile(
    r"(?P<name>`[^`\s]+`|[A-Za-z_][\w./-]*(?:[a-z][A-Z]|[A-Za-z\d]_\w|\w/|/\w|\w\.[a-z]{1,5}\b|\w\(\))[\w./()-]*)"
    r"|(?P<number>\d[\d,.]*)|(?P<word>[A-Za-z]+(?:'[A-Za-z]+)?)|(?P<sign>[\u3400-\u9fff])|(?P<mark>[^\w\s])",
    re.ASCII,
)
"""A name of the code, a number, an English word, a Chinese character, a punctuation mark."""
_MARKS = str.maketrans("？，。！：；“”（）、’", '?,.!:;""(),\'')


@dataclass(frozen=True, slots=True)
class Run:
    """One to three words that stand together in a request, and where: `said[start:end]`."""

    text: str
    start: int
    end: int


def runs_of(said: str) -> list[Run]:
    """Return all runs of a request.

    Names of the code and numbers count as such only: what a request is about does not decide what is wanted of it.
    """
    words = [_word(found) for found in _TOKEN.finditer(said.translate(_MARKS))]
    first, last = (words[0].start, words[-1].end) if words else (0, 0)
    edged = [Run("<", first, first), *words, Run(">", last, last)]
    found = [Run(f"{word.text[:_STEM]}~", word.start, word.end) for word in words if len(word.text) > _STEM]
    for length in range(1, _LONGEST + 1):
        for at in range(len(edged) - length + 1):
            part = edged[at : at + length]
            found.append(Run(" ".join(each.text for each in part), part[0].start, part[-1].end))
    return found


def heard(runs: Sequence[Run]) -> dict[Kind, float]:
    """Return how much the runs of a request speak for each kind: logits, that of unclear is 0."""
    weights, texts = _weights(), {run.text for run in runs}
    known = [weights[text] for text in texts if text in weights]
    size = SCALE * sqrt(len(texts))
    return {kind: sum(each[at] for each in known) / size for at, kind in enumerate(KINDS)}


def spoken_for(said: str, runs: Sequence[Run], kind: Kind) -> list[str]:
    """Return the parts of a request that spoke most for a kind, at most three, in order; near ones are joined."""
    weights, at = _weights(), KINDS.index(kind)
    leads = [(_lead(weights[run.text], at), run) for run in runs if run.text in weights and run.end > run.start]
    strong = sorted((each for each in leads if each[0] > 0), key=lambda each: -each[0])[:_TOLD]
    parts: list[tuple[int, int]] = []
    for _, run in sorted(strong, key=lambda each: each[1].start):
        if parts and run.start <= parts[-1][1] + _NEAR:
            parts[-1] = (parts[-1][0], max(run.end, parts[-1][1]))
        else:
            parts.append((run.start, run.end))
    told = [said[start:end].strip(_BARE) for start, end in parts]
    return [part for part in told if part][:3]


def _word(found: re.Match[str]) -> Run:
    text = {"name": "NAME", "number": "#"}.get(found.lastgroup or "", found.group().lower())
    return Run(text, found.start(), found.end())


def _lead(weights: Sequence[int], at: int) -> float:
    """Return by how much a run speaks more for one kind than for the strongest of the others."""
    return weights[at] - max(weight for other, weight in enumerate(weights) if other != at)


@cache
def _weights() -> Mapping[str, tuple[int, ...]]:
    """Return the rows of mode_words.tsv: run, then its weights in the order of `KINDS`."""
    text = (files("maintainer.tools") / "mode_words.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {run: (*map(int, weights.split()), 0) for run, weights in rows}
