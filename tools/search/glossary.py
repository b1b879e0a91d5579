"""Software terms, Chinese and English: a question in one language finds text in the other.

The terms are in ``glossary.tsv`` beside this file: Chinese, a tab, English alternatives parted by commas, the most
usual first. Several Chinese lines may share an English term.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from .grammar import GRAMMAR
from .text import CJK, has_cjk, pairs, tokenize

FIRST_WEIGHT = 1.0
OTHER_WEIGHT = 0.6
"""Weights of the usual translation and of the alternatives."""
_RUN = re.compile(rf"[{CJK}]+")


@lru_cache(maxsize=1)
def terms() -> dict[str, tuple[str, ...]]:
    """Return the English alternatives by Chinese term."""
    table: dict[str, tuple[str, ...]] = {}
    for line in files("maintainer.tools.search").joinpath("glossary.tsv").read_text("utf-8").splitlines():
        chinese, tab, english = line.partition("\t")
        if tab and not line.startswith("#"):
            table[chinese] = tuple(word.strip() for word in english.split(","))
    return table


@lru_cache(maxsize=1)
def _by_english() -> dict[tuple[str, ...], list[str]]:
    table: dict[tuple[str, ...], list[str]] = {}
    for chinese, english in terms().items():
        for word in english:
            table.setdefault(tuple(tokenize(word)), []).append(chinese)
    return table


def translate(run: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the known terms in a run of Chinese with their English alternatives, left to right.

    The run is cut so that the fewest characters stay unknown, then into the fewest parts, the longest first. Words of
    grammar are known, too, and left out of what is returned.
    """
    table, longest = terms(), _longest()
    cut = [
        (0, 0, 0)
    ]  # of the last n characters: how many stay unknown, in how many parts, minus the first one's length
    for start in range(len(run) - 1, -1, -1):
        ways = [(cut[-1][0] + 1, cut[-1][1], -1)]
        for end in range(start + 1, min(len(run), start + longest) + 1):
            if (word := run[start:end]) in table or word in GRAMMAR:
                unknown, parts, _ = cut[len(run) - end]
                ways.append((unknown, parts + 1, start - end))
        cut.append(min(ways))
    found, start = [], 0
    while start < len(run):
        word = run[start : start - cut[len(run) - start][2]]
        if word in table:
            found.append((word, table[word]))
        start += len(word)
    return found


@lru_cache(maxsize=1)
def _longest() -> int:
    return max(map(len, terms()))


def translations(text: str) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Return the known Chinese terms of a text, in order and with repetitions, with alternatives as search terms."""
    return [
        (word, tuple(tuple(tokenize(english)) for english in alternatives))
        for run in _RUN.findall(text)
        for word, alternatives in translate(run)
    ]


def expand(query: str) -> dict[str, float]:
    """Return further search terms in the other language, with weights in (0, 1]; empty where none is known."""
    weights: dict[str, float] = {}

    def offer(words: Iterable[str], weight: float) -> None:
        for word in words:
            weights[word] = max(weight, weights.get(word, 0.0))

    if has_cjk(query):
        for _, alternatives in translations(query):
            for place, english in enumerate(alternatives):
                offer(english, OTHER_WEIGHT if place else FIRST_WEIGHT)
        return weights
    said = tokenize(query)
    longest = max(map(len, _by_english()), default=0)
    for start in range(len(said)):
        for end in range(start + 1, min(len(said), start + longest) + 1):
            for chinese in _by_english().get(tuple(said[start:end]), ()):
                offer(pairs(chinese), OTHER_WEIGHT)
    return weights
