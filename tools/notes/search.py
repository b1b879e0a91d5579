"""Find notes by the user's own sentence: words and meaning, English and Chinese, one wrong letter forgiven."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath
from threading import Lock, Thread

from ...state.errors import SearchError, StoreError
from ...state.notes import Note
from ..database import opened_anew
from ..embeddings import Embedder
from ..search import Document
from ..search.hybrid import VECTOR_WEIGHT, fuse
from .index import NoteIndex
from .vectors import NoteVectors, vectors_name
from .words import FIELDS, NoteWords

_AT_ONCE = 64
"""Notes embedded before an answer; what is more is embedded beside the answers, newest first."""
_BATCH = 1000
"""Notes put into the word index at once."""
_MEANING_CHARACTERS = 2000
"""Of the text that are embedded: what a note is about stands at its beginning."""

_MORE_WORDS = 10
_MORE_VECTORS = 5
"""Candidates beyond the wanted notes: added to those found by words, times those found by meaning, which are cheap."""

Among = Mapping[str, str | Collection[str]]
Load = Callable[[str], Note | None]
"""Returns the note of an id, or None where it is gone."""


class NoteSearch:
    """Ranked search that follows a `NoteIndex`; what it knows is kept in `cache` and may be deleted any time.

    One thread at a time; the vectors of many new notes are made by a thread of its own.

    Args:
        cache: Folder of its files, made when missing; None keeps everything in memory.
        embedder: For meaning; None: words alone.
    """

    def __init__(self, cache: Path | None, embedder: Embedder | None) -> None:
        self.trouble = ""
        """Why search by meaning has stopped, in words; empty while all is well."""
        words = cache / "words.sqlite" if cache else None
        vectors = cache / vectors_name(embedder) if cache and embedder else None
        self._words, damage = opened_anew(lambda: NoteWords(words, FIELDS), words)
        self.damage = [str(damage)] if damage else []
        """Which of its files were damaged and are built again."""
        self._vectors: NoteVectors | None = None
        if embedder:
            self._vectors, damage = opened_anew(lambda: NoteVectors(vectors, embedder), vectors)
            self.damage += [str(damage)] if damage else []
        self._documents: dict[str, str] | None = None
        self._waiting: list[str] = []
        self._under_way = 0
        self._taking = Lock()
        self._helper: Thread | None = None
        self._closed = False

    @property
    def waiting(self) -> int:
        """Return how many notes are found by their words only, because their vectors are still being made."""
        return len(self._waiting) + self._under_way

    def close(self) -> None:
        """Stop the work at hand and close the files."""
        self._closed = True
        if self._helper:
            self._helper.join()
        self._words.close()
        if self._vectors:
            self._vectors.close()

    def follow(self, index: NoteIndex, load: Load) -> None:
        """Take in what changed in the index since the last call; everything at the first.

        Args:
            index: Fresh rows.
            load: Gives the text of a note; also called from another thread, later.
        """
        changed = self._first_changes(index) if self._documents is None else list(index.touched)
        index.touched.clear()
        for start in range(0, len(changed), _BATCH):
            self._take(changed[start : start + _BATCH], index, load)
        self._embed(load)

    def overtaken(self, index: NoteIndex) -> bool:
        """Return whether a note has changed since `follow`: another process may have removed the state known here.

        Args:
            index: Fresh rows.
        """
        documents = self._documents or {}
        return any(documents[key] != _document(key, index.stamp(key)) for key in index.touched & documents.keys())

    def search(self, query: str, limit: int, among: Among, weigh: Callable[[str], float]) -> list[str]:
        """Return the ids of the best notes, best first.

        Args:
            query: A sentence or words, English or Chinese.
            limit: How many at most.
            among: Filters as in `SearchIndex.search`, by ``type``, ``status``, ``tag`` and ``path``.
            weigh: Gives the weight of a note in this answer, from 0 (not in it) to 1.
        """
        documents = self._documents or {}
        asked = limit
        while True:
            scores = self._scores(query, asked, among)
            named = {  # another process may have put an earlier or later state of a note there, too
                key: score for name, score in scores.items() if documents.get(key := name.rpartition("@")[0]) == name
            }
            weighed = {key: score * weigh(key) for key, score in named.items()}
            kept = sorted((key for key, score in weighed.items() if score > 0), key=lambda key: (-weighed[key], key))
            if len(kept) >= limit or len(scores) < asked:
                return kept[:limit]
            asked *= 4

    def _scores(self, query: str, limit: int, among: Among) -> dict[str, float]:
        """Return at least `limit` documents, if there are so many, with the sum of their scores."""
        signals = {"words": {hit.id: hit.score for hit in self._words.search(query, limit + _MORE_WORDS, among)}}
        if self._vectors and not self.trouble:
            try:
                signals["meaning"] = self._vectors.nearest(query, limit * _MORE_VECTORS)
            except SearchError as error:
                self.trouble = f"notes are found by their words only: {error}"
        parts = fuse(signals, {"words": 1.0, "meaning": VECTOR_WEIGHT})
        return {name: sum(part.values()) for name, part in parts.items()}

    def _first_changes(self, index: NoteIndex) -> list[str]:
        """Drop what is outdated in the files of an earlier run and return the ids it does not know, newest first."""
        known = self._words.ids()
        embedded = self._vectors.ids() if self._vectors else set()
        index.refresh()  # after that: what another process has indexed meanwhile is not outdated
        keys = index.ids()
        names = {key: _document(key, index.stamp(key)) for key in keys}
        wanted = set(names.values())
        self._words.remove(known - wanted)
        self._documents = {key: name for key, name in names.items() if name in known}
        if self._vectors:
            self._vectors.remove(embedded - wanted)
            self._waiting += [key for key, name in self._documents.items() if name not in embedded]
        return [key for key in keys if key not in self._documents]

    def _take(self, keys: Sequence[str], index: NoteIndex, load: Load) -> None:
        documents = self._documents if self._documents is not None else {}
        names = {key: _document(key, index.stamp(key)) for key in keys if index.get(key)}
        # a state that stands there already stays untouched: while it were written anew, other processes would miss it
        notes = {key: note for key, name in names.items() if documents.get(key) != name and (note := load(key))}
        outdated = [name for key in keys if (name := documents.get(key)) and name != names.get(key)]
        self._words.put(Document(names[key], _fields(note), _filters(note)) for key, note in notes.items())
        self._words.remove(outdated)
        for key in keys:
            if documents.get(key) != names.get(key):
                documents.pop(key, None)
        documents |= {key: names[key] for key in notes}
        if self._vectors:
            self._vectors.remove(outdated)
            self._waiting += notes

    def _embed(self, load: Load) -> None:
        """Make the vectors that are missing: a few at once, more beside the answers."""
        if not self._vectors or self.trouble:
            self._waiting.clear()
        elif len(self._waiting) <= _AT_ONCE:
            self._embed_some(load)
        elif not (self._helper and self._helper.is_alive()):
            import numpy  # noqa: F401 - before the thread: two that load it at once may meet it half loaded

            self._helper = Thread(target=self._embed_all, args=(load,), name="note vectors", daemon=True)
            self._helper.start()

    def _embed_all(self, load: Load) -> None:
        while self._waiting and not self._closed and not self.trouble:
            self._embed_some(load)

    def _embed_some(self, load: Load) -> None:
        with self._taking:  # the helper takes from the list, too
            keys = self._waiting[:_AT_ONCE]
            del self._waiting[: len(keys)]
            self._under_way += len(keys)
        documents = self._documents or {}
        try:
            texts = {documents[key]: _meaning(note) for key in keys if key in documents and (note := load(key))}
            if self._vectors:
                self._vectors.put(texts)
        except (SearchError, StoreError) as error:
            self.trouble = f"notes are found by their words only: {error}"
        finally:
            with self._taking:
                self._under_way -= len(keys)


def _document(key: str, stamp: int) -> str:
    """Return the name of one state of a note: what is indexed under it never changes."""
    return f"{key}@{stamp:x}"


def _fields(note: Note) -> dict[str, str]:
    return {
        "title": note.title,
        "tags": " ".join(note.tags),
        "body": note.content,
        "paths": "\n".join(source.path for source in note.sources),
    }


def _filters(note: Note) -> dict[str, str | list[str]]:
    places = [PurePosixPath(source.path) for source in note.sources]
    return {
        "type": str(note.type),
        "status": str(note.status),
        "tag": [tag.lower() for tag in note.tags],
        "path": [str(path) for place in places for path in (place, *place.parents)],
    }


def _meaning(note: Note) -> str:
    return f"{note.title}\n{note.content[:_MEANING_CHARACTERS]}"
