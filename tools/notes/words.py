"""Notes found by their words: in English and Chinese, one wrong letter forgiven."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from string import ascii_lowercase

from ..database import reading
from ..search import Hit, WordIndex
from ..search.glossary import expand
from ..search.query import query_terms
from ..search.text import tokenize, word_terms

FIELDS: Mapping[str, float] = {"title": 2.0, "tags": 1.5, "body": 1.0, "paths": 1.0}
"""How much a word counts by where it stands."""
TRANSLATED = 0.9
"""Of a word the user did not say but its translation: 1.0 puts other languages' notes before their own."""
TYPO_WEIGHT = 0.5
"""Of a word that differs by one letter from an unknown one of the question."""
_TYPO_FROM = 4
"""Letters: shorter words have too many neighbours."""
_WORD = re.compile(rf"[a-z]{{{_TYPO_FROM},}}")


class NoteWords(WordIndex):
    """Words of notes; a word of the question that no note has is also looked for with one letter wrong."""

    def search(
        self, query: str, limit: int = 10, among: Mapping[str, str | Collection[str]] | None = None
    ) -> list[Hit]:
        """Return the best documents, best first; each hit's parts are its BM25 by field, weighted."""
        terms = query_terms(query)
        for term in expand(query).keys() - set(tokenize(query)):
            terms[term] *= TRANSLATED
        hits = self.search_terms(terms, limit, among)
        matched = {term for hit in hits for term in hit.matched}
        asked = {word: set(word_terms(word)) for word in _WORD.findall(query.lower())}
        unseen = {term for found in asked.values() for term in found} - matched
        if not unseen:
            return hits
        unknown = unseen - self.known(unseen)
        more = {
            term: TYPO_WEIGHT
            for word, found in asked.items()
            if found and found <= unknown
            for term in neighbour_terms(word)
        }
        return self.search_terms({**more, **terms}, limit, among) if self.known(more) else hits

    def known(self, terms: Iterable[str]) -> set[str]:
        """Return which of the terms any document has."""
        with self._lock, reading(self._db):
            return {posting.term for posting in self._postings.lookup(terms)}


@lru_cache(maxsize=512)
def neighbour_terms(word: str) -> frozenset[str]:
    """Return the search terms of all words that differ from a lower-case one by one letter: missing, added, other
    or swapped with the next.
    """
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    near = {left + right[1:] for left, right in cuts if right}
    near |= {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    near |= {left + letter + right[1:] for left, right in cuts if right for letter in ascii_lowercase}
    near |= {left + letter + right for left, right in cuts for letter in ascii_lowercase}
    return frozenset(term for other in near for term in word_terms(other)) - set(word_terms(word))
