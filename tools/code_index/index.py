"""The index of one repository: kept up to date file by file, asked in words."""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...state.errors import StoreError
from ..clock import Clock, SystemClock
from ..tokens import TokenCounter
from ..tree import TreeFile, walk
from .choice import MAX_FILE_BYTES, Skipped, choose
from .evidence import Candidate, Excerpt, excerpts, term_weights
from .history import CommitSource, Past, learn
from .question import Question, understand
from .ranking import EVERYTHING, Among, Ranking, View, Weights, by_meaning, rank
from .read import ReadFile, decode, digest, read_bytes, read_file, split_lines
from .store import CodeStore, FileRow

_BATCH = 200
"""Files per transaction: what a killed process has to read again."""
MAX_FILES = 200_000
_RACY_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again within the same tick of the clock."""

Progress = Callable[[int, int], None]
"""Called with (files done, files to do)."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did."""

    indexed: int = 0
    """Files read because they are new or their content changed."""
    removed: int = 0
    unchanged: int = 0
    commits: int = 0
    skipped: tuple[Skipped, ...] = ()
    """Every file and folder that was passed over, with the reason."""
    problems: dict[str, str] = field(default_factory=dict)
    """Files indexed as text, or with gaps, by path."""


class CodeIndex:
    """The code index of one repository.

    Args:
        root: The repository.
        folder: Where ``index.sqlite`` is kept; None keeps it in memory.
        commits: Who knows the history; None: no signal from past commits.
        max_file_bytes: Larger files are passed over.
        weights: What each signal counts.

    A damaged index, or one of another version, is built again; one that cannot be written is kept in memory. Either
    is said in `notices`.
    """

    def __init__(
        self,
        root: Path,
        folder: Path | None,
        *,
        commits: CommitSource | None = None,
        max_file_bytes: int = MAX_FILE_BYTES,
        weights: Weights | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.root = root.resolve()
        self.notices: list[str] = []
        self.weights = weights or Weights()
        self._clock = clock or SystemClock()
        self._path = None if folder is None else folder / "index.sqlite"
        self._commits = commits
        self._max_bytes = max_file_bytes
        self._view: tuple[int, View] | None = None
        self.store = self._open()

    def close(self) -> None:
        """Close the index."""
        self.store.close()

    def refresh(self, progress: Progress | None = None) -> Refreshed:
        """Bring the index up to the files as they are now; read only what changed.

        Batches are committed as they are done: a search meanwhile finds what is there, a killed process goes on where
        it was.
        """
        known = {file.path: file for file in self.store.files()}
        tree = walk(self.root, most_files=MAX_FILES)
        found, skipped = choose(tree.files, self._max_bytes)
        skipped += [Skipped(f"{folder}/", "unreadable folder") for folder in tree.unreadable]
        if not tree.complete:
            skipped.append(Skipped("./", f"the walk stopped after {MAX_FILES:,} files"))
        changed = [entry for entry in found if not _is_as_known(entry, known.get(entry.path))]
        gone = known.keys() - {entry.path for entry in found}
        self.store.remove(gone)
        indexed = self._read(changed, known, skipped, progress)
        commits = 0
        if self._commits is not None:
            commits = learn(self.store, self._commits)
        return Refreshed(
            indexed=indexed,
            removed=len(gone),
            unchanged=len(found) - indexed,
            commits=commits,
            skipped=tuple(skipped),
            problems={file.path: file.problem for file in self.store.files() if file.problem},
        )

    def update(self, paths: Iterable[str]) -> int:
        """Bring single files up to date, without a look at the others, and return how many changed."""
        known = {path: row for path in paths for row in [self.store.file(path)]}
        found = []
        for path in known:
            try:
                stat = (self.root / path).stat()
                found.append(TreeFile(path, stat.st_size, stat.st_mtime_ns))
            except OSError:
                self.store.remove([path])
        skipped: list[Skipped] = []
        return self._read(found, {path: row for path, row in known.items() if row}, skipped, None)

    def rank(
        self, question: Question, *, similar: Mapping[str, float] | None = None, among: Among = EVERYTHING
    ) -> tuple[View, Ranking]:
        """Return files and pieces in the order they answer the question. Call it within `store.reading`.

        Args:
            similar: Closeness in meaning by key of a piece, where vectors are at hand.
            among: Which files may be found at all.
        """
        view = self.view()
        past = Past(self.store, view)
        extra = {"history": past.similar(question)}
        if similar:
            extra["meaning"] = by_meaning(self.store, view, similar)
        return view, rank(self.store, view, question, self.weights, extra=extra, together=past.together, among=among)

    def evidence(
        self,
        text: str,
        tokens: int,
        counter: TokenCounter,
        *,
        similar: Mapping[str, float] | None = None,
        among: Among = EVERYTHING,
    ) -> list[Excerpt]:
        """Return the lines that answer a question in English or Chinese, one excerpt per file, best first.

        All excerpts with their headings count `tokens` at most. Lines are those of the files as they are now: one that
        changed since it was indexed is read again first.
        """
        question = understand(text)
        for _ in range(2):
            with self.store.reading():
                view, ranking = self.rank(question, similar=similar, among=among)
                candidates = self._candidates(view, ranking)
                frequency = self.store.pieces.frequency(question.terms)
                worth = term_weights(question.terms, frequency, len(ranking.corpus.numbers))
            lines = _Lines(self.root)
            found = excerpts(candidates, lines, worth, tokens, counter)
            outdated = [path for path, sha256 in lines.digests.items() if self.store.digest_of(path) != sha256]
            if not outdated or not self.update(outdated):
                break
        return found

    def _candidates(self, view: View, ranking: Ranking) -> list[Candidate]:
        rows = self.store.piece_rows([int(ranking.corpus.numbers[position]) for position in ranking.pieces])
        return [
            Candidate(view.files[view.place[row.file]].path, row, float(ranking.piece_scores[position]))
            for row, position in zip(rows, ranking.pieces, strict=True)
        ]

    def view(self) -> View:
        """Return the files as arrays; kept until the index changes."""
        generation = self.store.generation()
        if self._view is None or self._view[0] != generation:
            self._view = (generation, View.of(self.store.files()))
        return self._view[1]

    def _read(
        self, changed: list[TreeFile], known: dict[str, FileRow], skipped: list[Skipped], progress: Progress | None
    ) -> int:
        indexed, batch, same = 0, [], []
        for number, entry in enumerate(changed, 1):
            row = known.get(entry.path)
            if row is not None and self._same_content(entry, row):
                same.append((entry.size, self._settled(entry), entry.path))
                continue
            result = read_file(self.root, entry, self._max_bytes)
            if isinstance(result, ReadFile):
                batch.append(replace(result, found=replace(entry, mtime_ns=self._settled(entry))))
            else:
                skipped.append(result)
                self.store.remove([entry.path])
            if len(batch) == _BATCH:
                self.store.replace(batch)
                indexed += len(batch)
                batch = []
            if progress is not None:
                progress(number, len(changed))
        self.store.replace(batch)
        self.store.touch(same)
        return indexed + len(batch)

    def _same_content(self, entry: TreeFile, row: FileRow) -> bool:
        try:
            return entry.size == row.size and digest(read_bytes(self.root, entry.path)) == row.sha256
        except OSError:
            return False

    def _settled(self, entry: TreeFile) -> int:
        """Return the time to keep for a file: 0, which fits no file, if it may still change unseen."""
        now_ns = int(self._clock.now().timestamp() * 1e9)
        return 0 if now_ns - entry.mtime_ns < _RACY_NS else entry.mtime_ns

    def _open(self) -> CodeStore:
        try:
            return CodeStore(self._path)
        except StoreError as error:
            return self._open_afresh(error)

    def _open_afresh(self, error: StoreError) -> CodeStore:
        assert self._path is not None
        try:
            for suffix in ("", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    self._path.with_name(self._path.name + suffix).unlink()
            store = CodeStore(self._path)
        except (OSError, StoreError):
            self.notices.append(f"the code index is kept in memory for now: {error}")
            return CodeStore(None)
        self.notices.append(f"the code index is being built again: {error}")
        return store


class _Lines:
    """The lines of files, read once each; a file that cannot be read any more has none."""

    def __init__(self, root: Path) -> None:
        self.digests: dict[str, str] = {}
        self._root = root
        self._lines: dict[str, list[str]] = {}

    def __call__(self, path: str) -> list[str]:
        if path not in self._lines:
            try:
                data = read_bytes(self._root, path)
            except OSError:
                data = b""
            self.digests[path] = digest(data)
            self._lines[path] = split_lines(decode(data) or "")
        return self._lines[path]


def _is_as_known(entry: TreeFile, row: FileRow | None) -> bool:
    return row is not None and (row.size, row.mtime_ns) == (entry.size, entry.mtime_ns)
