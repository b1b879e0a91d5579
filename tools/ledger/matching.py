"""Which older fact does a new one replace or resolve? Pure arithmetic over words, names and closeness of meaning."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ...state.ledger import Fact
from ..search.text import has_cjk
from .aspects import aspects
from .cues import without_ground
from .parts import pairs, parts
from .scope import bare, english_words, names, paths, quotations, without_paths, words
from .statements import sentences

Cosines = Callable[[str, Sequence[str]], Sequence[float]]
"""Returns the cosine of each text with the first, in [-1, 1]."""

MARGIN = 0.1
"""A replaced fact must be so much closer than the next one, or both are only contested."""
_UNRELATED = 0.2
"""Cosine of two texts that have nothing in common but the project (measured: 0.0 to 0.3)."""
_QUOTES = 0.5
"""What quoting the other's value (a number, words in quotation marks) adds."""
_NAMES = 0.3
"""What a shared name adds: less, since the new value may be the one that is shared."""
_SAME_ASPECT, _OTHER_ASPECT = 0.3, -0.3


Relation = Literal["superseded", "resolved", "contested"]


@dataclass(frozen=True, slots=True)
class Match:
    """An older fact the new one speaks against."""

    fact: Fact
    relation: Relation


_SAME_PART, _DOUBTFUL = 0.2, -0.3
_SURELY_SAME, _PERHAPS_SAME = 0.5, 0.3
"""Cosines of two names of parts. Of the same part in two languages 0.3 to 0.9, of two parts 0.2 in the middle and below
0.4 in 9 of 10 (measured)."""


@dataclass(frozen=True, slots=True)
class _Thresholds:
    replaced: float
    contested: float


_ONE_PATH = _Thresholds(0.45, 0.3)
"""Both name the same path: the subject is certain, only the aspect has to fit."""
_NO_PATH = _Thresholds(0.8, 0.65)
"""The subject itself has to be guessed from words."""
_SAID = 0.05
"""... and where the words say that something about this path is replaced, the closest is contested from here on."""
_TRANSLATED = _Thresholds(math.inf, 0.65)
"""... and from words of another language: never certain."""


def find_match(
    new: Fact, older: Sequence[Fact], *, updates: bool, resolves: bool, cosines: Cosines | None
) -> list[Match]:
    """Return what a new fact replaces, resolves or contests, the closest first.

    A fact is replaced only if the new one says so and one rival is clearly the closest; without such words, or with
    two rivals alike, the older ones are contested: shown beside the new one, newest first, and nothing is lost.

    Args:
        new: The new fact.
        older: Facts in force, oldest first.
        updates: The new fact's words say that something is replaced.
        resolves: Its words say that a problem is over.
        cosines: Closeness of meaning; None: words alone.
    """
    if new.kind == "problem" and not (resolves or updates):
        return []
    rivals = [fact for fact in older if (updates or fact.kind != "solved") and _may_share_subject(new, fact)]
    if new.kind == "problem":  # trouble with a thing does not take back what was decided about it
        rivals = [fact for fact in rivals if fact.kind == "problem"]
    elif not (resolves or updates):
        rivals = [fact for fact in rivals if fact.kind != "problem"]
    if not rivals:
        return []
    scores = closeness(new, rivals, cosines)
    ranked = sorted(zip(scores, range(len(rivals)), strict=True), reverse=True)
    if resolves:
        problems = [(score, place) for score, place in ranked if rivals[place].kind == "problem"]
        if found := _resolved(new, rivals, problems):
            return found
    best, place = ranked[0]
    lead = best - ranked[1][0] if len(ranked) > 1 else best
    least = _thresholds(new, rivals[place])
    if updates and best >= least.replaced and lead >= MARGIN:
        relation: Relation = "resolved" if resolves and rivals[place].kind == "problem" else "superseded"
        return [Match(rivals[place], relation)]
    contested = [Match(rivals[each], "contested") for score, each in ranked[:2] if score >= least.contested]
    if not contested and updates and least is _ONE_PATH and best >= _SAID and lead > 0:
        return [Match(rivals[place], "contested")]
    return contested


