"""Documents found by their words: BM25 by field over an inverted index in SQLite."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from ...state.errors import SearchError
from ..database import open_database, reading, writing
from .bm25 import bm25
from .postings import Posting, Postings
from .protocol import Document, Hit
from .query import query_terms
from .text import index_terms

if TYPE_CHECKING:
    from numpy import float32, int64
    from numpy.typing import NDArray

VERSION = 3
"""Of the tables and of `index_terms`: a file of another version must be built again."""
K1, B = 1.2, 0.6
"""BM25 saturation and length normalisation; measured on code and notes (benchmarks/retrieval.py)."""

_SCHEMA = f"""
    CREATE TABLE document (number INTEGER PRIMARY KEY, id TEXT UNIQUE);
    CREATE TABLE filter (name TEXT, value TEXT, number INTEGER, PRIMARY KEY (name, value, number)) WITHOUT ROWID;
    CREATE INDEX filter_number ON filter (number);
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT);
    {Postings.schema("words")}"""


class WordIndex:
    """A `SearchIndex` of words, in one SQLite file or in memory; safe for threads and processes.

    Args:
        path: The file, made when missing; None keeps everything in memory.
        fields: Weight by field name, each > 0, for example ``{"title": 2.0, "body": 1.0}``. The names are kept in
            the file and must be the same when it is opened again; the weights may change.
        k1: Saturation of repeated terms, >= 0.
        b: Share of length normalisation, in [0, 1].

    Raises:
        StoreError: The file is damaged or of another version.
        SearchError: The file has other fields.
    """

    def __init__(self, path: Path | None, fields: Mapping[str, float], *, k1: float = K1, b: float = B) -> None:
        self._weights = dict(fields)
        self._k1, self._b = k1, b
        self._lock = RLock()
        self._db = open_database(path, _SCHEMA, version=VERSION)
        self._postings = Postings(self._db, "words", tuple(fields))
        self._check_fields(path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def put(self, documents: Iterable[Document]) -> None:
        """Add documents; one with a known id replaces the old one. All of them or, on an error, none.

        Raises:
            SearchError: A document has a field the index does not know.
        """
        unique = {document.id: document for document in documents}
        if not unique:
            return
        rows = [self._terms(document) for document in unique.values()]
        with self._lock, writing(self._db):
            self.remove(unique)
            first = self._postings.add(rows)
            for number, document in enumerate(unique.values(), first):
                self._db.execute("INSERT INTO document VALUES (?,?)", (number, document.id))
                self._db.executemany(
                    "INSERT OR IGNORE INTO filter VALUES (?,?,?)",
                    ((name, value, number) for name, values in document.filters.items() for value in _listed(values)),
                )

    def remove(self, ids: Iterable[str]) -> None:
        """Forget documents; unknown ids are no error."""
        with self._lock, writing(self._db):
            numbers = [n for key in ids for n in self._db.execute("SELECT number FROM document WHERE id=?", (key,))]
            self._postings.remove(number for (number,) in numbers)
            self._db.executemany("DELETE FROM document WHERE number=?", numbers)
            self._db.executemany("DELETE FROM filter WHERE number=?", numbers)

    def ids(self) -> set[str]:
        """Return the ids of all documents."""
        with self._lock, reading(self._db):
            return {key for (key,) in self._db.execute("SELECT id FROM document")}

    def passing(self, ids: Iterable[str], among: Mapping[str, str | Collection[str]] | None = None) -> set[str]:
        """Return which of the ids are in the index and pass the filters."""
        with self._lock, reading(self._db):
            rows = (self._db.execute("SELECT number, id FROM document WHERE id=?", (key,)).fetchone() for key in ids)
            found: dict[int, str] = dict(filter(None, rows))
            return {found[number] for number in (found.keys() & self._numbers(among) if among else found)}

    def search(
        self, query: str, limit: int = 10, among: Mapping[str, str | Collection[str]] | None = None
    ) -> list[Hit]:
        """Return the best documents, best first; each hit's parts are its BM25 by field, weighted.

        Chinese finds English and English finds Chinese through the glossary (`query_terms`).
        """
        return self.search_terms(query_terms(query), limit, among)

    def search_terms(
        self, terms: Mapping[str, float], limit: int = 10, among: Mapping[str, str | Collection[str]] | None = None
    ) -> list[Hit]:
        """Return the best documents for weighted terms (as `tokenize` makes them), best first."""
        import numpy as np

        with self._lock, reading(self._db):
            corpus = self._postings.corpus()
            postings = list(self._postings.lookup(terms))
            parts = bm25(postings, corpus, terms, k1=self._k1, b=self._b)
            parts *= np.array([[self._weights[name]] for name in self._postings.fields], dtype="f4")
            scores = parts.sum(axis=0)
            if among:
                scores[~np.isin(corpus.numbers, list(self._numbers(among)))] = 0.0
            best = _best(scores, max(limit, 0))
            names = self._ids(corpus.numbers[best].tolist())
            rows = zip(
                names, scores[best].tolist(), parts[:, best].T.tolist(), _matched(postings, terms, best), strict=True
            )
            return [
                Hit(
                    id=name,
                    score=score,
                    parts={each: part for each, part in zip(self._postings.fields, row, strict=True) if part > 0},
                    matched=matched,
                )
                for name, score, row, matched in rows
            ]

    def _terms(self, document: Document) -> list[list[str]]:
        unknown = document.fields.keys() - self._weights.keys()
        if unknown:
            known = ", ".join(self._weights)
            raise SearchError(f"document {document.id!r} has the field {min(unknown)!r}: this index has {known}")
        return [index_terms(document.fields.get(name, "")) for name in self._postings.fields]

    def _numbers(self, among: Mapping[str, str | Collection[str]]) -> set[int]:
        """Return the numbers of the documents that hold one of the values for every name."""
        kept: set[int] | None = None
        for name, values in among.items():
            query = "SELECT number FROM document WHERE id=?"
            if name != "id":
                query = "SELECT number FROM filter WHERE value=? AND name=?"
            extra = () if name == "id" else (name,)
            found = {n for value in _listed(values) for (n,) in self._db.execute(query, (value, *extra))}
            kept = found if kept is None else kept & found
        return kept or set()

    def _ids(self, numbers: Sequence[int]) -> list[str]:
        marks = ",".join("?" * len(numbers))
        found = dict(self._db.execute(f"SELECT number, id FROM document WHERE number IN ({marks})", numbers))  # noqa: S608 - only marks
        return [found[number] for number in numbers]

    def _check_fields(self, path: Path | None) -> None:
        mine = json.dumps(sorted(self._weights))
        with writing(self._db):
            self._db.execute("INSERT OR IGNORE INTO setting VALUES ('fields', ?)", (mine,))
            (found,) = self._db.execute("SELECT value FROM setting WHERE name='fields'").fetchone()
        if found != mine:
            self._db.close()
            raise SearchError(f"{path} indexes the fields {found}, not {mine}: delete it and build it again")


def _listed(values: str | Collection[str]) -> Collection[str]:
    return (values,) if isinstance(values, str) else values


def _best(scores: "NDArray[float32]", limit: int) -> "NDArray[int64]":
    """Return the places of the highest scores above 0, highest first, equal ones in their order."""
    import numpy as np

    places = np.flatnonzero(scores > 0)
    if 0 < limit < len(places):  # most of a large index need not be sorted
        places = places[scores[places] >= np.partition(scores[places], -limit)[-limit]]
    return places[np.argsort(-scores[places], kind="stable")[:limit]]


def _matched(
    postings: Sequence[Posting], weights: Mapping[str, float], places: "NDArray[int64]"
) -> list[tuple[str, ...]]:
    """Return for each document the terms that stand in it, rarest and weightiest first, identifiers without their mark.

    Args:
        postings: Of the terms asked for.
        weights: Of those terms.
        places: Positions in `Corpus.numbers`.
    """
    import numpy as np

    rarest_first = sorted(postings, key=lambda each: -weights[each.term] / len(each.documents))
    found: list[dict[str, None]] = [{} for _ in places]
    for posting in rarest_first:
        near = np.searchsorted(posting.documents, places).clip(max=len(posting.documents) - 1)
        for place in np.flatnonzero(posting.documents[near] == places).tolist():
            found[place][posting.term.lstrip("=")] = None
    return [tuple(terms) for terms in found]
