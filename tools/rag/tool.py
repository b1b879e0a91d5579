"""The RAG tool: the repository and added documents, searched, asked, kept up to date beside the answers."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from ...state.errors import ConfigError, SearchError
from ...state.urls import check_server
from ..code_index.history import CommitSource
from ..code_index.index import CodeIndex
from ..code_index.keeper import Refreshed
from ..code_index.question import understand
from ..code_index.ranking import EVERYTHING, Among
from ..embeddings import Embedder, open_embedder
from ..home import open_home, open_repository
from ..search.text import has_cjk
from ..tokens import TokenCounter, open_counter
from . import commands
from .answers import CODE, TAIL, Answer, Passage, answer, passage
from .background import Background
from .documents import Documents, read_text
from .meaning import Meaning

TOKENS_PER_HIT = 400
MIN_SCORE = 0.3
"""Passages that answer less well are left out of `search` (contract of the RAG source), and the weak `TAIL`."""
_WAIT_S = 10.0
"""How long a search waits for the words to be up to date; then it answers from what is there, and says so."""

Progress = Callable[[int, int], None]


class RAGTool:
    """Finds the lines of a repository, and of added documents, that answer a question in English or Chinese.

    Words are indexed first and answer at once; vectors catch up in the background where there is an embedder.

    Args:
        workspace: The repository.
        home: Where the indexes are kept; by default ``.maintainer/index`` in the repository.
        embedder: For search by meaning: an embedder, or what `open_embedder` accepts; None or ``"none"``: words alone.
        key: Of the endpoint `embedder` names, if it is one.
        server: URL of a Chroma server for the vectors, instead of files in `home`.
        commits: Who knows the repository's history, for example `tools.git.Git`; None: no signal from past commits.
        counter: Counts tokens; by default the exact one.
        progress: Called with (done, to do) while vectors are made.

    Raises:
        ConfigError: A setting has a wrong value.
        RepositoryError: The repository cannot be opened.
    """

    def __init__(
        self,
        workspace: Path | str,
        *,
        home: Path | str | None = None,
        embedder: Embedder | str | None = "default",
        key: str = "",
        server: str = "",
        commits: CommitSource | None = None,
        counter: TokenCounter | None = None,
        progress: Progress | None = None,
    ) -> None:
        import numpy  # noqa: F401 - before any thread: two that load it at once may meet it half loaded

        if server:
            check_server("server", server)
        repo = open_repository(workspace)
        folder = Path(home) if home is not None else open_home(repo, None) / "index"
        self.index = CodeIndex(repo, folder, commits=commits)
        self.documents = Documents(folder / "documents")
        self.counter = counter or open_counter()
        chosen = open_embedder(embedder, key) if isinstance(embedder, str) else embedder
        self._meaning = Meaning(folder / "chroma", chosen, server=server) if chosen is not None else None
        self._progress = progress or (lambda _done, _of: None)
        self._words = Background(self._refresh_words, "maintainer-index-words")
        self._vectors = Background(self._catch_up, "maintainer-index-vectors")
        self._last: Refreshed | None = None
        self._to_read = 0
        """Files of a refresh at work that are new or changed, and not read yet."""
        self._question = ""

    def __enter__(self) -> "RAGTool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop background work and close the files."""
        self._words.close()
        self._vectors.close()
        if self._meaning is not None:
            self._meaning.close()
        self.documents.close()
        self.index.close()

    @property
    def notices(self) -> list[str]:
        """Return what the user should know of: what works less well than it should, and why."""
        found = [*self.index.notices, *(self._meaning.notices if self._meaning is not None else [])]
        if not self._words.wait(0) and (missing := self._may_miss()):
            found.append(f"the index is still being brought up to date: {missing} may be missing")
        if self._words.failure:
            found.append(f"the index is not up to date: {self._words.failure}")
        if self._vectors.failure:
            found.append(f"search by words alone: {self._vectors.failure}")
        return found

    def _may_miss(self) -> str:
        """Return what a search does not find yet, `""` where files are only looked at for new changes."""
        if self._to_read or self.index.store.generation() == 0:
            return "some files"
        return "" if self._last else "the newest changes"

    def refresh(self, *, vectors: bool = False) -> Refreshed:
        """Bring the index of words up to date and return what was done; with `vectors`, the vectors too.

        Raises:
            StoreError: The index cannot be written.
        """
        self._last = self.index.refresh(self._progress)
        if vectors and self._meaning is not None:
            self._vectors.ask()
            self._vectors.wait()
        return self._last

    def catch_up(self, timeout_s: float, question: str = "") -> bool:
        """Start bringing the index up to date in the background and return whether the words are done in time.

        Files that `question` asks for are read first.
        """
        self._question = question
        self._words.ask()
        return self._words.wait(timeout_s)

    def add(self, text: str = "", title: str = "", *, path: Path | str | None = None, namespace: str = "docs") -> str:
        """Keep a text, or a copy of a file, beside the repository and return its name.

        Raises:
            ConfigError: Neither text nor path is given, or a value is wrong.
            SearchError: The file cannot be read as text.
        """
        if namespace == CODE:
            raise ConfigError("namespace", namespace, "is the repository itself; name another")
        if path is not None:
            file = Path(path)
            text, title = read_text(file), title or file.stem
        return self.documents.add(text, title, namespace)

    def search(
        self,
        query: str,
        limit: int = 5,
        *,
        min_score: float = MIN_SCORE,
        namespace: str = "",
        among: Among = EVERYTHING,
    ) -> list[Passage]:
        """Return the passages that answer best, best first, one per file.

        Args:
            query: A question, an error, an identifier; English or Chinese.
            limit: Most passages, from 1 to 50.
            min_score: Passages below are left out, in [0, 1]; so are those less than half as good as the best.
            namespace: ``"code"`` for the repository alone, another for its documents alone; empty for all.
            among: Which of the repository's files, by role and language.

        Raises:
            ConfigError: A value is wrong.
        """
        if not query.strip():
            raise ConfigError("query", query, "must hold a word to search for")
        if not 1 <= limit <= 50:
            raise ConfigError("limit", limit, "must be a whole number from 1 to 50")
        if not 0.0 <= min_score <= 1.0:
            raise ConfigError("min_score", min_score, "must be in [0, 1]")
        self.catch_up(_WAIT_S)
        found = self.within(query, limit * TOKENS_PER_HIT, namespace=namespace, among=among)
        least = max(min_score, TAIL * max((each.score for each in found), default=0.0))
        return [each for each in found if each.score >= least][:limit]

    def within(
        self, query: str, tokens: int, *, namespace: str = "", among: Among = EVERYTHING, terms: Collection[str] = ()
    ) -> list[Passage]:
        """Return the passages that answer best, `tokens` in all at most, from the index as it is now.

        `terms` are further search terms, as `tokenize` makes them, that may lead to a place.
        """
        found: list[Passage] = []
        if namespace in ("", CODE):
            excerpts = self.index.evidence(
                query, tokens, self.counter, similar=self._similar(query), among=among, terms=terms
            )
            found += [passage(excerpt, CODE) for excerpt in excerpts]
        documents = self.documents.index() if namespace != CODE else None
        if documents is not None:
            for excerpt in documents.evidence(query, tokens, self.counter, terms=terms):
                space = excerpt.path.partition("/")[0]
                if namespace in ("", space):
                    found.append(passage(excerpt, space, f"{space}/"))
        found.sort(key=lambda each: -each.score)
        return _within(found, tokens)

    def ask(self, question: str, limit: int = 5) -> Answer:
        """Return the best passages as an answer with citations; no model is asked."""
        return answer(self.search(question, limit), self.notices, chinese=has_cjk(question))

    def stats(self) -> dict[str, Any]:
        """Return what the index holds, as plain JSON values."""
        counts = self.index.store.counts()
        meaning = self._meaning
        return {
            **counts,
            "documents": self.documents.namespaces(),
            "skipped": {each.path: each.reason for each in (self._last.skipped if self._last else ())},
            "problems": dict(self._last.problems) if self._last else {},
            "vectors": {"done": meaning.done, "of": meaning.wanted} if meaning is not None else None,
            "notices": self.notices,
        }

    def clear(self, namespace: str, *, confirm: bool = False) -> int:
        """Delete one namespace and return how many documents or files it had; ``"code"`` is built again when asked.

        Raises:
            ConfigError: Not confirmed.
            SearchError: There is no such namespace.
        """
        if not confirm:
            raise ConfigError("confirm", confirm, f"must be True: this deletes the namespace {namespace!r}")
        if namespace != CODE:
            return self.documents.clear(namespace)
        paths = [file.path for file in self.index.store.files()]
        self.index.store.remove(paths)
        return len(paths)

    def run(self, request: Mapping[str, Any]) -> Any:
        """Do what a dictionary asks: ``{"action": "search", "query": …, "limit": 3}``; see `commands`."""
        return commands.run(self, request)

    def _similar(self, query: str) -> dict[str, float]:
        if self._meaning is None or not understand(query).by_meaning:
            return {}
        try:
            return self._meaning.similar(query)
        except SearchError as error:
            self._vectors.failure = str(error)
            return {}

    def _refresh_words(self, _stop: Callable[[], bool]) -> None:
        self._last = self.index.refresh(self._count_down, self._question)
        self._vectors.ask()

    def _count_down(self, done: int, of: int) -> None:
        self._to_read = of - done

    def _catch_up(self, stop: Callable[[], bool]) -> None:
        if self._meaning is not None:
            self._meaning.catch_up(self.index, stop, self._progress)


def _within(found: list[Passage], tokens: int) -> list[Passage]:
    kept, used = [], 0
    for each in found:
        if used + each.tokens <= tokens:
            kept.append(each)
            used += each.tokens
    return kept
