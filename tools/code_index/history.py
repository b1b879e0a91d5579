"""Past commits as a signal: files that similar changes touched before are likely to be touched again."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from ...state.errors import RepositoryError
from ..database import writing
from ..search.bm25 import bm25
from .question import Question
from .read import code_terms
from .signals import K1, B, View
from .store import CodeStore

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

MAX_COMMITS = 5_000
MAX_FILES = 30
"""A commit that touches more files tells nothing of any of them."""
_SIMILAR = 40
_HALF_TOLD_YEARS = 3.0
"""An old commit counts half; the other half fades over this time (exponential)."""
_SEEDS = 5
_RECENT = 300
"""Commits looked at of one file."""
_TOGETHER_MAX = 15
_DOUBT = 3
"""Commits added to the count, so that one common commit proves little."""
_YEAR_S = 365.25 * 86_400


class PastCommit(Protocol):
    """A commit as far as it is of use here."""

    @property
    def sha(self) -> str:
        """Return its hash."""
        ...

    @property
    def time(self) -> datetime:
        """Return when it was made."""
        ...

    @property
    def message(self) -> str:
        """Return subject and body."""
        ...

    @property
    def files(self) -> Sequence[str]:
        """Return the paths it touched."""
        ...


class CommitSource(Protocol):
    """Who knows the commits of a repository."""

    def head(self) -> str:
        """Return the newest commit, or ``""`` where there is none."""
        ...

    def log(self, limit: int = ..., since: str = ...) -> Sequence[PastCommit]:
        """Return the newest commits, newest first; only those after `since` where it is given.

        Raises:
            RepositoryError: `since` is no commit of this history.
        """
        ...


def learn(store: CodeStore, source: CommitSource) -> int:
    """Add the commits that are new since the last call and return their number; a rewritten history is read afresh."""
    head, before = source.head(), store.setting("head")
    if head == before:
        return 0
    known = before
    try:
        commits = list(source.log(limit=MAX_COMMITS, since=known))
    except RepositoryError:
        if not known:
            raise
        known, commits = "", list(source.log(limit=MAX_COMMITS))
    useful = [commit for commit in commits if 0 < len(commit.files) <= MAX_FILES]
    with store.lock, writing(store.db):
        if store.setting("head") != before:  # another thread or process has learnt meanwhile
            return 0
        if not known:
            store.messages.remove(number for (number,) in store.db.execute("SELECT number FROM past").fetchall())
            store.db.execute("DELETE FROM past")
            store.db.execute("DELETE FROM past_file")
        first = store.messages.add([[code_terms(commit.message)] for commit in useful])
        for number, commit in enumerate(useful, first):
            store.db.execute("INSERT OR IGNORE INTO past VALUES (?,?,?)", (number, commit.sha, commit.time.timestamp()))
            store.db.executemany(
                "INSERT OR IGNORE INTO past_file VALUES (?,?,?)", ((number, path, _tail(path)) for path in commit.files)
            )
        store.put_setting("head", head)
    return len(useful)


class Past:
    """The commits of one state of the index, laid over its files. To be used within `store.reading`."""

    def __init__(self, store: CodeStore, view: View) -> None:
        self._db, self._messages, self._view = store.db, store.messages, view
        self._by_path = {file.path: place for place, file in enumerate(view.files)}
        self._by_tail = _tails(view)

    def similar(self, question: Question) -> "NDArray[float32]":
        """Return for each file what the most similar past commits that touched it give.

        Each of the 40 best commits by BM25 of its message gives score * (0.5 + 0.5 exp(-age / 3 years)) / sqrt(files)
        to its files, age counted from the newest commit.
        """
        import numpy as np

        given = np.zeros(len(self._view.files), dtype="f4")
        corpus = self._messages.corpus()
        if not len(corpus.numbers):
            return given
        scores = bm25(question.lookup(self._messages), corpus, question.weights(), k1=K1, b=B)[0]
        newest = self._db.execute("SELECT max(time) FROM past").fetchone()[0]
        for position in np.argsort(-scores, kind="stable")[:_SIMILAR]:
            if scores[position] <= 0:
                break
            number = int(corpus.numbers[position])
            (time,) = self._db.execute("SELECT time FROM past WHERE number=?", (number,)).fetchone()
            places, files = self._touched(number)
            age_years = (newest - time) / _YEAR_S
            given[places] += scores[position] * (0.5 + 0.5 * np.exp(-age_years / _HALF_TOLD_YEARS)) / np.sqrt(files)
        return given

    def together(self, scores: "NDArray[float32]") -> "NDArray[float32]":
        """Return for each file what it gets from having been changed together with the best files.

        Each of the five best files gives its share of the best score, spread over the commits that touched it and, by
        1 / sqrt(files), over what else they touched.
        """
        import numpy as np

        given = np.zeros(len(self._view.files), dtype="f4")
        best = scores.max(initial=0.0)
        for place in np.argsort(-scores, kind="stable")[:_SEEDS]:
            if scores[place] <= 0:
                break
            commits = [touched for touched in self._commits_of(int(place)) if 1 < len(touched) <= _TOGETHER_MAX]
            for touched in commits:
                share = scores[place] / best / np.sqrt(len(touched)) / (len(commits) + _DOUBT)
                given[[other for other in touched if other != place]] += share
        return given

    def _commits_of(self, place: int) -> Iterator[list[int]]:
        path = self._view.files[place].path
        rows = self._db.execute(
            "SELECT number, path FROM past_file WHERE tail=? ORDER BY number LIMIT ?", (_tail(path), _RECENT)
        ).fetchall()
        for number, written in rows:
            if self._place(written) == place:
                yield self._touched(number)[0]

    def _touched(self, number: int) -> tuple[list[int], int]:
        """Return the places of a commit's files as far as they are still there, and how many files it touched."""
        rows = self._db.execute("SELECT path FROM past_file WHERE number=?", (number,)).fetchall()
        places = {self._place(path) for (path,) in rows}
        return sorted(place for place in places if place >= 0), len(rows)

    def _place(self, path: str) -> int:
        return self._by_path.get(path, self._by_tail.get(_tail(path), -1))


def _tail(path: str) -> str:
    return "/".join(path.split("/")[-2:])


def _tails(view: View) -> dict[str, int]:
    """Return places by folder and name, -1 where several files share them: files that moved with their folder."""
    found: dict[str, int] = {}
    for place, file in enumerate(view.files):
        tail = _tail(file.path)
        found[tail] = -1 if tail in found else place
    return found
