"""Which files and pieces answer a question: signals of words, names, paths and history, weighted and summed."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...state.errors import ConfigError
from ..search.bm25 import bm25
from ..search.postings import Corpus
from .choice import ROLES, Role
from .languages import LANGUAGES
from .question import Question
from .rows import FileRow
from .signals import K1, B, View, best_pieces, by_file, by_path, named, named_lines, scaled
from .store import BODY, CHARS, FILE, KIND, KINDS, NAME, CodeStore

if TYPE_CHECKING:
    from numpy import bool_, float32, int32, intp
    from numpy.typing import NDArray

    Floats = NDArray[float32]

COVERAGE_K1 = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What each signal counts, after division by its maximum; each is there by ablation (benchmarks/retrieval.py)."""

    pieces: float = 1.0
    """The five best pieces of a file, each worth `decay` of the one before."""
    coverage: float = 0.3
    """How many of the question's terms the file holds at all, by their idf: BM25 of the file, soon saturated."""
    path: float = 0.1
    file_names: float = 0.1
    """BM25 over the names a file defines."""
    history: float = 0.35
    """Files that similar past commits touched."""
    together: float = 0.15
    """Files that past commits changed together with the best ones."""
    meaning: float = 0.1
    """Closeness of vectors, where there are any."""
    named: float = 2.0
    """A file the question names by its path, or in a stack trace."""
    breadth: float = 1.0
    """Coverage and together once more, this many times, behind the first five files: after the places that fit best
    come files that fit in all, or go with them."""
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

    def mask(self, view: View) -> "NDArray[bool_]":
        """Return for each file of a view whether it may be found."""
        import numpy as np

        if self == EVERYTHING:
            return np.ones(len(view.files), dtype=bool)
        return np.array([self.holds(file) for file in view.files], dtype=bool)


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


_SAME_FILE_MAX = 50
_FIRST_FILES = 5


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
    limit: int = 200,
) -> Ranking:
    """Return the ranking of all files and of the best `limit` pieces. Call it within `store.reading`.

    Args:
        extra: Further signals by file, in places of `view`: ``history``, ``meaning``.
        together: Gives files what the best files so far were changed together with, from the scores of all.
        among: Which files may be found at all.
    """
    import numpy as np

    corpus = store.pieces.corpus()
    weighed, postings = question.weights(), question.lookup(store.pieces)
    owner = view.place[corpus.attributes[FILE]]
    allowed = among.mask(view)
    body, name = bm25(postings, corpus, weighed, k1=K1, b=B) * allowed[owner]
    whole = bm25([each for each in postings if each.field == BODY], corpus, weighed, k1=K1, b=0.0)[BODY]
    signals = {
        "pieces": best_pieces(body, owner, len(view.files), weights.decay),
        "coverage": by_file(postings, BODY, corpus, owner, len(view.files), weighed, COVERAGE_K1),
        "file_names": by_file(postings, NAME, corpus, owner, len(view.files), weighed, K1),
        "path": by_path(store, view, question),
        "named": named(view, question.places),
        **(extra or {}),
    }
    parts = {key: scaled(values * allowed) * np.float32(getattr(weights, key)) for key, values in signals.items()}
    found = np.sum(list(parts.values()), axis=0)
    if together is not None:
        parts["together"] = scaled(together(found) * allowed) * np.float32(weights.together)
        found = found + parts["together"]
    back = ~np.isin(view.roles, [ROLES.index(role) for role in {"source", *question.about}])
    scores = found - weights.other_role * back * (parts["named"] == 0)
    by_words = scores - parts.get("meaning", np.float32(0.0))  # vectors find files; what to show of them, words tell
    again = parts["coverage"] + parts.get("together", np.float32(0.0))
    scores = _broadened(scores.astype("f4"), again * np.float32(weights.breadth))
    order = np.argsort(-scores, kind="stable")
    piece_scores = _piece_scores(corpus, owner, by_words, whole * allowed[owner], name, weights)
    piece_scores += weights.named_line * named_lines(store, view, question.places, corpus)
    piece_scores[~(found > 0)[owner]] = -np.inf
    return Ranking(
        order[found[order] > 0], scores, parts, _in_turn(piece_scores, owner, weights.again, limit),
        piece_scores, corpus, {posting.term: len(posting.documents) for posting in postings if posting.field == BODY},
    )  # fmt: skip


def _broadened(scores: "Floats", bonus: "Floats") -> "Floats":
    """Return the scores with a bonus for all but the first files, which stay in front."""
    import numpy as np

    if len(scores) <= _FIRST_FILES:
        return scores
    first = np.argsort(-scores, kind="stable")[:_FIRST_FILES]
    raised = np.minimum(scores + bonus, np.nextafter(scores[first[-1]], np.float32(-np.inf)))
    raised[first] = scores[first]
    return np.asarray(raised, dtype="f4")


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

    candidates = np.arange(len(scores))
    if len(scores) > 3 * limit:
        candidates = np.sort(np.argpartition(-scores, 3 * limit)[: 3 * limit])
    candidates = candidates[np.argsort(-scores[candidates], kind="stable")]
    candidates = candidates[np.isfinite(scores[candidates])]
    taken: dict[int, int] = {}
    lowered = []
    for position in candidates:
        before = taken[int(owner[position])] = taken.get(int(owner[position]), -1) + 1
        score = float(scores[position])
        share = again ** min(before, _SAME_FILE_MAX)
        lowered.append(score * share if score > 0 else score)
    return candidates[np.argsort(-np.array(lowered), kind="stable")][:limit]
