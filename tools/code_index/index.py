"""The index of one repository: kept up to date file by file, asked in words."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ...state.errors import RepositoryError, StoreDamaged, StoreError
from ..clock import Clock, SystemClock
from ..database import opened_anew, opening, remove_database
from ..tokens import TokenCounter
from .choice import MAX_FILE_BYTES
from .evidence import FILES, Candidate, Excerpt, excerpts
from .graph import centrality, resolve, tests_of
from .history import CommitSource, Past, learn
from .keeper import Keeper, Progress, Refreshed
from .map import RepositoryMap, draw
from .question import EVERYDAY, Question, understand
from .ranking import EVERYTHING, Among, Ranking, Weights, rank
from .read import decode, digest, read_bytes, split_lines
from .references import Reference, references
from .rows import Symbol
from .signals import View, by_meaning
from .store import CodeStore
from .worth import fits, worth


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
        self._path = None if folder is None else folder / "index.sqlite"
        self._commits = commits
        self._seen: tuple[int, View, Past] | None = None
        self.store = self._open()
        self._keeper = Keeper(self.store, self.root, max_file_bytes, clock or SystemClock())

    def close(self) -> None:
        """Close the index."""
        self.store.close()

    def refresh(self, progress: Progress | None = None, question: str = "") -> Refreshed:
        """Bring the index up to the files and commits as they are now; read only what changed, what `question` asks
        for first.

        Batches are committed as they are done: a search meanwhile finds what is there, a killed process goes on where
        it was.
        """
        wanted = understand(question).words() if question else None
        try:
            done = self._keeper.refresh(progress, wanted)
        except StoreDamaged as error:
            self.store.close()
            self.store = self._open_afresh(error)
            self._keeper = self._keeper.of(self.store)
            self._seen = None
            done = self._keeper.refresh(progress, wanted)
        if self._commits is None:
            return done
        try:
            return replace(done, commits=learn(self.store, self._commits))
        except RepositoryError as error:
            return replace(done, history_problem=str(error))

    def update(self, paths: Iterable[str]) -> int:
        """Bring single files up to date, without a look at the others, and return how many changed."""
        return self._keeper.update(paths)

    def rank(
        self, question: Question, *, similar: Mapping[str, float] | None = None, among: Among = EVERYTHING
    ) -> tuple[View, Ranking]:
        """Return files and pieces in the order they answer the question. Call it within `store.reading`.

        Args:
            similar: Closeness in meaning by key of a piece, where vectors are at hand; counts for some questions only.
            among: Which files may be found at all.
        """
        view, past = self._view_and_past()
        extra = {"history": past.similar(question)}
        if similar and question.by_meaning:
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
        terms: Collection[str] = (),
    ) -> list[Excerpt]:
        """Return the lines that answer a question in English or Chinese, one excerpt per file, best first.

        None for a question that cannot be about this repository (`worth.fits`). All excerpts with their headings count
        `tokens` at most. Lines are those of the files as they are now: one that changed since it was indexed is read
        again first. `terms` may lead to a place as well, and are not asked for in it.
        """
        question = understand(text)
        own = question.weights()
        question = replace(question, hints={**dict.fromkeys(set(terms) - own.keys(), EVERYDAY), **question.hints})
        found: list[Excerpt] = []
        for _ in range(2):
            with self.store.reading():
                view, ranking = self.rank(question, similar=similar, among=among)
                if not fits(question, ranking.frequency, len(ranking.corpus.numbers)):
                    return []
                candidates = self._candidates(view, ranking)
                order = [view.files[place].path for place in ranking.files[:FILES]]
                indexed = {view.files[place].path: view.files[place].sha256 for place in ranking.files}
                sought = worth(question, ranking.frequency, len(ranking.corpus.numbers))
            lines = _Lines(self.root)
            found = excerpts(candidates, order, lines, sought, tokens, counter)
            outdated = [path for path, sha256 in lines.digests.items() if indexed[path] != sha256]
            if not outdated or not self.update(outdated):
                break
        return found

    def symbols(self, name: str) -> list[Symbol]:
        """Return where a name is defined."""
        return self.store.symbols(name)

    def references(self, name: str, limit: int = 200) -> list[Reference]:
        """Return the lines that hold a name, `limit` at most."""
        return references(self.store, name, _Lines(self.root), limit)

    def edges(self) -> dict[str, set[str]]:
        """Return for each file the files it imports."""
        return resolve(self.store.imports(), [file.path for file in self.store.files()])

    def tests_of(self, path: str) -> list[str]:
        """Return the tests of a source file: those that carry its name first, then those that import it."""
        tests = [file.path for file in self.store.files() if file.role == "test"]
        return tests_of(path, self.edges(), tests)

    def map(self, tokens: int, counter: TokenCounter, *, focus: str = "") -> RepositoryMap:
        """Return the signatures that matter most, for all or for a question, within a ceiling of tokens."""
        sources = [file.path for file in self.store.files() if file.role == "source" and file.language]
        ranks = centrality(self.edges(), sources)
        relevance: dict[str, float] = {}
        if focus:
            with self.store.reading():
                view, ranking = self.rank(understand(focus))
            best = max((float(ranking.scores[place]) for place in ranking.files[:1]), default=0.0)
            if best > 0:
                relevance = {view.files[p].path: max(0.0, float(ranking.scores[p]) / best) for p in ranking.files}
        known = set(sources)
        symbols = [symbol for symbol in self.store.symbols() if symbol.path in known]
        return draw(symbols, ranks, tokens, counter, relevance)

    def _candidates(self, view: View, ranking: Ranking) -> list[Candidate]:
        rows = self.store.piece_rows([int(ranking.corpus.numbers[position]) for position in ranking.pieces])
        return [
            Candidate(view.files[view.place[row.file]].path, row, float(ranking.piece_scores[position]))
            for row, position in zip(rows, ranking.pieces, strict=True)
        ]

    def _view_and_past(self) -> tuple[View, Past]:
        """Return the files as arrays, and the commits over them; kept until the files change."""
        generation = self.store.generation()
        if self._seen is None or self._seen[0] != generation:
            view = View.of(self.store.files())
            self._seen = (generation, view, Past(self.store, view))
        return self._seen[1], self._seen[2]

    def _open(self) -> CodeStore:
        try:
            store, damage = opened_anew(lambda: CodeStore(self._path), self._path)
            if damage:
                self._built_again(damage)
        except StoreError as error:
            return self._in_memory(error)
        return store

    def _open_afresh(self, error: StoreDamaged) -> CodeStore:
        assert self._path is not None, "an index in memory cannot be damaged"
        try:
            with opening(self._path):
                remove_database(self._path)
                store = CodeStore(self._path)
        except StoreError as second:
            return self._in_memory(second)
        self._built_again(error)
        return store

    def _built_again(self, error: StoreDamaged) -> None:
        self.notices.append(f"the code index is being built again: {error}")

    def _in_memory(self, error: Exception) -> CodeStore:
        self.notices.append(f"the code index is kept in memory for now: {error}")
        return CodeStore(None)


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