def _resolved(new: Fact, rivals: Sequence[Fact], problems: Sequence[tuple[float, int]]) -> list[Match]:
    """Return the open problem a solution closes; two that are alike are contested only."""
    if not problems:
        return []
    best, place = problems[0]
    certain = bool(paths(new.text)) and bool(paths(rivals[place].text))
    lead = best - problems[1][0] if len(problems) > 1 else best
    if certain and (len(problems) == 1 or lead >= MARGIN):
        return [Match(rivals[place], "resolved")]
    if certain or best >= _NO_PATH.contested:
        return [Match(rivals[each], "contested") for score, each in problems if score >= best - MARGIN][:2]
    return []


def _thresholds(new: Fact, old: Fact) -> _Thresholds:
    if paths(new.text) and paths(old.text):
        return _ONE_PATH
    return _NO_PATH if has_cjk(new.text) == has_cjk(old.text) else _TRANSLATED


def closeness(new: Fact, rivals: Sequence[Fact], cosines: Cosines | None) -> list[float]:
    """Return how surely each rival speaks of the same thing as the new fact; about 0 for unrelated ones, 1 and more
    for close ones.

    The share of words in common (of the shorter text, paths left out), plus the cosine above that of unrelated texts,
    plus what quoting each other's values and speaking of the same aspect add.
    """
    near: Sequence[float] = [0.0] * len(rivals)
    if cosines is not None:
        near = cosines(_stated(new.text), [_stated(rival.text) for rival in rivals])
    return [
        common_words(_stated(new.text), _stated(rival.text))
        + max(0.0, (cosine - _UNRELATED) / (1 - _UNRELATED))
        + _quoted(new.text, rival.text)
        + _aspect(new.text, rival.text)
        + _parts(new.text, rival.text, cosines)
        for rival, cosine in zip(rivals, near, strict=True)
    ]


@lru_cache(maxsize=4096)
def _stated(text: str) -> str:
    """Return what a fact states, without paths and the reason it gives: many decisions share a reason."""
    plain = without_paths(text)
    first = next(iter(sentences(plain)), plain)
    return first[: len(without_ground(first.lower()))]


def _may_share_subject(new: Fact, old: Fact) -> bool:
    mine, theirs = paths(new.text), paths(old.text)
    if mine and theirs:
        return any(_same_path(one, two) for one in mine for two in theirs)
    return bool(mine) == bool(theirs)


def _same_path(one: str, two: str) -> bool:
    return one == two or one.endswith("/" + two) or two.endswith("/" + one)


def common_words(new: str, old: str) -> float:
    """Return the share of the shorter text's words that the other has too, paths left out, across languages."""
    one, two = without_paths(new), without_paths(old)
    if has_cjk(one) == has_cjk(two):
        first, second = words(one), words(two)
    else:
        chinese, english = (one, two) if has_cjk(one) else (two, one)
        first, second = english_words(chinese), words(english)
    return len(first & second) / max(1, min(len(first), len(second)))


def _quoted(new: str, old: str) -> float:
    """Return what shared values add; an update that quotes numbers, none of them the rival's, speaks of another."""
    mine, theirs = _numbers(new), _numbers(old)
    if mine & theirs or any(quote in old.lower() for quote in quotations(new)):
        return _QUOTES
    if _values(new) & _values(old):
        return _NAMES
    return -_QUOTES if len(mine) > 1 and theirs else 0.0


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:\.\d+)*", without_paths(text)))


def _values(text: str) -> set[str]:
    known = set(paths(text))
    return {name for name in names(text) if name not in known}


def _aspect(new: str, old: str) -> float:
    one, two = aspects(bare(new)), aspects(bare(old))
    if one & two:
        return _SAME_ASPECT
    return _OTHER_ASPECT if one and two else 0.0


def _parts(new: str, old: str, cosines: Cosines | None) -> float:
    """Return what naming the same part of the project in words adds; minus infinity where it is surely another one."""
    compared = [] if paths(new) or paths(old) else pairs(parts(new), parts(old))
    if not compared:
        return 0.0
    if any(words(mine) & words(theirs) for mine, theirs in compared):
        return _SAME_PART
    translated = has_cjk(new) != has_cjk(old)
    if cosines is None:
        return 0.0 if translated else -math.inf
    near = max(cosines(mine, [theirs])[0] for mine, theirs in compared)
    if near >= _SURELY_SAME:
        return _SAME_PART
    return _DOUBTFUL if translated and near >= _PERHAPS_SAME else -math.inf
