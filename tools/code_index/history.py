"""Past commits as a signal: files that similar changes touched before are likely to be touched again."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from ...state.errors import RepositoryError
from ..database import writing
from ..search.postings import bm25
from .question import Question
from .ranking import K1, B, View
from .read import code_terms
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
_YEAR_S = 365.25 * 86_400


class PastCommit(Protocol):
    """A commit as far as it is of use here."""

    @property
    def sha(self) -> str:
        """Return its hash."""

    @property
    def time(self) -> datetime:
        """Return when it was made."""

    @property
    def message(self) -> str:
        """Return subject and body."""

    @property
    def files(self) -> Sequence[str]:
        """Return the paths it touched."""


class CommitSource(Protocol):
    """Who knows the commits of a repository."""

    def head(self) -> str:
        """Return the newest commit, or ``""`` where there is none."""

    def log(self, limit: int = ..., since: str = ...) -> Sequence[PastCommit]:
        """Return the newest commits, newest first; only those after `since` where it is given.

        Raises:
            RepositoryError: `since` is no commit of this history.
        """


def learn(store: CodeStore, source: CommitSource) -> int:
    """Add the commits that are new since the last call and return their number; a rewritten history is read afresh."""
    head, known = source.head(), store.setting("head")
    if head == known:
        return 0
    try:
        commits = list(source.log(limit=MAX_COMMITS, since=known))
    except RepositoryError:
        if not known:
            raise
        known, commits = "", list(source.log(limit=MAX_COMMITS))
    with store.lock, writing(store.db):
        if not known:
            store.messages.remove(number for (number,) in store.db.execute("SELECT number FROM past").fetchall())
            store.db.execute("DELETE FROM past")
        useful = [commit for commit in commits if 0 < len(commit.files) <= MAX_FILES]
        first = store.messages.add([[code_terms(commit.message)] for commit in useful])
        store.db.executemany(
            "INSERT OR IGNORE INTO past VALUES (?,?,?,?)",
            (
                (number, commit.sha, commit.time.timestamp(), json.dumps(list(commit.files)))
                for number, commit in enumerate(useful, first)
            ),
        )
        store.put_setting("head", head)
    return len(useful)


def similar_commits(store: CodeStore, view: View, question: Question) -> "NDArray[float32]":
    """Return for each file of the view what the most similar past commits that touched it give. Within `reading`.

    Each of the 40 best commits by BM25 of its message gives score * (0.5 + 0.5 exp(-age / 3 years)) / sqrt(files) to
    its files, age counted from the newest commit.
    """
    import numpy as np

    given = np.zeros(len(view.files), dtype="f4")
    corpus = store.messages.corpus()
    if not len(corpus.numbers):
        return given
    scores = bm25(store.messages.lookup(question.terms), corpus, question.terms, k1=K1, b=B)[0]
    newest = store.db.execute("SELECT max(time) FROM past").fetchone()[0]
    by_path = {file.path: place for place, file in enumerate(view.files)}
    by_tail = _tails(view)
    for position in np.argsort(-scores, kind="stable")[:_SIMILAR]:
        if scores[position] <= 0:
            break
        number = int(corpus.numbers[position])
        time, listed = store.db.execute("SELECT time, files FROM past WHERE number=?", (number,)).fetchone()
        files = json.loads(listed)
        age_years = (newest - time) / _YEAR_S
        share = scores[position] * (0.5 + 0.5 * np.exp(-age_years / _HALF_TOLD_YEARS)) / np.sqrt(len(files))
        for path in files:
            place = by_path.get(path, by_tail.get(_tail(path), -1))
            if place >= 0:
                given[place] += share
    return given


def _tail(path: str) -> str:
    return "/".join(path.split("/")[-2:])


def _tails(view: View) -> dict[str, int]:
    """Return places by folder and name, -1 where several files share them: files that moved with their folder."""
    found: dict[str, int] = {}
    for place, file in enumerate(view.files):
        tail = _tail(file.path)
        found[tail] = -1 if tail in found else place
    return found
