"""Find notes: the files' own rows, the ranked search, and what happens where that search cannot help."""

from collections.abc import Iterable, Iterator
from itertools import islice

from ...state.errors import StoreError
from ...state.notes import Note, NoteRow, NoteStatus
from ..embeddings import Embedder
from ..files import make_folder
from ..search import tokenize
from .filters import NoteFilter
from .search import NoteSearch
from .store import CACHE_NAME, NoteStore

SUPERSEDED_SHARE = 0.5
"""Of its score that a note keeps after another one took its place."""
_POOL = 200
"""Best matches that are put in order of time where the newest are asked for first."""

_ROUNDS = 4
"""How often a question is put before its answer counts although other processes changed notes meanwhile."""


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

    def find(self, query: str, limit: int, wanted: NoteFilter, *, newest_first: bool = False) -> list[Note]:
        """Return the notes that pass the filter, best first; see `NoteTool.search`."""
        index = self._store.index
        if not query.strip():
            rows: Iterable[NoteRow] = islice(filter(wanted.passes, index.newest()), limit)
        elif not tokenize(query):  # `++`, `?`: nothing an index of words could know
            rows = islice(self._holding(query.lower(), wanted), limit)
        else:
            rows = self._ranked(query, _POOL if newest_first else limit, wanted)
            if newest_first:
                rows = sorted(rows, key=lambda row: row.updated_at, reverse=True)[:limit]
        return [note for row in rows if (note := self._store.peek(row.id))]

    def _ranked(self, query: str, limit: int, wanted: NoteFilter) -> list[NoteRow]:
        index = self._store.index

        def weigh(key: str) -> float:
            row = index.get(key)
            if row is None or not wanted.passes(row):
                return 0.0
            return SUPERSEDED_SHARE if row.status is NoteStatus.SUPERSEDED else 1.0

        search = self._opened()
        if search is None or limit == 0:
            return []
        keys: list[str] = []
        for _ in range(_ROUNDS):
            search.follow(index, self._store.peek)
            keys = search.search(query, limit, wanted.among(), weigh)
            index.refresh()
            if not search.overtaken(index):
                break
        return [row for key in keys if (row := index.get(key))]

    def _holding(self, text: str, wanted: NoteFilter) -> Iterator[NoteRow]:
        for row in filter(wanted.passes, self._store.index.newest()):
            note = self._store.peek(row.id)
            if note and text in f"{note.title}\n{note.content}".lower():
                yield row

    def _opened(self) -> NoteSearch | None:
        """Return the search, its files made anew where they are damaged, in memory where none can be written."""
        if self._search is None and len(self._store.index):
            cache = self._store.folder / CACHE_NAME
            try:
                self._search = NoteSearch(make_folder(cache), self._embedder)
                for damage in self._search.damage:
                    self._trouble.append(f"the search index of the notes is built again: {damage}")
            except StoreError as error:
                self._trouble.append(f"the search index of the notes is kept in memory only: {error}")
                self._search = NoteSearch(None, self._embedder)
        return self._search
