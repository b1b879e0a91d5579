"""What speaks for a file: each signal as one number per file, none of them scaled or weighed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..search.bm25 import bm25
from ..search.postings import Corpus, Posting
from .choice import ROLES
from .question import Place, Question
from .rows import FileRow
from .store import FILE, CodeStore

if TYPE_CHECKING:
    from numpy import float32, int32
    from numpy.typing import NDArray

    Floats = NDArray[float32]

K1, B = 1.6, 0.7
_DEPTH = 5


@dataclass(frozen=True, slots=True)
class View:
    """The files of an index as arrays."""

    files: tuple[FileRow, ...]
    place: "NDArray[int32]"
    """Place in `files` by file id, -1 for none."""
    roles: "NDArray[int32]"

    @classmethod
    def of(cls, files: Sequence[FileRow]) -> "View":
        """Return the view of these files."""
        import numpy as np

        place = np.full(max((file.id for file in files), default=0) + 1, -1, dtype="i4")
        for number, file in enumerate(files):
            place[file.id] = number
        return cls(tuple(files), place, np.array([ROLES.index(file.role) for file in files], dtype="i4"))


def by_meaning(store: CodeStore, view: View, similar: Mapping[str, float]) -> "Floats":
    """Return for each file the closeness of its closest piece, counted from the farthest of those given."""
    import numpy as np

    numbers = store.numbers_of(similar)
    corpus = store.pieces.corpus()
    least = min(similar.values())
    scores = np.zeros(len(view.files), dtype="f4")
    for key, closeness in similar.items():
        for number in numbers[key]:
            place = view.place[corpus.attributes[FILE, corpus.position[number]]]
            scores[place] = max(scores[place], closeness - least)
    return scores


def scaled(values: "Floats") -> "Floats":
    """Return values >= 0 divided by their maximum; zeros stay."""
    best = values.max(initial=0.0)
    return values / best if best > 0 else values


def best_pieces(body: "Floats", owner: "NDArray[int32]", files: int, decay: float) -> "Floats":
    """Return for each file the sum of its best pieces, the i-th times decay^i."""
    import numpy as np

    hits = np.flatnonzero(body > 0)
    place = owner[hits] - 0.5 * scaled(body[hits]).astype("f8")  # by file, then best first, in one number
    order = hits[np.argsort(place)]
    owners = owner[order]
    first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]]) if len(order) else order
    rank_in_file = np.arange(len(order)) - np.repeat(first, np.diff(np.r_[first, len(order)]))
    shares = np.where(rank_in_file < _DEPTH, float(decay) ** np.minimum(rank_in_file, _DEPTH), 0.0)
    return np.bincount(owners, body[order] * shares, minlength=files).astype("f4")


def by_file(
    postings: Sequence[Posting], field: int, corpus: Corpus, owner: "NDArray[int32]", files: int,
    weights: Mapping[str, float],
    k1: float,
) -> "Floats":  # fmt: skip
    """Return BM25 with each file taken as one document."""
    import numpy as np

    merged = []
    for posting in postings:
        if posting.field == field:
            counts = np.bincount(owner[posting.documents], posting.counts, minlength=files)
            hits = np.flatnonzero(counts)
            merged.append(Posting(posting.term, 0, hits.astype("i4"), counts[hits].astype("f4")))
    lengths = np.bincount(owner, corpus.lengths[field], minlength=files)[None, :]
    every = np.arange(files, dtype="i4")
    whole = Corpus(every, lengths.astype("i4"), np.zeros((0, files), dtype="i4"), every)
    return np.asarray(bm25(merged, whole, weights, k1=k1, b=B)[0])


def by_path(store: CodeStore, view: View, question: Question) -> "Floats":
    """Return BM25 of the files' paths."""
    import numpy as np

    corpus = store.paths.corpus()
    scores = np.zeros(len(view.files), dtype="f4")
    if len(corpus.numbers):
        scores[view.place[corpus.attributes[0]]] = bm25(
            question.lookup(store.paths), corpus, question.weights(), k1=K1, b=B
        )[0]
    return scores


def named(view: View, places: Sequence[Place]) -> "Floats":
    """Return 1 for files the question names, as far as the name tells them apart."""
    import numpy as np

    scores = np.zeros(len(view.files), dtype="f4")
    for place in places:
        matches = matching(view, place.path)
        scores[matches] = np.maximum(scores[matches], 1.0 / max(len(matches), 1))
    return scores


def matching(view: View, path: str) -> list[int]:
    """Return the places of the files a written path may mean: the longest shared ending wins."""
    wanted = path.replace("\\", "/").strip("/").split("/")
    best = 0
    found: list[int] = []
    for number, file in enumerate(view.files):
        own = file.path.split("/")
        shared = 0
        while shared < min(len(own), len(wanted)) and own[-1 - shared] == wanted[-1 - shared]:
            shared += 1
        if shared > best:
            best, found = shared, []
        if shared and shared == best:
            found.append(number)
    return found


def named_lines(store: CodeStore, view: View, places: Sequence[Place], corpus: Corpus) -> "Floats":
    """Return 1 for the pieces that hold a line the question names, by position in the corpus."""
    import numpy as np

    scores = np.zeros(len(corpus.numbers), dtype="f4")
    for place in places:
        matches = matching(view, place.path) if place.line else []
        if len(matches) == 1:
            number = store.piece_at(view.files[matches[0]].id, place.line)
            if number is not None:
                scores[corpus.position[number]] = 1.0
    return scores
