"""The ways of finding code that are compared: ours by its real path, BM25, plain Chroma, the classic first look.

Each is a class without arguments: `build(repo)`, then `engine(repo, query, tokens)` -> (path, first line, last line,
text) in order; tokens None asks for the whole ranking of files. `update`, `index_bytes` and `drop` where it has them.
"""

# ruff: noqa: ARG002 - engines that rank alike for every budget still take one

import gzip
import json
import math
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.code_index.question import understand
from maintainer.tools.code_index.ranking import Among, Weights
from maintainer.tools.code_index.read import decode, read_file, split_lines
from maintainer.tools.embeddings import open_embedder
from maintainer.tools.rag.chroma import ChromaVectors
from maintainer.tools.rag.meaning import Meaning
from maintainer.tools.tokens import open_counter
from maintainer.tools.tree import walk

Item = tuple[str, int, int, str]
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


Opened = tuple[CodeIndex, Path, Meaning | None]


class Ours:
    """The product: `CodeIndex` as `RAGTool` uses it, on words alone.

    Args:
        kept: Indexes by repository that stay open, so that variants need not build them again.
    """

    weights = Weights()
    vectors = False

    def __init__(self, kept: dict[str, Opened] | None = None) -> None:
        self.counter = open_counter()
        self.history = HISTORY
        self._kept = kept
        self._open: dict[str, Opened] = {} if kept is None else kept

    def commits(self, repo: str) -> Commits | None:
        file = Path(self.history or "/nonexistent") / f"{Path(repo).name}.jsonl.gz"
        return Commits.of(file) if file.exists() else None

    def build(self, repo: str) -> None:
        if repo not in self._open:
            folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
            index = CodeIndex(Path(repo), folder, commits=self.commits(repo))
            index.refresh()
            self._open[repo] = (index, folder, None)
        index, folder, meaning = self._open[repo]
        index.weights = self.weights
        if self.vectors and meaning is None:
            embedder = open_embedder()
            assert embedder is not None
            meaning = Meaning(folder / "chroma", embedder)
            meaning.catch_up(index, lambda: False, lambda _done, _of: None)
            self._open[repo] = (index, folder, meaning)

    def update(self, repo: str, paths: Sequence[str]) -> None:
        self._open[repo][0].update(paths)

    def index_bytes(self, repo: str) -> int:
        index, folder, _ = self._open[repo]
        index.store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return (folder / "index.sqlite").stat().st_size

    def drop(self, repo: str) -> None:
        if self._kept is None:
            self.forget(repo)

    def forget(self, repo: str) -> None:
        index, folder, meaning = self._open.pop(repo)
        if meaning is not None:
            meaning.close()
        index.close()
        shutil.rmtree(folder)

    def __call__(self, repo: str, query: str, tokens: int | None) -> list[Item]:
        index, _, meaning = self._open[repo]
        similar = meaning.similar(query) if meaning is not None and self.vectors else None
        if tokens is None:
            with index.store.reading():
                view, ranking = index.rank(understand(query), similar=similar, among=PYTHON)
            return [(view.files[place].path, 1, 1, "") for place in ranking.files]
        return [
            (excerpt.path, start, end, "\n".join(split_lines(read(Path(repo) / excerpt.path))[start - 1 : end]))
            for excerpt in index.evidence(query, tokens, self.counter, similar=similar, among=PYTHON)
            for start, end in excerpt.spans
        ]


class OursWithVectors(Ours):
    """The product with its default embedder."""

    vectors = True


def without(signal: str) -> type[Ours]:
    """Return our engine with one weight at 0 (`decay` and `again` at 1: no difference between pieces)."""

    class Without(Ours):
        weights = replace(Weights(), **{signal: 1.0 if signal in ("decay", "again") else 0.0})

    return Without


class Bm25:
    """BM25 over functions, words split at underscores and capitals, nothing else."""

    K1, B = 1.2, 0.75

    def __init__(self) -> None:
        self._open: dict[str, tuple[list[Item], list[Counter[str]]]] = {}

    def build(self, repo: str) -> None:
        items = list(functions(Path(repo)))
        self._open[repo] = (items, [Counter(plain(f"{path} {text}")) for path, _, _, text in items])

    def drop(self, repo: str) -> None:
        del self._open[repo]

    def __call__(self, repo: str, query: str, tokens: int | None) -> list[Item]:
        items, documents = self._open[repo]
        mean = sum(document.total() for document in documents) / max(len(documents), 1)
        scores = [0.0] * len(items)
        for term, weight in Counter(plain(query)).items():
            holding = [(place, document[term]) for place, document in enumerate(documents) if term in document]
            idf = math.log1p((len(items) - len(holding) + 0.5) / (len(holding) + 0.5))
            for place, count in holding:
                norm = self.K1 * (1 - self.B + self.B * documents[place].total() / mean)
                scores[place] += weight * idf * count * (self.K1 + 1) / (count + norm)
        order = sorted(range(len(items)), key=lambda place: -scores[place])
        return [items[place] for place in order[:400] if scores[place] > 0]


class PlainChroma:
    """Functions embedded by the default embedder, nearest first: vectors and nothing else."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[dict[str, Item], ChromaVectors, Path]] = {}

    def build(self, repo: str) -> None:
        folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
        items = {str(number): item for number, item in enumerate(functions(Path(repo)))}
        embedder = open_embedder()
        assert embedder is not None
        vectors = ChromaVectors(folder / "chroma", embedder, kind="plain")
        vectors.put({key: f"{path}\n{text[:1000]}" for key, (path, _, _, text) in items.items()})
        self._open[repo] = (items, vectors, folder)

    def drop(self, repo: str) -> None:
        _, vectors, folder = self._open.pop(repo)
        vectors.close()
        shutil.rmtree(folder)

    def __call__(self, repo: str, query: str, tokens: int | None) -> list[Item]:
        items, vectors, _ = self._open[repo]
        return [items[key] for key in vectors.nearest(query, 400)]


class Classic:
    """The first look of the design: 20 files as they are listed, ordered by shared words, 2,000 characters each."""

    FILES, CHARS = 20, 2000

    def build(self, repo: str) -> None:
        pass

    def __call__(self, repo: str, query: str, tokens: int | None) -> list[Item]:
        asked = set(plain(query))
        found = []
        for path in python_files(Path(repo))[: self.FILES]:
            text = read(Path(repo) / path)[: self.CHARS]
            words = set(plain(text))
            found.append((len(asked & words) / max(len(asked | words), 1), path, text))
        found.sort(key=lambda row: -row[0])
        return [(path, 1, text.count("\n") + 1, text) for _, path, text in found]


def functions(repo: Path) -> Iterator[Item]:
    """Yield every piece of every Python file, as the index cuts them."""
    for file in walk(repo).files:
        result = read_file(repo, file) if file.suffix == ".py" else None
        if result is not None and hasattr(result, "pieces"):
            lines = split_lines(read(repo / file.path))
            for piece in result.pieces:
                chunk = piece.chunk
                yield file.path, chunk.start, chunk.end, "\n".join(lines[chunk.start - 1 : chunk.end])


def python_files(repo: Path) -> list[str]:
    return [file.path for file in walk(repo).files if file.suffix == ".py"]


def read(path: Path) -> str:
    return decode(path.read_bytes()) or ""


def plain(text: str) -> list[str]:
    return [
        word.lower() for word in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d{2,}|[\u4e00-\u9fff]", text)
    ]
