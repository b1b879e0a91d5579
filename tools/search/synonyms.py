"""Several ways to say one thing, searched as one term: the translations of a Chinese word.

However many of the ways a text uses, it says the thing once. So their occurrences are added up and their documents
united before anything is scored (structured queries: Pirkola 1998). Scored one by one, the word with the most
translations would decide, or the rarest translation (docs/decisions/0110).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .postings import Posting


@dataclass(frozen=True, slots=True)
class Synonyms:
    """One thing and the ways to say it."""

    name: str
    """The thing as it was said; stands for all of its ways."""
    weight: float
    """In the question, above 0."""
    ways: Mapping[tuple[str, ...], float]
    """Search terms that must stand together, with what an occurrence counts, in (0, 1]."""

    @property
    def usual(self) -> tuple[str, ...]:
        """Return the likeliest way, `()` where there is none."""
        return max(self.ways, key=self.ways.__getitem__, default=())

    @property
    def terms(self) -> frozenset[str]:
        """Return every search term of every way."""
        return frozenset(term for way in self.ways for term in way)


def joined(postings: Sequence[Posting], things: Iterable[Synonyms]) -> list[Posting]:
    """Return one posting by thing and field, under the thing's name: the sum of its ways where any of them stands.

    A way of several terms stands where all of them do, as often as the rarest. A way that stands in more documents than
    the usual one counts as much less: a common word of many meanings (`set` for 设置, a `setting`) would drown it.
    """
    import numpy as np

    held = {(posting.term, posting.field): posting for posting in postings}
    found = []
    for thing in things:
        for field in sorted({posting.field for posting in postings}):
            placed = ((terms, _together([held.get((term, field)) for term in terms])) for terms in thing.ways)
            ways = {terms: way for terms, way in placed if way is not None and len(way.documents)}
            if ways:
                most = len(ways[thing.usual].documents) if thing.usual in ways else math.inf
                counts = [
                    way.counts * np.float32(thing.ways[terms] * min(1.0, most / len(way.documents)))
                    for terms, way in ways.items()
                ]
                documents, place = np.unique(
                    np.concatenate([way.documents for way in ways.values()]), return_inverse=True
                )
                summed = np.bincount(place, np.concatenate(counts))
                found.append(Posting(thing.name, field, documents, summed.astype("f4")))
    return found


def _together(parts: Sequence[Posting | None]) -> Posting | None:
    """Return where all parts stand, as often as the rarest; None where one of them stands nowhere."""
    import numpy as np

    found = parts[0]
    for part in parts[1:]:
        if found is None or part is None:
            return None
        documents, left, right = np.intersect1d(
            found.documents, part.documents, assume_unique=True, return_indices=True
        )
        found = Posting("", part.field, documents, np.minimum(found.counts[left], part.counts[right]))
    return found
