"""A question to weighted search terms: what it says, its compounds, and the other language's words for it."""

import math
from collections import Counter
from itertools import pairwise

from .glossary import expand
from .text import has_cjk, is_cjk, stem, tokenize, whole, words

COMPOUND_WEIGHT = 0.5
"""Of an identifier guessed from neighbouring words (``rate limit`` for ``rate_limit``)."""
_SHORTEST_COMPOUND = 5


def query_terms(query: str) -> dict[str, float]:
    """Return the terms to search for, each with its weight above 0.

    A term said n times weighs sqrt(n). Neighbouring words are also tried as one identifier, and a word also as an
    identifier written in parts (``errorhandler`` finds ``error_handler``). `glossary.expand` adds translations.
    """
    weights = {term: math.sqrt(count) for term, count in Counter(tokenize(query)).items()}
    for term in compounds(query):
        weights.setdefault(term, COMPOUND_WEIGHT)
    for term, weight in expand(query).items():
        weights[term] = max(weight, weights.get(term, 0.0))
    return weights


def compounds(query: str) -> list[str]:
    """Return terms the words of a query might form when joined: each word alone, and each two neighbours.

    Both as the whole of an identifier in parts and as one plain word, since either side may write it either way.
    """
    plain = [word for word in words(query) if not (has_cjk(word) and is_cjk(word))]
    joined = [*plain, *(left + right for left, right in pairwise(plain))]
    long = [word.replace("_", "").lower() for word in joined if len(word) >= _SHORTEST_COMPOUND]
    return [term for word in long for term in (whole(word), stem(word))]
