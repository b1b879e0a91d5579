"""Everyday words to what code calls them: a symptom told without software terms still leads to the code.

The phrases are in ``everyday.tsv`` beside this file: what people say, a tab, code's words parted by commas.
"""

import re
from functools import lru_cache
from importlib.resources import files

from .text import STOP_WORDS, has_cjk, stem, tokenize, words

GRAMMAR_SHARE = 0.35
"""Share of words without a subject (the, when, I, is) from which on a sentence is told, not noted: laymen's reports lie
above it, three in four of developers' texts below (docs/decisions/0111)."""
_WITHOUT_MARK = 0.5
"""... where the first line has no full stop or question mark at its end, as headlines have none."""
_FEWEST = 5
"""Words that a share can be told from."""
_CODE = re.compile(r"`|\w_\w|[a-z][A-Z]|[A-Z][a-z]+[A-Z]|\w\(\)|[a-z]\.[a-z]|::|(?<!\S)--?\w")
"""Identifiers, calls, attributes, options: who writes them knows the code's words."""


@lru_cache(maxsize=1)
def phrases() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return code's search terms by everyday phrase, the phrase in stemmed words."""
    table: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in files("maintainer.tools.search").joinpath("everyday.tsv").read_text("utf-8").splitlines():
        said, tab, code = line.partition("\t")
        if tab and not line.startswith("#"):
            table[_stems(said)] = tuple(dict.fromkeys(tokenize(code)))
    return table


def told(text: str) -> bool:
    """Return whether an English text is told in whole sentences, as laymen do, and names no identifier."""
    said = words(text)
    if len(said) < _FEWEST or has_cjk(text) or _CODE.search(text):
        return False
    sentence = text.strip().partition("\n")[0].rstrip("\"')").endswith((".", "?", "!"))
    least = GRAMMAR_SHARE if sentence else _WITHOUT_MARK
    return sum(word.lower() in STOP_WORDS for word in said) >= least * len(said)


def in_code(text: str) -> list[str]:
    """Return what code may call the things an English text speaks of; of phrases that overlap, the longest."""
    table, said = phrases(), _stems(text)
    longest = max(map(len, table))
    found: list[str] = []
    start = 0
    while start < len(said):
        for end in range(min(len(said), start + longest), start, -1):
            if said[start:end] in table:
                found += table[said[start:end]]
                start = end
                break
        else:
            start += 1
    return list(dict.fromkeys(found))


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word.lower()) for word in words(text))
