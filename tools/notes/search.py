"""Find notes by the user's own sentence: words and meaning, English and Chinese, one wrong letter forgiven."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase
from threading import Thread

from ...state.errors import SearchError, StoreError
from ...state.notes import Note
from ..database import reading
from ..embeddings import Embedder
from ..search import Document, Hit, HybridIndex, WordIndex
from ..search.query import query_terms
from ..search.text import word_terms
from .index import NoteIndex
from .vectors import NoteVectors

FIELDS: Mapping[str, float] = {"title": 2.0, "tags": 1.5, "body": 1.0, "paths": 1.0}
"""How much a word counts by where it stands."""
VECTOR_WEIGHT = 0.5
"""Of meaning against words (which weigh 1), for texts as short as notes (benchmarks/notes.py)."""
TYPO_WEIGHT = 0.5
"""Of a word that differs by one letter from an unknown one of the question."""
_TYPO_FROM = 4
"""Letters: shorter words have too many neighbours."""
_AT_ONCE = 64
"""Notes embedded before an answer; what is more is embedded beside the answers, newest first."""
_BATCH = 1000
"""Notes put into the word index at once."""
_MEANING_CHARACTERS = 2000
"""Of the text that are embedded: what a note is about stands at its beginning."""
_WORD = re.compile(rf"[a-z]{{{_TYPO_FROM},}}")

Load = Callable[[str], Note | None]
"""Returns the note of an id, or None where it is gone."""


class NoteWords(WordIndex):
    """Words of notes; a word of the question that no note has is also looked for with one letter wrong."""

    def search(
        self, query: str, limit: int = 10, among: Mapping[str, str | Collection[str]] | None = None
    ) -> list[Hit]:
        """Return the best documents, best first; each hit's parts are its BM25 by field, weighted."""
        terms = query_terms(query)
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


class NoteSearch:
    """Ranked search that follows a `NoteIndex`; what it knows is kept in `cache` and may be deleted any time.

    One thread at a time; the vectors of many new notes are made by a thread of its own.

    Args:
        cache: Folder of its files, made when missing; None keeps everything in memory.
        embedder: For meaning; None: words alone.
    """

    def __init__(self, cache: Path | None, embedder: Embedder | None) -> None:
        self.trouble = ""
        """Why search by meaning has stopped, in words; empty while all is well."""
        self._words = NoteWords(cache / "words.sqlite" if cache else None, FIELDS)
        self._vectors = NoteVectors(cache, embedder) if embedder else None
        self._hybrid = HybridIndex(self._words, self._vectors, vector_weight=VECTOR_WEIGHT)
        self._documents: dict[str, str] | None = None
        self._waiting: list[str] = []
        self._helper: Thread | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """Return how many notes are found by their words only, because their vectors are still being made."""
        return len(self._waiting)

    def close(self) -> None:
        """Stop the work at hand and close the files."""
        self._closed = True
        if self._helper:
            self._helper.join()
        self._words.close()
        if self._vectors:
            self._vectors.close()

    def follow(self, index: NoteIndex, load: Load) -> None:
        """Take in what changed in the index since the last call; everything at the first.

        Args:
            index: Fresh rows.
            load: Gives the text of a note; also called from another thread, later.
        """
        changed = self._first_changes(index) if self._documents is None else list(index.touched)
        index.touched.clear()
        for start in range(0, len(changed), _BATCH):
            self._take(changed[start : start + _BATCH], index, load)
        self._embed(load)

    def search(self, query: str, limit: int, accept: Callable[[str], bool]) -> list[tuple[str, float]]:
        """Return (note id, score) of the best notes that `accept` lets pass, best first.

        Args:
            query: A sentence or words, English or Chinese.
            limit: How many at most.
            accept: Says of a note's id whether it may be in the answer.
        """
        documents = self._documents or {}
        asked = limit
        while True:
            hits = self._ask(query, asked)
            keys = [(hit.id.rpartition("@")[0], hit) for hit in hits]
            kept = [(key, hit.score) for key, hit in keys if documents.get(key) == hit.id and accept(key)]
            if len(kept) >= limit or len(hits) < asked:
                return kept[:limit]
            asked *= 8

    def _ask(self, query: str, limit: int) -> list[Hit]:
        if not self.trouble:
            try:
                return self._hybrid.search(query, limit)
            except SearchError as error:
                self.trouble = f"notes are found by their words only: {error}"
        return self._words.search(query, limit)

    def _first_changes(self, index: NoteIndex) -> list[str]:
        """Drop what is outdated in the files of an earlier run and return the ids it does not know, newest first."""
        keys = [row.id for row in index.newest()]
        names = {key: _document(key, index.stamp(key)) for key in keys}
        wanted = set(names.values())
        known = self._words.ids()
        self._words.remove(known - wanted)
        self._documents = {key: name for key, name in names.items() if name in known}
        if self._vectors:
            embedded = self._vectors.ids()
            self._vectors.remove(embedded - wanted)
            self._waiting += [key for key, name in self._documents.items() if name not in embedded]
        return [key for key in keys if key not in self._documents]

    def _take(self, keys: Sequence[str], index: NoteIndex, load: Load) -> None:
        documents = self._documents if self._documents is not None else {}
        outdated = [name for key in keys if (name := documents.pop(key, None))]
        notes = {key: note for key in keys if index.get(key) and (note := load(key))}
        names = {key: _document(key, index.stamp(key)) for key in notes}
        self._words.remove(outdated)
        self._words.put(Document(names[key], _fields(note)) for key, note in notes.items())
        documents |= names
        if self._vectors:
            self._vectors.remove(outdated)
            self._waiting += notes

    def _embed(self, load: Load) -> None:
        """Make the vectors that are missing: a few at once, more beside the answers."""
        if not self._vectors or self.trouble:
            self._waiting.clear()
        elif len(self._waiting) <= _AT_ONCE:
            self._embed_some(load)
        elif not (self._helper and self._helper.is_alive()):
            self._helper = Thread(target=self._embed_all, args=(load,), name="note vectors", daemon=True)
            self._helper.start()

    def _embed_all(self, load: Load) -> None:
        while self._waiting and not self._closed and not self.trouble:
            self._embed_some(load)

    def _embed_some(self, load: Load) -> None:
        keys, documents = self._waiting[:_AT_ONCE], self._documents or {}
        texts = {documents[key]: _meaning(note) for key in keys if key in documents and (note := load(key))}
        try:
            if self._vectors:
                self._vectors.put(texts)
        except (SearchError, StoreError) as error:
            self.trouble = f"notes are found by their words only: {error}"
        del self._waiting[: len(keys)]


def _document(key: str, stamp: int) -> str:
    """Return the name of one state of a note: what is indexed under it never changes."""
    return f"{key}@{stamp:x}"


def _fields(note: Note) -> dict[str, str]:
    return {
        "title": note.title,
        "tags": " ".join(note.tags),
        "body": note.content,
        "paths": "\n".join(source.path for source in note.sources),
    }


def _meaning(note: Note) -> str:
    return f"{note.title}\n{note.content[:_MEANING_CHARACTERS]}"
