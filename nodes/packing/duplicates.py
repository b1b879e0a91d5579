"""Near-duplicates: which texts say the same, found without comparing every pair."""

import re
from collections import Counter
from collections.abc import Sequence

SAME = 0.85
"""Share of words (Jaccard) from which two texts say the same: one word in thirteen may differ."""
ALIKE = 0.5
"""Share from which the second text is worth less for what the first already says."""
_WORD = re.compile(r"\w+")
_SPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _words(text: str) -> frozenset[str]:
    """Return the words of a text; of scripts without spaces, pairs of characters."""
    lowered = text.lower()
    found = set(_WORD.findall(lowered))
    if not lowered.isascii() and _SPACED.search(lowered):
        long = [word for word in found if _SPACED.search(word)]
        found.difference_update(long)
        found.update(word[i : i + 2] for word in long for i in range(max(len(word) - 1, 1)))
    return frozenset(found)


def overlaps(texts: Sequence[str]) -> list[tuple[float, int]]:
    """Return for each text its largest overlap with an earlier one, in [0, 1], and that one's place (-1: none).

    Overlap is the Jaccard index of the words; overlaps below 0.5 are given as 0. Texts that overlap that much share
    one of their rarest words, so only texts that do are compared (prefix filtering, Chaudhuri et al., 2006).
    """
    sets = [_words(text) for text in texts]
    frequency = Counter(word for words in sets for word in words)
    seen: dict[str, list[int]] = {}
    found = []
    for place, words in enumerate(sets):
        ranked = sorted(words, key=lambda word: (frequency[word], word))
        rarest = ranked[: len(ranked) - int(ALIKE * len(ranked) + 0.999999) + 1]
        best, which = 0.0, -1
        for other in {other for word in rarest if frequency[word] > 1 for other in seen.get(word, ())}:
            shared = len(words & sets[other])
            overlap = shared / (len(words) + len(sets[other]) - shared)
            if overlap >= ALIKE and (overlap, -other) > (best, -which):
                best, which = overlap, other
        found.append((best, which))
        for word in rarest:
            if frequency[word] > 1:
                seen.setdefault(word, []).append(place)
    return found
