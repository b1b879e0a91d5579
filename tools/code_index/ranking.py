"""Which files and pieces answer a question: signals of words, names, paths and history, weighted and summed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...state.errors import ConfigError
from ..search.postings import Corpus, Posting, bm25
from .choice import ROLES, Role
from .languages import LANGUAGES
from .question import Place, Question
from .store import BODY, CHARS, FILE, KIND, KINDS, NAME, CodeStore, FileRow

if TYPE_CHECKING:
    from numpy import float32, int32, intp
    from numpy.typing import NDArray

    Floats = NDArray[float32]

K1, B = 1.6, 0.7
COVERAGE_K1 = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What each signal counts, after division by its maximum; each is there by ablation (benchmarks/retrieval.py)."""

    pieces: float = 1.0
    """The five best pieces of a file, each worth `decay` of the one before."""
    coverage: float = 0.2
    """How many of the question's terms the file holds at all, by their idf: BM25 of the file, soon saturated."""
    path: float = 0.1
    file_names: float = 0.1
    """BM25 over the names a file defines."""
    history: float = 0.35
    """Files that similar past commits touched."""
    together: float = 0.15
    """Files that past commits changed together with the best ones."""
    meaning: float = 0.2
    """Closeness of vectors, where there are any."""
    named: float = 2.0
    """A file the question names by its path, or in a stack trace."""
    other_role: float = 1.5
    """Taken from tests, examples, documents and data unless the question is about them."""
    decay: float = 0.6

    # order of pieces
    file: float = 2.0
    piece: float = 1.0
    """BM25 of the piece, long or short alike: short ones win by a single word otherwise."""
    name: float = 0.3
    named_line: float = 2.0
    """A piece whose line a stack trace names."""
    loose: float = 0.3
    """Taken from module level code, which tells less than a definition."""
    length: float = 0.1
    """Taken times ln(1 + characters / 400)."""
    again: float = 0.95
    """A piece counts this much for each better one of the same file."""


@dataclass(frozen=True, slots=True)
class Among:
    """Which files may be found."""

    roles: frozenset[Role] = frozenset(ROLES)
    languages: frozenset[str] = frozenset()
    """As `language_of` names them; empty for all."""

    def holds(self, file: FileRow) -> bool:
        """Return whether a file may be found."""
        return file.role in self.roles and (not self.languages or file.language in self.languages)


EVERYTHING = Among()


def among(roles: Collection[str] = (), languages: Collection[str] = ()) -> Among:
    """Return which files may be found, from words a user wrote; empty means all.

    Raises:
        ConfigError: A word is no role or no language that is read.
    """
    for name, words, known in (("role", roles, ROLES), ("language", languages, tuple(LANGUAGES))):
        for word in words:
            if word not in known:
                raise ConfigError(name, word, f"must be one of {', '.join(known)}")
    return Among(frozenset(role for role in ROLES if not roles or role in roles), frozenset(languages))


_DEPTH = 5
_SAME_FILE_MAX = 50


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


@dataclass(frozen=True, slots=True)
class Ranking:
    """Files and pieces in order, with the parts of each file's score."""

    files: "NDArray[intp]"
    """Places in `View.files`, best first; those that answer nothing are left out."""
    scores: "Floats"
    """By place in `View.files`."""
    parts: Mapping[str, "Floats"]
    pieces: "NDArray[intp]"
    """Positions in the corpus of pieces, best first."""
    piece_scores: "Floats"
    corpus: Corpus
    frequency: Mapping[str, int]
    """In how many pieces each term of the question stands, as far as it stands anywhere."""


