"""An inverted index in SQLite: which term stands in which document, how often, in which field.

A log of segments, as Lucene has it: documents added together form a segment, small ones are merged as they pile up,
removed documents are masked and leave with the next merge. SQLite gives the transactions. It exists because FTS5 fixes
k1 and b, gives no scores by field, and needs 117 ms where this needs a few (docs/decisions/0060).
"""

# ruff: noqa: S608 - the only text put into SQL is the index's own name

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ..database import Connection, reading, writing

if TYPE_CHECKING:
    from numpy import float32, int32
    from numpy.typing import NDArray

_MAX_SEGMENTS = 12
_MERGE_FACTOR = 4
"""A segment joins a merge of what stands behind it when it is less than this many times larger."""
_SMALL_MERGE, _MERGE_SHARE = 1_000, 8
"""Documents that any write may merge, and how many times its own number: one edited file does not wait for a merge of
the whole index, which the next large write does."""
_TOO_MANY = 4 * _MAX_SEGMENTS
"""... unless small writes alone have made so many segments."""
_MAX_COUNT = 255
_DEAD = -1
_SHORT = 1 << 16
"""Of up to so many documents a segment keeps places within itself in two bytes, of more in four."""


@dataclass(frozen=True, slots=True)
class Posting:
    """Where one term stands in one field."""

    term: str
    field: int
    documents: "NDArray[int32]"
    """Positions in `Corpus.numbers`, ascending."""
    counts: "NDArray[float32]"
    """How often the term stands in each of them, from 1 to 255."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents that are alive."""

    numbers: "NDArray[int32]"
    """Their numbers, ascending."""
    lengths: "NDArray[int32]"
    """Terms by field and document, shape (fields, n)."""
    attributes: "NDArray[int32]"
    """The owner's whole numbers by document, shape (attributes, n)."""
    position: "NDArray[int32]"
    """Place in `numbers` by document number, -1 for the dead."""


