"""What a statement speaks of: paths, names in backticks, quoted words, numbers; and its plain words."""

import re
from functools import lru_cache

from ..search.query import query_terms
from ..search.text import tokenize

_REMEMBERED = 4096
"""Texts whose reading is remembered: a fact is looked at again for every new one and every context."""
_TICKED = re.compile(r"`([^`\n]{1,200})`")
_QUOTED = re.compile(r"\"[^\"\n]{2,120}\"|“[^”\n]{2,120}”|「[^」\n]{2,120}」|'(?<!\w')[^'\n]{2,80}'(?!\w)")
_PATH = re.compile(
    r"(?<![\w/.-])(?:[\w.-]+/)*[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{1,4}\d?|toml|yaml|json|lock|ipynb|proto)(?![\w/])|(?<![\w/.-])(?:[\w.-]+/)+[\w.-]*"
)
_NAME = re.compile(r"(?<![\w/.-])(?:[A-Za-z]+_\w+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[A-Z]{2,}[-_]?\d+|\w+\(\))")
_HASH = re.compile(r"(?<![\w/])(?=[0-9a-f]*\d)[0-9a-f]{7,40}(?![\w/])")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*")


@lru_cache(maxsize=_REMEMBERED)
def paths(text: str) -> tuple[str, ...]:
    """Return the paths a text names, in lower case, each once, in order."""
    found = [match.group().rstrip(".").lower() for match in _PATH.finditer(text)]
    return tuple(dict.fromkeys(path for path in found if any(char.isalpha() for char in path)))


@lru_cache(maxsize=_REMEMBERED)
def names(text: str) -> tuple[str, ...]:
    """Return paths, names in backticks and identifiers of a text, in lower case, each once."""
    ticked = [match.group(1).lower() for match in _TICKED.finditer(text)]
    plain = [match.group().lower() for match in _NAME.finditer(text)]
    return tuple(dict.fromkeys([*paths(text), *ticked, *plain]))


def names_a_commit(text: str) -> bool:
    """Return whether a text speaks of a single commit by its hash."""
    return _HASH.search(text) is not None


@lru_cache(maxsize=_REMEMBERED)
def bare(text: str) -> str:
    """Return a text in lower case for cue words: code, quotations, paths and hashes replaced, numbers by 0.

    What stands in them is somebody else's words: a commit title "Fix the leak" is no leak and no fix.
    """
    text = _TICKED.sub(" C ", text)
    text = _QUOTED.sub(" Q ", text)
    text = _PATH.sub(" C ", text)
    text = _HASH.sub(" H ", text)
    text = _NUMBER.sub("0", text)
    return re.sub(r"\s+", " ", text).strip().lower()


def quotations(text: str) -> tuple[str, ...]:
    """Return what stands in quotation marks, in lower case, without the marks."""
    return tuple(match.group()[1:-1].strip().lower() for match in _QUOTED.finditer(text))


def without_paths(text: str) -> str:
    """Return a text with "it" in the place of every path."""
    return _PATH.sub("it", text).replace("`it`", "it")


@lru_cache(maxsize=_REMEMBERED)
def words(text: str) -> frozenset[str]:
    """Return the search terms of a text, each once."""
    return frozenset(tokenize(text))


@lru_cache(maxsize=_REMEMBERED)
def english_words(text: str) -> frozenset[str]:
    """Return the English search terms a Chinese text stands for, by the glossary."""
    return frozenset(term for term in query_terms(text) if term.isascii())
