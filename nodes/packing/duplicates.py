"""Near-duplicates: which texts say the same, or much of the same."""

import re
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

SAME = 0.85
"""Share of words (Jaccard) from which two texts say the same: one word in thirteen may differ."""
ALIKE = 0.5
"""Share from which the second text is worth less for what the first already says."""
LENGTHS = 0.7
"""Shortest against longest: the same words said ten times as often are another text."""
COMPARED = 128
"""Earlier texts that each text is compared with."""
_BITS = 1_024
_NEAR = 0.9
"""Sketches of two texts may overlap a little less than the texts."""
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _words(text: str) -> frozenset[str]:
    """Return the words of a text; of scripts without spaces, pairs of characters."""
    lowered = text.lower()
    found = set(_WORD.findall(lowered))
    if not lowered.isascii() and _UNSPACED.search(lowered):
        long = [word for word in found if _UNSPACED.search(word)]
        found.difference_update(long)
        found.update(word[place : place + 2] for word in long for place in range(max(len(word) - 1, 1)))
    return frozenset(found)


def _sketch(words: frozenset[str]) -> int:
    """Return a set of words as 1,024 bits: comparing two of these takes a tenth of a microsecond."""
    bits = bytearray(_BITS // 8)
    for word in words:
        place = crc32(word.encode("utf-8", "replace")) % _BITS
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits)


@lru_cache(maxsize=2_048)
def _read(text: str) -> tuple[frozenset[str], int]:
    words = _words(text)
    return words, _sketch(words)


def overlaps(texts: Sequence[str]) -> list[tuple[float, int]]:
    """Return for each text its largest overlap with one of the 128 first that stand before it, and that one's place.

    Overlap is the Jaccard index of the words, in [0, 1]; less than 0.5 is given as (0, -1).
    """
    sets, sketches = zip(*map(_read, texts), strict=True) if texts else ((), ())
    return [_largest(place, texts, sets, sketches) for place in range(len(texts))]


def _largest(
    place: int, texts: Sequence[str], sets: Sequence[frozenset[str]], sketches: Sequence[int]
) -> tuple[float, int]:
    words, sketch = sets[place], sketches[place]
    # Two sets with an index of 0.5 share at least half of either one.
    least = _NEAR * ALIKE * sketch.bit_count()
    near = [other for other, bits in enumerate(sketches[: min(place, COMPARED)]) if (sketch & bits).bit_count() > least]
    best, which = 0.0, -1
    for other in near:
        lengths = min(len(texts[place]), len(texts[other])) / max(len(texts[place]), len(texts[other]))
        common = len(words & sets[other])
        overlap = common / max(1, len(words) + len(sets[other]) - common)
        if overlap >= ALIKE and overlap > best and lengths >= LENGTHS:
            best, which = overlap, other
    return best, which