class Postings:
    """One inverted index; several of them may live in one database under different names."""

    def __init__(self, connection: Connection, name: str, fields: Sequence[str], attributes: int = 0) -> None:
        self.fields = tuple(fields)
        self._rows = len(self.fields) + attributes
        self._db = connection
        self._name = name
        self._cached: tuple[object, Corpus, list[_Segment]] | None = None

    @staticmethod
    def schema(name: str) -> str:
        """Return the tables of an index of this name, as SQL for `open_database`."""
        return f"""
            CREATE TABLE {name}_segment (id INTEGER PRIMARY KEY, first INTEGER, size INTEGER, facts BLOB);
            CREATE TABLE {name}_dead (number INTEGER PRIMARY KEY);
            CREATE TABLE {name}_posting (segment INTEGER, term TEXT, field INTEGER, documents BLOB, counts BLOB,
                PRIMARY KEY (segment, term, field)) WITHOUT ROWID;
            CREATE TABLE {name}_state (generation INTEGER);
            INSERT INTO {name}_state VALUES (0)"""

    def add(
        self, documents: Sequence[Sequence[Iterable[str]]], attributes: Sequence[Sequence[int]] | None = None
    ) -> int:
        """Add documents and return the number of the first; the rest follow it.

        Args:
            documents: Terms by field, for each document.
            attributes: Whole numbers for each document, given back by `corpus`; where the index has any.
        """
        import numpy as np

        facts = np.zeros((self._rows, len(documents)), dtype="<i4")
        if attributes is not None:
            facts[len(self.fields) :] = np.array(attributes, dtype="<i4").reshape(len(documents), -1).T
        width = "H" if len(documents) <= _SHORT else "I"
        postings: dict[tuple[str, int], tuple[array[int], bytearray]] = {}
        with writing(self._db):
            first = self._next_number()
            for row, fields in enumerate(documents):
                for field, terms in enumerate(fields):
                    counts = Counter(terms)
                    facts[field, row] = counts.total()
                    for term, count in counts.items():
                        held = postings.get((term, field))
                        if held is None:
                            held = postings[term, field] = (array(width), bytearray())
                        held[0].append(row)
                        held[1].append(min(count, _MAX_COUNT))
            segment = self._insert_segment(first, len(documents), facts.tobytes())
            self._insert_postings(
                (segment, term, field, places.tobytes(), bytes(counts))
                for (term, field), (places, counts) in sorted(postings.items())
            )
            self._merge_if_many(max(_SMALL_MERGE, _MERGE_SHARE * len(documents)))
            self._touch()
        return first

    def remove(self, numbers: Iterable[int]) -> None:
        """Mask documents; they leave the disk when their segment is merged."""
        with writing(self._db):
            self._db.executemany(f"INSERT OR IGNORE INTO {self._name}_dead VALUES (?)", ((n,) for n in numbers))
            self._touch()

    def generation(self) -> int:
        """Return a number that grows with every change."""
        return int(self._db.execute(f"SELECT generation FROM {self._name}_state").fetchone()[0])

    def corpus(self) -> Corpus:
        """Return the documents alive now; kept until something is written."""
        return self._load()[0]

    def lookup(self, terms: Iterable[str]) -> Iterator[Posting]:
        """Yield the postings of the given terms, without dead documents. Call it within `reading`."""
        import numpy as np

        corpus, segments = self._load()
        wanted = list(terms)
        marks = ",".join("?" * len(wanted))
        found: defaultdict[tuple[str, int], list[tuple[NDArray[int32], NDArray[float32]]]] = defaultdict(list)
        for segment, first, size in segments:
            positions = corpus.position[first : first + size]
            rows = self._db.execute(
                f"SELECT term, field, documents, counts FROM {self._name}_posting"
                f" WHERE segment=? AND term IN ({marks})",
                (segment, *wanted),
            )
            for term, field, documents, counts in rows:
                here = positions[np.frombuffer(documents, dtype=_places(size))]
                often = np.frombuffer(counts, dtype="u1").astype("f4") if counts else np.ones(len(here), dtype="f4")
                alive = here >= 0
                if not alive.all():
                    here, often = here[alive], often[alive]
                if len(here):
                    found[term, field].append((here, often))
        for (term, field), parts in found.items():
            documents, counts = parts[0]
            if len(parts) > 1:
                documents = np.concatenate([each for each, _ in parts])
                counts = np.concatenate([each for _, each in parts])
            yield Posting(term, field, documents, counts)

    def _load(self) -> tuple[Corpus, list["_Segment"]]:
        import numpy as np

        with reading(self._db):
            state = self.generation()
            if self._cached is not None and self._cached[0] == state:
                return self._cached[1], self._cached[2]
            rows = self._db.execute(
                f"SELECT id, first, size, facts FROM {self._name}_segment ORDER BY first"
            ).fetchall()
            dead = self._db.execute(f"SELECT number FROM {self._name}_dead").fetchall()
        span = rows[-1][1] + rows[-1][2] if rows else 0
        facts = np.full((self._rows, span), _DEAD, dtype="i4")
        for _, first, size, blob in rows:
            facts[:, first : first + size] = np.frombuffer(blob, dtype="<i4").reshape(self._rows, size)
        facts[:, [number for (number,) in dead]] = _DEAD
        alive = facts[0] >= 0
        numbers = np.flatnonzero(alive).astype("i4")
        position = np.full(span, -1, dtype="i4")
        position[numbers] = np.arange(len(numbers), dtype="i4")
        facts = facts[:, alive]
        corpus = Corpus(numbers, facts[: len(self.fields)], facts[len(self.fields) :], position)
        self._cached = (state, corpus, [row[:3] for row in rows])
        return corpus, self._cached[2]

    def _next_number(self) -> int:
        row = self._db.execute(f"SELECT first + size FROM {self._name}_segment ORDER BY first DESC LIMIT 1").fetchone()
        return int(row[0]) if row else 0

    def _insert_segment(self, first: int, size: int, facts: bytes) -> int:
        cursor = self._db.execute(
            f"INSERT INTO {self._name}_segment (first, size, facts) VALUES (?,?,?)", (first, size, facts)
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _insert_postings(self, rows: Iterable[tuple[int, str, int, bytes, bytes]]) -> None:
        """Keep terms of a segment; counts that are all 1, as most are, take no room."""
        self._db.executemany(
            f"INSERT INTO {self._name}_posting VALUES (?,?,?,?,?)",
            (
                (segment, term, field, documents, b"" if counts.count(1) == len(counts) else counts)
                for segment, term, field, documents, counts in rows
            ),
        )

    def _touch(self) -> None:
        self._db.execute(f"UPDATE {self._name}_state SET generation = generation + 1")

    def _merge_if_many(self, most: int) -> None:
        """Merge the newest segments when there are many, `most` documents in all; more if they are too many."""
        rows = self._db.execute(f"SELECT id, first, size FROM {self._name}_segment ORDER BY first").fetchall()
        if len(rows) <= _MAX_SEGMENTS:
            return
        start, total = len(rows) - 1, rows[-1][2]
        while start and (total + rows[start - 1][2] <= most or len(rows) > _TOO_MANY):
            if rows[start - 1][2] >= _MERGE_FACTOR * total and start < len(rows) - 1:
                break
            start -= 1
            total += rows[start][2]
        if start < len(rows) - 1:
            self._merge(rows[start:])

    def _merge(self, rows: Sequence["_Segment"]) -> None:
        """Make one segment of neighbouring ones; document numbers stay, dead documents leave."""
        import numpy as np

        first, end = rows[0][1], rows[-1][1] + rows[-1][2]
        ids = ",".join(str(row[0]) for row in rows)
        dead = self._db.execute(
            f"SELECT number FROM {self._name}_dead WHERE number >= ? AND number < ?", (first, end)
        ).fetchall()
        gone = np.array([number for (number,) in dead], dtype="i4")
        facts = np.concatenate(
            [
                np.frombuffer(blob, dtype="<i4").reshape(self._rows, -1)
                for (blob,) in self._db.execute(
                    f"SELECT facts FROM {self._name}_segment WHERE id IN ({ids}) ORDER BY first"
                )
            ],
            axis=1,
        )
        facts[:, gone - first] = _DEAD
        old = [piece for row in rows for piece in self._moved(row, first, end - first)]
        self._db.execute(f"DELETE FROM {self._name}_posting WHERE segment IN ({ids})")
        self._db.execute(f"DELETE FROM {self._name}_segment WHERE id IN ({ids})")
        self._db.execute(f"DELETE FROM {self._name}_dead WHERE number >= ? AND number < ?", (first, end))
        segment = self._insert_segment(first, end - first, facts.tobytes())
        old.sort(key=lambda piece: (piece[0], piece[1]))  # stable: pieces stay in the order of their segments
        self._insert_postings(
            (segment, term, field, documents, counts)
            for (term, field), pieces in groupby(old, key=lambda piece: (piece[0], piece[1]))
            for documents, counts in [_without(gone - first, list(pieces), _places(end - first))]
            if documents
        )

    def _moved(self, segment: "_Segment", first: int, size: int) -> Iterator["_Piece"]:
        """Yield what a segment keeps of each term, as a segment that starts at `first` and holds `size` keeps it."""
        import numpy as np

        number, start, own_size = segment
        rows = self._db.execute(
            f"SELECT term, field, documents, counts FROM {self._name}_posting WHERE segment = ?", (number,)
        ).fetchall()
        old, new = _places(own_size), _places(size)
        places = np.frombuffer(b"".join(row[2] for row in rows), dtype=old).astype("u4") + (start - first)
        documents, place, wide = places.astype(new).tobytes(), 0, np.dtype(new).itemsize
        for term, field, kept, counts in rows:
            many = len(kept) // np.dtype(old).itemsize
            yield term, field, documents[place * wide : (place + many) * wide], counts or b"\1" * many
            place += many


_Segment = tuple[int, int, int]
"""Number, first document, how many documents."""
_Piece = tuple[str, int, bytes, bytes]
"""Term, field, places within the segment, counts."""


def _places(size: int) -> str:
    """Return numpy's name for the places of documents within a segment of this size."""
    return "<u2" if size <= _SHORT else "<u4"


def _without(gone: "NDArray[int32]", pieces: Sequence[_Piece], places: str) -> tuple[bytes, bytes]:
    import numpy as np

    documents = b"".join(piece[2] for piece in pieces)
    counts = b"".join(piece[3] for piece in pieces)
    if not len(gone):
        return documents, counts
    numbers = np.frombuffer(documents, dtype=places)
    stay = ~np.isin(numbers, gone)
    return numbers[stay].tobytes(), np.frombuffer(counts, dtype="u1")[stay].tobytes()