def rank(
    store: CodeStore,
    view: View,
    question: Question,
    weights: Weights,
    *,
    extra: Mapping[str, "Floats"] | None = None,
    together: Callable[["Floats"], "Floats"] | None = None,
    among: Among = EVERYTHING,
    limit: int = 400,
) -> Ranking:
    """Return the ranking of all files and of the best `limit` pieces. Call it within `store.reading`.

    Args:
        extra: Further signals by file, in places of `view`: ``history``, ``meaning``.
        together: Gives files what the best files so far were changed together with, from the scores of all.
        among: Which files may be found at all.
    """
    import numpy as np

    corpus = store.pieces.corpus()
    postings = list(store.pieces.lookup(question.terms))
    owner = view.place[corpus.attributes[FILE]]
    allowed = np.array([among.holds(file) for file in view.files], dtype=bool)
    body, name = bm25(postings, corpus, question.terms, k1=K1, b=B) * allowed[owner]
    whole = bm25(postings, corpus, question.terms, k1=K1, b=0.0)[BODY]
    signals = {
        "pieces": _best_pieces(body, owner, len(view.files), weights.decay),
        "coverage": _by_file(postings, BODY, corpus, owner, len(view.files), question.terms, COVERAGE_K1),
        "file_names": _by_file(postings, NAME, corpus, owner, len(view.files), question.terms, K1),
        "path": _by_path(store, view, question.terms),
        "named": _named(view, question.places),
        **(extra or {}),
    }
    parts = {key: scaled(values * allowed) * np.float32(getattr(weights, key)) for key, values in signals.items()}
    found = np.sum(list(parts.values()), axis=0)
    if together is not None:
        parts["together"] = scaled(together(found) * allowed) * np.float32(weights.together)
        found = found + parts["together"]
    back = ~np.isin(view.roles, [ROLES.index(role) for role in {"source", *question.about}])
    scores = found - weights.other_role * back * (parts["named"] == 0)
    order = np.argsort(-scores, kind="stable")
    piece_scores = _piece_scores(corpus, owner, scores, whole * allowed[owner], name, weights)
    piece_scores += weights.named_line * _named_lines(store, view, question.places, corpus)
    piece_scores[~(found > 0)[owner]] = -np.inf
    return Ranking(
        order[found[order] > 0], scores, parts, _in_turn(piece_scores, owner, weights.again, limit),
        piece_scores, corpus, {posting.term: len(posting.documents) for posting in postings if posting.field == BODY},
    )  # fmt: skip


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


def _best_pieces(body: "Floats", owner: "NDArray[int32]", files: int, decay: float) -> "Floats":
    """Return for each file the sum of its best pieces, the i-th times decay^i."""
    import numpy as np

    hits = np.flatnonzero(body > 0)
    order = hits[np.lexsort((-body[hits], owner[hits]))]
    owners = owner[order]
    first = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]]) if len(order) else order
    rank_in_file = np.arange(len(order)) - np.repeat(first, np.diff(np.r_[first, len(order)]))
    shares = np.where(rank_in_file < _DEPTH, float(decay) ** np.minimum(rank_in_file, _DEPTH), 0.0)
    return np.bincount(owners, body[order] * shares, minlength=files).astype("f4")


def _by_file(
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


def _by_path(store: CodeStore, view: View, terms: Mapping[str, float]) -> "Floats":
    import numpy as np

    corpus = store.paths.corpus()
    scores = np.zeros(len(view.files), dtype="f4")
    if len(corpus.numbers):
        scores[view.place[corpus.attributes[0]]] = bm25(store.paths.lookup(terms), corpus, terms, k1=K1, b=B)[0]
    return scores


def _named(view: View, places: Sequence[Place]) -> "Floats":
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


def _named_lines(store: CodeStore, view: View, places: Sequence[Place], corpus: Corpus) -> "Floats":
    import numpy as np

    scores = np.zeros(len(corpus.numbers), dtype="f4")
    for place in places:
        matches = matching(view, place.path) if place.line else []
        if len(matches) == 1:
            number = store.piece_at(view.files[matches[0]].id, place.line)
            if number is not None:
                scores[corpus.position[number]] = 1.0
    return scores


def _piece_scores(
    corpus: Corpus, owner: "NDArray[int32]", files: "Floats", body: "Floats", name: "Floats", weights: Weights
) -> "Floats":
    import numpy as np

    scores = weights.file * files[owner] + weights.piece * scaled(body) + weights.name * scaled(name)
    loose = (corpus.attributes[KIND] == KINDS.index("module")) | (corpus.attributes[KIND] == KINDS.index("text"))
    return np.asarray(
        scores - weights.loose * loose - weights.length * np.log1p(corpus.attributes[CHARS] / 400), dtype="f4"
    )


def _in_turn(scores: "Floats", owner: "NDArray[int32]", again: float, limit: int) -> "NDArray[intp]":
    """Return positions best first, where each further piece of a file counts less."""
    import numpy as np

    candidates = np.argsort(-scores, kind="stable")[: 3 * limit]
    candidates = candidates[np.isfinite(scores[candidates])]
    taken: dict[int, int] = {}
    lowered = []
    for position in candidates:
        before = taken[int(owner[position])] = taken.get(int(owner[position]), -1) + 1
        score = float(scores[position])
        share = again ** min(before, _SAME_FILE_MAX)
        lowered.append(score * share if score > 0 else score)
    return candidates[np.argsort(-np.array(lowered), kind="stable")][:limit]
