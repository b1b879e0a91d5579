"""Text to search terms: identifiers split and kept whole, light stemming, Chinese in pairs of characters."""

import re
import unicodedata
from functools import lru_cache

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts written without spaces (and Korean, whose particles stick to words), as ranges of a character class."""

_ASCII_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]{2,}")
_ANY_WORD = re.compile(rf"[{CJK}]+|[^\W{CJK}]+")
_CJK_RUN = re.compile(rf"[{CJK}]+")
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_FOREIGN_PART = re.compile(r"[^\W\d_]+|\d+")

_SHORTEST = 3
"""Shorter words and stems tell too little."""

STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are as at be because been before being below between
    both but by can could d did do does doing don down during each either few for from further had has have having he
    her here him his how i if in instead into is it its just ll m may me might more most must my neither no nor not now
    of off on once only onto or other our out over own per re s same shall she should so some such t than that the
    their them then there these they this those through to too under until up upon us ve very via was we were what when
    where whether which while who whom whose why will with without would yet you your""".split()  # noqa: SIM905 - a paragraph is easier to read than a column
)
"""English words that carry grammar and no subject; they are never search terms."""

_ENDINGS = (
    ("ification", "ify", 2), ("ization", "ize", 3), ("isation", "ise", 3), ("ation", "at", 3), ("ator", "at", 3),
    ("izer", "ize", 3), ("ingly", "", 3), ("edly", "", 3), ("ing", "", 3), ("ied", "y", 2), ("ed", "", 3),
    ("er", "", 4), ("ly", "", 4),
)  # fmt: skip
"""Ending, what takes its place, and how many letters must be left; the longest of each family stands first."""
_NO_PLURAL = ("ss", "us", "is")
_VOWEL = re.compile(r"[aeiouy]")
_UNDOUBLED = frozenset("bdgmnprt")
"""Consonants that English doubles before an ending: stop, stopped."""


def stem(word: str) -> str:
    """Return a lower-case English word without its endings, so that ``parsing``, ``parser`` and ``parsed`` meet.

    Plurals first, then one ending after another, while at least three letters with a vowel are left; cruder than a
    dictionary, and the result need not be a word. Short words and words of other scripts come back as they are.
    """
    if len(word) <= _SHORTEST:
        return word
    if word.endswith("s") and not word.endswith(_NO_PLURAL):
        word = word[:-1]
    shorter = _without_ending(word)
    while shorter != word:
        word, shorter = shorter, _without_ending(shorter)
    if word.endswith("ie"):
        return word[:-2] + "y"
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


def _without_ending(word: str) -> str:
    for ending, rest, left in _ENDINGS:
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= left and _VOWEL.search(root) and (ending != "ed" or root[-1] != "e"):
            doubled = not rest and len(root) > _SHORTEST and root[-1] == root[-2] and root[-1] in _UNDOUBLED
            return root[:-1] if doubled else root + rest
    return word


def whole(identifier: str) -> str:
    """Return the term for an identifier as a whole, the same for ``rate_limit``, ``rateLimit`` and ``RateLimit``."""
    return "=" + identifier.replace("_", "").lower()


@lru_cache(maxsize=200_000)
def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of one word or identifier: its stemmed parts, then, if it has several, the whole."""
    found = _PART.findall(word) if word.isascii() else _FOREIGN_PART.findall(word)
    parts = [_singular(part).lower() for part in found]
    terms = tuple(stem(part) for part in parts if part not in STOP_WORDS and len(part) > 1)
    if len(parts) > 1 and len(word) > _SHORTEST:
        return (*terms, whole(word))
    return terms


def _singular(part: str) -> str:
    return part[:-1] if part[-1] == "s" and part[:-1].isupper() and len(part) > _SHORTEST - 1 else part


def words(text: str) -> list[str]:
    """Return the words, identifiers, numbers and unbroken runs of Chinese characters of a text, in order."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    return _ANY_WORD.findall(unicodedata.normalize("NFKC", text))


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of characters of an unbroken run, or the run itself if it is one character."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def is_cjk(word: str) -> bool:
    """Return whether the text is one unbroken run of Chinese, Japanese or Korean characters."""
    return _CJK_RUN.fullmatch(word) is not None


def has_cjk(text: str) -> bool:
    """Return whether the text holds a Chinese, Japanese or Korean character."""
    return not text.isascii() and _CJK_RUN.search(text) is not None


def tokenize(text: str) -> list[str]:
    """Return the search terms of a text, in order and with repetitions.

    Identifiers give their parts and, marked by ``=``, the whole; English words are stemmed; Chinese gives pairs of
    characters (a lone character gives itself).
    """
    terms: list[str] = []
    ascii_only = text.isascii()
    for word in words(text):
        if not ascii_only and is_cjk(word):
            terms += pairs(word)
        else:
            terms += word_terms(word)
    return terms


def index_terms(text: str) -> list[str]:
    """Return what a document is found by: `tokenize`, and each Chinese character, so that one-character queries hit."""
    terms = tokenize(text)
    if not text.isascii():
        for run in _CJK_RUN.findall(unicodedata.normalize("NFKC", text)):
            if len(run) > 1:
                terms += run
    return terms
