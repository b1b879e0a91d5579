"""What a question's words are worth: in a line, to choose what is shown; in a passage, to judge the answer."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..search.grammar import GRAMMAR
from ..search.text import CJK, has_cjk
from .question import Question
from .read import code_terms

SILENCE = 200
"""Pieces from which on it says something that a word stands nowhere in a repository."""
ABOUT = 0.5
"""Share of a question's words that must stand somewhere for the question to be about the repository."""
_RUN = re.compile(rf"[{CJK}]+")
_GRAMMAR = re.compile("|".join(sorted(GRAMMAR, key=len, reverse=True)))

Ways = Collection[Sequence[str]]
"""Search terms that say one thing when those of any way stand together."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What the words of a question are worth, by how rare they are."""

    lines: Mapping[str, float]
    """Of each search term in a line."""
    said: Sequence[tuple[Ways, float]]
    """Of each thing the question says, in words or translated."""
    chinese: Sequence[tuple[Ways, float]]
    """Of each pair of Chinese characters that stands in the index."""


def worth(question: Question, frequency: Mapping[str, int], pieces: int) -> Worth:
    """Return what the words of a question are worth: their weight times their idf among `pieces`.

    Words that stand nowhere in the index are kept, since an answer that lacks them answers less; Chinese that stands
    nowhere is not, as its translations are beside it. Hints help to find lines and are not asked for in an answer.
    """

    def idf(term: str) -> float:
        return math.log1p(pieces / (1 + frequency.get(term, 0)))

    own = {
        term: weight * idf(term) for term, weight in question.terms.items() if term in frequency or not has_cjk(term)
    }
    hints = {term: weight * idf(term) for term, weight in question.hints.items() if term in frequency}
    things = [(thing, thing.weight * idf(thing.name)) for thing in question.things]
    translated = {term: value * share for thing, value in things for way, share in thing.ways.items() for term in way}
    return Worth(
        lines=hints | translated | own,
        said=[
            *((((term,),), value) for term, value in own.items() if not has_cjk(term)),
            *((tuple(thing.ways), value) for thing, value in things),
        ],
        chinese=[(((term,),), value) for term, value in own.items() if has_cjk(term)],
    )


def fits(question: Question, frequency: Mapping[str, int], pieces: int) -> bool:
    """Return whether a question can be about a repository at all: more than `ABOUT` of its words stand there somewhere.

    By number or by worth, so that neither one rare word nor many common ones decide alone. What is found for "how do I
    bake bread" is the best of nothing. Whoever names a path means this repository; a small one has few words to know.

    Args:
        question: Asked.
        frequency: In how many pieces each of its terms stands.
        pieces: How many there are.
    """
    if pieces < SILENCE or question.places:
        return True
    words = {term for term in question.terms if term[0] != "=" and not has_cjk(term)}
    chinese, unknown = _chinese(question, frequency)
    known = [frequency[each] for each in [*words, *question.hints, *chinese] if each in frequency]
    missing = len(words - frequency.keys()) + unknown / 2
    worth = sum(math.log1p(pieces / (1 + count)) for count in known)
    return len(known) > ABOUT * (len(known) + missing) or worth > ABOUT * (worth + missing * math.log1p(pieces))


def _chinese(question: Question, frequency: Mapping[str, int]) -> tuple[set[str], int]:
    """Return the Chinese words, translated or as they are, that stand somewhere, and how many characters say nothing.

    These are in no such word and no grammar.
    """
    held = {thing.name for thing in question.things if thing.name in frequency}
    names = re.compile("|".join(map(re.escape, held)) or "(?!)")
    unknown = 0
    for run in _RUN.findall(question.text):
        told = _places(_GRAMMAR, run) | _places(names, run)
        pairs = {start: run[start : start + 2] for start in range(len(run) - 1) if start not in told}
        for start, pair in pairs.items():
            if pair in frequency:
                held.add(pair)
                told |= {start, start + 1}
        unknown += len(run) - len(told)
    return held, unknown


def _places(pattern: re.Pattern[str], run: str) -> set[int]:
    return {place for match in pattern.finditer(run) for place in range(*match.span())}


def relevance(text: str, worth: Worth, relative: float) -> float:
    """Return how well a text answers, in [0, 1]: sqrt(c) * (1 + r) / 2.

    c is the share of the question's worth that stands in the text, r its score against the best (at least 0). An
    answer in Chinese is one, too: of the shares in either language the larger counts.
    """
    there = set(code_terms(text))
    share = max(_share(worth.said, there), _share(worth.chinese, there))
    return math.sqrt(share) * (1 + max(0.0, min(relative, 1.0))) / 2


def _share(things: Sequence[tuple[Ways, float]], there: Collection[str]) -> float:
    total = sum(value for _, value in things)
    found = sum(value for ways, value in things if any(all(term in there for term in way) for way in ways))
    return found / total if total > 0 else 0.0
