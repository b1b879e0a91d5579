"""What is searched, what is found, and what an index must be able to do."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Document:
    """A text in named fields, with what it can be filtered by."""

    id: str
    fields: Mapping[str, str]
    """Text by field, for example ``{"title": …, "body": …}``; fields an index does not know are an error."""
    filters: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    """Exact values, for example ``{"type": "blocker", "tag": ["v1.0", "ui"]}``."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found, and why."""

    id: str
    score: float
    """Above 0; comparable within one answer only."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """What the score is the sum of: by field for words, by signal for hybrid search."""
    matched: tuple[str, ...] = ()
    """The search terms that occur in the document, most telling first."""


class SearchIndex(Protocol):
    """Documents in, ranked hits out. Every backend passes tests/contracts/test_search_index.py."""

    def put(self, documents: Iterable[Document]) -> None:
        """Add documents; one with a known id replaces the old one. All of them or, on an error, none."""
        ...

    def remove(self, ids: Iterable[str]) -> None:
        """Forget documents; unknown ids are no error."""
        ...

    def search(
        self, query: str, limit: int = 10, among: Mapping[str, str | Collection[str]] | None = None
    ) -> list[Hit]:
        """Return the best documents, best first, never more than `limit`.

        `among` keeps documents whose filters hold one of the given values for every given name; the name ``"id"``
        stands for the document's own id.
        """
        ...

    def ids(self) -> set[str]:
        """Return the ids of all documents."""
        ...

    def passing(self, ids: Iterable[str], among: Mapping[str, str | Collection[str]] | None = None) -> set[str]:
        """Return which of the ids are in the index and pass the filters."""
        ...


class VectorIndex(Protocol):
    """Texts found by meaning."""

    def put(self, texts: Mapping[str, str]) -> None:
        """Embed and keep texts by id."""
        ...

    def remove(self, ids: Iterable[str]) -> None:
        """Forget texts; unknown ids are no error."""
        ...

    def nearest(self, query: str, limit: int = 10) -> dict[str, float]:
        """Return ids with their cosine similarity to the query, in [-1, 1], best first."""
        ...
