"""Ways of finding code to be compared with: BM25, plain Chroma, and the first look of the design.

Each has `build(repo)`, `drop(repo)`, and `engine(repo, query, tokens)` -> (path, first line, last line, text) in order.
"""

# ruff: noqa: ARG002 - engines that rank alike for every budget still take one

import math
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from maintainer.tools.code_index.read import decode, read_file, split_lines
from maintainer.tools.embeddings import Embedder, open_embedder
from maintainer.tools.rag.chroma import ChromaVectors
from maintainer.tools.tree import walk

Item = tuple[str, int, int, str]


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

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._open: dict[str, tuple[dict[str, Item], ChromaVectors, Path]] = {}
        self._embedder = embedder

    def build(self, repo: str) -> None:
        folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
        items = {str(number): item for number, item in enumerate(functions(Path(repo)))}
        embedder = self._embedder or open_embedder()
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

    def drop(self, repo: str) -> None:
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
