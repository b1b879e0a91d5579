"""What a question speaks of: its concepts, each with the words of both languages that can stand for it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from ...tools.search.glossary import terms
from ...tools.search.text import CJK, is_cjk, pairs, tokenize, words

TRANSLATED = 0.85
"""Strength of a translation against the word itself: a glossary is not always right."""
BEFORE = 0.5
"""Weight of the question before, when a follow-up alone says too little."""

_RUN = re.compile(rf"[{CJK}]+")
_GRAMMAR = re.compile(
    "为什么|怎么样|怎么办|怎么|怎样|如何|什么|哪里|哪个|哪些|哪儿|是否|是不是|有没有|多少|请问|一下|我们|你们|他们|这个|那个|"
    "继续|可以|能不能|请|的|了|吗|呢|吧|啊"
)
"""Chinese words that carry grammar and no subject."""
_FOLLOW_UP = frozenset({"continue", "go", "ok", "okay", "yes", "please", "thanks", "next", "more", "explain", "detail"})
"""English words that lean on what was said before."""


Option = tuple[float, tuple[str, ...]]
"""A way to say it: its strength in (0, 1], and the search terms that have to be there."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing a question speaks of."""

    options: tuple[Option, ...]
    weight: float = 1.0


def read_question(question: str, before: str = "") -> tuple[Concept, ...]:
    """Return the concepts of a question; a follow-up such as "Why?" or "继续" leans on the question `before` it.

    Empty when neither speaks of anything that could be looked for.
    """
    own = _concepts(question)
    subjects = [concept for concept in own if not _leans(concept)]
    if len(subjects) > 1 or not before:
        return own
    borrowed = [replace(concept, weight=BEFORE) for concept in _concepts(before) if concept not in own]
    return (*own, *borrowed)


def _leans(concept: Concept) -> bool:
    return all(term in _FOLLOW_UP for _, option in concept.options for term in option if term.isascii())


@lru_cache(maxsize=256)
def _concepts(text: str) -> tuple[Concept, ...]:
    found: dict[Concept, None] = {}
    spoken = [(word, own) for word in words(text) if not is_cjk(word) and (own := tuple(tokenize(word)))]
    for place, (_, own) in enumerate(spoken):
        neighbours = list(pairwise(spoken[max(place - 1, 0) : place + 2]))
        found.setdefault(Concept(tuple(_english_options(own, neighbours))))
    for run in _RUN.findall(text):
        for piece in _GRAMMAR.split(run):
            for concept in _chinese_concepts(piece):
                found.setdefault(concept)
    return tuple(found)


_Spoken = tuple[str, tuple[str, ...]]


def _english_options(own: tuple[str, ...], phrases: list[tuple[_Spoken, _Spoken]]) -> Iterator[Option]:
    """Yield a word's own terms, the compounds it is part of (`roll back`: `rollback`), and its Chinese names."""
    parts = tuple(term for term in own if not term.startswith("="))
    yield 1.0, parts or own
    for (left_word, _), (right_word, _) in phrases:
        if compound := tuple(tokenize(left_word + right_word)):
            yield 1.0, compound
    names = [*_chinese_names().get(own, ())]
    for (_, left), (_, right) in phrases:
        names += _chinese_names().get((*left, *right), ())
    for name in dict.fromkeys(names):
        yield TRANSLATED, tuple(pairs(name))


@lru_cache(maxsize=1)
def _chinese_names() -> dict[tuple[str, ...], list[str]]:
    """Return the Chinese terms by the search terms of their English names."""
    table: dict[tuple[str, ...], list[str]] = {}
    for chinese, names in terms().items():
        for name in names:
            table.setdefault(tuple(tokenize(name)), []).append(chinese)
    return table


def _chinese_concepts(run: str) -> Iterator[Concept]:
    """Yield the known terms of a run, longest first and left to right; what lies between gives pairs of characters."""
    table = terms()
    longest = max(map(len, table))
    start, unknown = 0, ""
    while start < len(run):
        end = next((end for end in range(min(len(run), start + longest), start, -1) if run[start:end] in table), None)
        if end is None:
            unknown += run[start]
            start += 1
            continue
        yield from _unknown(unknown)
        known, unknown = run[start:end], ""
        translated = ((TRANSLATED, tuple(tokenize(english))) for english in table[known])
        yield Concept(((1.0, tuple(pairs(known))), *(option for option in translated if option[1])))
        start = end
    yield from _unknown(unknown)


def _unknown(run: str) -> Iterator[Concept]:
    if len(run) > 1:
        for pair in pairs(run):
            yield Concept(((1.0, (pair,)),))
