"""Relevance by words: which share of what is asked does a text speak of, whatever its length and language.

relevance = (sum of weight x rarity x match) / (sum of the six largest weight x rarity), at most 1, over the concepts of
the question: a text that speaks of six things asked for is as relevant as can be, however long the question.
A concept matches as far as the terms of its best wording are in the text; a rare concept weighs up to four times as
much as one that every candidate speaks of. No more: candidates that were searched for all speak of what was asked, and
must not lose their relevance by that.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from ...tools.search.text import index_terms
from .concepts import Concept

COMMON = 0.25
"""Rarity of what every candidate speaks of."""
ABSENT = 0.5
MOST = 6
UNSEEN = 20
"""Texts nobody has shown us, so that a single candidate can be judged too."""
PREFIX = 6
"""Letters by which longer words are taken for relatives: `config`, `configure`, `configuration`."""
RELATIVE = 0.7
"""Strength of a relative against the word itself."""


def needle(term: str) -> str:
    """Return what must be in a lower-case text for the term, or a relative of it, to be there."""
    term = term.removeprefix("=")
    return term[:PREFIX] if term.isascii() else term


def spoken_of(concept: Concept, texts: Sequence[str]) -> list[bool]:
    """Return for each lower-case text whether it may speak of the concept: never wrongly False, fast, linear."""
    ways = list(dict.fromkeys(tuple(map(needle, option)) for _, option in concept.options))
    singles = [way[0] for way in ways if len(way) == 1]
    several = [way for way in ways if len(way) > 1]
    found = [False] * len(texts)
    for word in singles:
        found = [known or word in text for known, text in zip(found, texts, strict=True)]
    for way in several:
        found = [
            known or sum(map(text.__contains__, way)) * 2 >= len(way) for known, text in zip(found, texts, strict=True)
        ]
    return found


def rarity(df: int, n: int) -> float:
    """Return how rare a concept is that `df` of `n` candidates speak of, from 0.25 (all of them) to 1.

    Linear in the inverse document frequency ln((n + 20) / (df + 1)). What nobody speaks of cannot tell candidates apart
    and weighs 0.5.
    """
    if df == 0:
        return ABSENT
    return COMMON + (1 - COMMON) * math.log((n + UNSEEN) / (df + 1)) / math.log(n + UNSEEN)


@lru_cache(maxsize=2_048)
def _read(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the terms of a text, and the beginnings of its longer words."""
    found = frozenset(index_terms(text))
    return found, frozenset(term[:PREFIX] for term in found if len(term) >= PREFIX and term.isascii())


def match(concept: Concept, text: str) -> float:
    """Return how far a text speaks of a concept, in [0, 1]."""
    found, beginnings = _read(text)
    best = 0.0
    for strength, option in concept.options:
        if strength <= best:
            continue
        total = 0.0
        for term in option:
            if term in found:
                total += 1.0
            elif len(term) >= PREFIX and term[:PREFIX] in beginnings:
                total += RELATIVE
        best = max(best, strength * total / len(option))
    return best


def coverage(concepts: Sequence[Concept], weights: Sequence[float], text: str) -> float:
    """Return the relevance of a text; `weights` are the concepts' own weights times their rarity."""
    if not concepts:
        return 0.0
    found = sum(weight * match(concept, text) for concept, weight in zip(concepts, weights, strict=True))
    return min(1.0, found / enough(weights))


def enough(weights: Sequence[float]) -> float:
    """Return the weight from which a text is as relevant as can be: the six largest together."""
    return sum(sorted(weights, reverse=True)[:MOST])
