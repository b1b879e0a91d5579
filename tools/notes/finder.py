"""Find notes: the files' own rows, the ranked search, and what happens where that search cannot help."""

import shutil
from collections.abc import Callable, Iterable
from itertools import islice

from ...state.errors import StoreError
from ...state.notes import Note, NoteRow, NoteStatus
from ..embeddings import Embedder
from ..files import make_folder
from ..search import tokenize
from .search import NoteSearch
from .store import CACHE_NAME, NoteStore

SUPERSEDED_SHARE = 0.5
"""Of its score that a note keeps after another one took its place."""
_POOL = 200
"""Best matches that are put in order of time where the newest are asked for first."""

Passes = Callable[[NoteRow], bool]


class NoteFinder:
    """Opens the search at the first question and keeps it in step with the store. One thread at a time.

    Args:
        store: Whose notes are found.
        embedder: For meaning; None: words alone.
    """

    def __init__(self, store: NoteStore, embedder: Embedder | None) -> None:
        self._store, self._embedder = store, embedder
        self._search: NoteSearch | None = None
        self._trouble: list[str] = []

    @property
    def notices(self) -> list[str]:
        """Return what works less well than it should, in words."""
        found = list(self._trouble)
        if self._search and self._search.trouble:
            found.append(self._search.trouble)
        if self._search and (waiting := self._search.waiting):
            found.append(f"{waiting} notes are found by their words only until their vectors are made")
        return found

    def close(self) -> None:
        """Stop background work and close the files; a later question opens them again."""
        search, self._search = self._search, None
        if search:
            search.close()

    def find(self, query: str, limit: int, passes: Passes, *, newest_first: bool = False) -> list[Note]:
        """Return the notes that pass, best first; see `NoteTool.search`."""
        index = self._store.index
        if not query.strip():
            rows: Iterable[NoteRow] = islice(filter(passes, index.newest()), limit)
        elif not tokenize(query):  # `++`, `?`: nothing an index of words could know
            rows = islice(self._holding(query.lower(), passes), limit)
        else:
            rows = self._ranked(query, limit, passes, newest_first)
        return [note for row in rows if (note := self._store.peek(row.id))]

    def _ranked(self, query: str, limit: int, passes: Passes, newest_first: bool) -> list[NoteRow]:
        index = self._store.index

        def accept(key: str) -> bool:
            row = index.get(key)
            return row is not None and passes(row)

        search = self._opened()
        if search is None:
            return []
        search.follow(index, self._store.peek)
        found = [
            (row, score)
            for key, score in search.search(query, _POOL if newest_first else 2 * limit, accept)
            if (row := index.get(key))
        ]
        if newest_first:
            found.sort(key=lambda pair: pair[0].updated_at, reverse=True)
        else:
            found.sort(key=lambda pair: pair[1] * _share(pair[0]), reverse=True)
        return [row for row, _ in found[:limit]]

    def _holding(self, text: str, passes: Passes) -> Iterable[NoteRow]:
        for row in filter(passes, self._store.index.newest()):
            note = self._store.peek(row.id)
            if note and text in f"{note.title}\n{note.content}".lower():
                yield row

    def _opened(self) -> NoteSearch | None:
        """Return the search, its files made anew where they are damaged, in memory where none can be written."""
        if self._search is None and len(self._store.index):
            cache = self._store.folder / CACHE_NAME
            try:
                self._search = NoteSearch(make_folder(cache), self._embedder)
            except StoreError as error:
                self._trouble.append(f"the search index of the notes is built again: {error}")
                shutil.rmtree(cache, ignore_errors=True)
                try:
                    self._search = NoteSearch(make_folder(cache), self._embedder)
                except StoreError as again:
                    self._trouble.append(f"the search index of the notes is kept in memory only: {again}")
                    self._search = NoteSearch(None, self._embedder)
        return self._search


def _share(row: NoteRow) -> float:
    return SUPERSEDED_SHARE if row.status is NoteStatus.SUPERSEDED else 1.0
