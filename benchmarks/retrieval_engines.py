"""Our search as an engine to be measured: by the product's real path, with or without vectors, less a signal.

`build(repo)`, then `engine(repo, query, tokens)` -> (path, first line, last line, text) in order; tokens None asks for
the whole ranking of files.
"""

import gzip
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.code_index.question import understand
from maintainer.tools.code_index.ranking import Among, Weights
from maintainer.tools.code_index.read import split_lines
from maintainer.tools.embeddings import Embedder, open_embedder
from maintainer.tools.rag.meaning import Meaning
from maintainer.tools.tokens import open_counter

from .retrieval_baselines import Item, read

PYTHON = Among(languages=frozenset({"python"}))
"""Only Python files count in the data set, so every engine looks at these alone."""
HISTORY = os.environ.get("RETRIEVAL_HISTORY", "")
"""Folder with NAME.jsonl.gz of earlier commits, for trees that come without .git."""


@dataclass(frozen=True)
class Commit:
    sha: str
    time: datetime
    message: str
    files: tuple[str, ...]


class Commits:
    """Earlier commits from a file, as the engine's `CommitSource`."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self._commits = list(commits)

    @classmethod
    def of(cls, file: Path) -> "Commits":
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        return cls([Commit(r["h"], datetime.fromtimestamp(r["t"], UTC), r["m"], tuple(r["f"])) for r in rows])

    def head(self) -> str:
        return self._commits[0].sha if self._commits else ""

    def log(self, limit: int = 100, since: str = "") -> list[Commit]:
        return [] if since else self._commits[:limit]


@dataclass
class Opened:
    """An index of ours, with its vectors once they were asked for."""

    index: CodeIndex
    folder: Path
    meaning: Meaning | None = None
    similar: dict[str, dict[str, float]] = field(default_factory=dict)
    """The nearest pieces by question: the same for every variant."""

    def close(self) -> None:
        if self.meaning is not None:
            self.meaning.close()
        self.index.close()
        shutil.rmtree(self.folder)


class Ours:
    """The product: `CodeIndex` as `RAGTool` uses it, on words alone.

    Args:
        kept: Indexes by repository; engines that are given the same ones build each index once.
        embedder: Makes the vectors of the variants that use any.
    """

    weights = Weights()
    vectors = False

    def __init__(self, kept: dict[str, Opened] | None = None, embedder: Embedder | None = None) -> None:
        self.counter = open_counter()
        self.history = HISTORY
        self._open: dict[str, Opened] = {} if kept is None else kept
        self._embedder = embedder

    def commits(self, repo: str) -> Commits | None:
        file = Path(self.history or "/nonexistent") / f"{Path(repo).name}.jsonl.gz"
        return Commits.of(file) if file.exists() else None

    def build(self, repo: str) -> None:
        if repo not in self._open:
            folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
            index = CodeIndex(Path(repo), folder, commits=self.commits(repo))
            index.refresh()
            self._open[repo] = Opened(index, folder)
        opened = self._open[repo]
        if self.vectors and opened.meaning is None:
            embedder = self._embedder or open_embedder()
            assert embedder is not None
            opened.meaning = Meaning(opened.folder / "chroma", embedder)
            opened.meaning.catch_up(opened.index, lambda: False, lambda _done, _of: None)

    def update(self, repo: str, paths: Sequence[str]) -> None:
        self._open[repo].index.update(paths)

    def index_bytes(self, repo: str) -> int:
        opened = self._open[repo]
        opened.index.store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return (opened.folder / "index.sqlite").stat().st_size

    def drop(self, repo: str) -> None:
        if repo in self._open:
            self._open.pop(repo).close()

    def __call__(self, repo: str, query: str, tokens: int | None) -> list[Item]:
        opened = self._open[repo]
        index, similar = opened.index, self._similar(opened, query)
        index.weights = self.weights
        if tokens is None:
            with index.store.reading():
                view, ranking = index.rank(understand(query), similar=similar, among=PYTHON)
            return [(view.files[place].path, 1, 1, "") for place in ranking.files]
        return [
            (excerpt.path, start, end, "\n".join(split_lines(read(Path(repo) / excerpt.path))[start - 1 : end]))
            for excerpt in index.evidence(query, tokens, self.counter, similar=similar, among=PYTHON)
            for start, end in excerpt.spans
        ]

    def _similar(self, opened: Opened, query: str) -> dict[str, float] | None:
        if opened.meaning is None or not self.vectors:
            return None
        if query not in opened.similar:
            opened.similar[query] = opened.meaning.similar(query)
        return opened.similar[query]


class OursWithVectors(Ours):
    """The product with its default embedder."""

    vectors = True


def without(signal: str) -> type[Ours]:
    """Return our engine with one weight at 0 (`decay` and `again` at 1: no difference between pieces)."""

    class Without(OursWithVectors):
        weights = replace(Weights(), **{signal: 1.0 if signal in ("decay", "again") else 0.0})

    return Without
