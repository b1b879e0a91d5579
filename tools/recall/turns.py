"""Search over all turns of a session's own line of ancestors: words and meaning, spread to what was said next to it."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

from ...state.errors import SearchError
from ...state.turns import Said, Turn
from ..archive import Archive, Line
from ..database import remove_database
from ..embeddings import Embedder
from ..search import Document, WordIndex
from ..search.hybrid import fuse
from .vectors import VectorTable

MEANING = 0.5
"""Weight of meaning against words, which weigh 1."""
SPREAD = (0.4, 0.2)
"""Shares of a message's score its neighbours at distance 1 and 2 get: the answer often stands next to the words
asked for."""
_POOL = 100
"""Messages taken from each signal."""
_OTHERS = 5
"""Times more are taken by meaning where there are other lines: that signal does not know them apart."""
_ANSWERS = 4
"""Answers remembered."""
_UNRELATED = 0.2
"""Cosine of two texts that have nothing in common."""
_LONGEST_TOOL, _LONGEST_TALK = 2_000, 8_000
"""Characters of a message that are searched by words."""
_SHORTEST_MEANT, _LONGEST_MEANT = 12, 400
"""Characters of what people and models say that is searched by meaning: more would cost more and say less; "OK." says
nothing, and listings of tools are found by their words."""
_FIELDS = {"text": 1.0}
_WORDS, _VECTORS = "words.sqlite", "vectors.sqlite"

Place = tuple[int, int]
"""Number of the turn along the line, place of the message in it."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """A message that was found."""

    turn: Turn
    place: int
    """Of the message in its turn."""
    score: float
    """In (0, 1]; 1 for the best of this answer."""

    @property
    def said(self) -> Said:
        """Return the message."""
        return self.turn.said[self.place]


class TurnIndex:
    """The messages of an archive, by words and meaning; made from the archive, and made again where it is lost.

    Args:
        archive: Where the turns are.
        folder: For the index files; made when missing.
        embedder: Tells closeness of meaning; None: words alone.

    Raises:
        StoreError: The folder cannot be used.
    """

    name = "recall"

    def __init__(self, archive: Archive, folder: Path, embedder: Embedder | None = None) -> None:
        self._archive, self._folder, self._embedder = archive, folder, embedder
        self.warnings: list[str] = []
        """What is degraded, each once: an embedder that cannot be used."""
        self._lock = RLock()
        self._open()

    def search(self, query: str, head: str, limit: int = 40, *, before: int | None = None) -> list[Recalled]:
        """Return the messages of the line that ends at `head` that fit best, best first.

        Args:
            query: What is looked for.
            head: Id of the newest turn of the line.
            limit: Most messages.
            before: Only turns with a smaller number.
        """
        line = self._archive.line(head)
        scores = self._found(query, head, line)
        ranked = sorted(scores, key=lambda place: (-scores[place], place))
        ranked = [place for place in ranked if before is None or place[0] < before][: max(limit, 0)]
        turns = self._archive.turns_numbered(line, {number for number, _ in ranked})
        best = scores[ranked[0]] if ranked else 1.0
        return [
            Recalled(turns[number], place, scores[number, place] / best)
            for number, place in ranked
            if number in turns and place < len(turns[number].said)
        ]

    def _found(self, query: str, head: str, line: Line) -> dict[Place, float]:
        """Return the scores of a line's messages; the newest answers are remembered, since two sources ask the same."""
        with self._lock:
            known = self._answers.get((query, head))
            if known is None:
                self._catch_up(line)
                known = self._spread(self._scores(query, line), line)
                self._answers[query, head] = known
                while len(self._answers) > _ANSWERS:
                    self._answers.popitem(last=False)
            return known

    def catch_up(self, head: str) -> None:
        """Index what is new on a line; `search` does so too."""
        with self._lock:
            self._catch_up(self._archive.line(head))

    def count(self, session: str) -> int:
        """Return how many messages of a session are indexed."""
        return len(self._words.passing(self._words.ids(), {"session": session}))

    def erase(self, session: str) -> None:
        """Leave nothing of a session on disk: the files are removed and made again from the archive when needed."""
        if self.count(session):
            self.close()
            for name in (_VECTORS, _WORDS):  # in this order: what is in the word index is indexed
                remove_database(self._folder / name)
            self._open()

    def close(self) -> None:
        """Close the index files."""
        self._words.close()
        if self._vectors is not None:
            self._vectors.close()

    def _open(self) -> None:
        self._words = WordIndex(self._folder / _WORDS, _FIELDS)
        self._vectors = VectorTable(self._folder / _VECTORS, self._embedder) if self._embedder else None
        self._sizes: dict[str, int] = {}
        self._answers: OrderedDict[tuple[str, str], dict[Place, float]] = OrderedDict()
        for turn, place in map(_place, self._words.ids()):
            self._sizes[turn] = max(self._sizes.get(turn, 0), place + 1)

    def _scores(self, query: str, line: Line) -> dict[Place, float]:
        among = {"session": self._archive.sessions(line)}
        signals: dict[str, Mapping[str, float]] = {
            "words": {hit.id: hit.score for hit in self._words.search(query, _POOL, among)}
        }
        if self._vectors is not None:
            try:
                alone = len(self._sizes) <= line.length
                near = self._vectors.nearest(query, _POOL if alone else _OTHERS * _POOL)
                signals["meaning"] = {key: (cosine - _UNRELATED) / (1 - _UNRELATED) for key, cosine in near.items()}
            except SearchError as error:
                self._degrade(error)
        parts = fuse(signals, {"words": 1.0, "meaning": MEANING})
        numbers = self._archive.numbers(line, {_place(key)[0] for key in parts})
        scores = {}
        for key, part in parts.items():
            turn, place = _place(key)
            if turn in numbers:
                scores[numbers[turn], place] = sum(part.values())
        return scores

    def _spread(self, scores: Mapping[Place, float], line: Line) -> dict[Place, float]:
        """Return the scores with what each message gets from its neighbours along the line."""
        around = {number + step for number, _ in scores for step in range(-len(SPREAD), len(SPREAD) + 1)}
        sizes = {number: self._sizes.get(turn, 0) for number, turn in self._archive.ids(line, around).items()}
        spread = dict(scores)
        for place, score in scores.items():
            for step in (1, -1):
                neighbour = place
                for share in SPREAD:
                    following = _next(neighbour, step, sizes)
                    if following is None:
                        break
                    neighbour = following
                    spread[neighbour] = spread.get(neighbour, 0.0) + share * score
        return spread

    def _catch_up(self, line: Line) -> None:
        """Index the turns of a line that are not indexed yet: usually one, the newest.

        The oldest first: a killed process leaves no gap behind which nobody would look.
        """
        missing: list[int] = []
        number = line.length
        while number > 0:
            ids = self._archive.ids(line, range(max(1, number - _POOL + 1), number + 1))
            unknown = [at for at, turn in ids.items() if turn not in self._sizes]
            missing += unknown
            if len(unknown) < len(ids):
                break
            number -= _POOL
        missing.sort()
        for start in range(0, len(missing), _POOL):
            self._put(list(self._archive.turns_numbered(line, missing[start : start + _POOL]).values()))

    def _put(self, turns: Sequence[Turn]) -> None:
        documents, meant = [], {}
        for turn in turns:
            for place, said in enumerate(turn.said):
                key = f"{turn.id}/{place}"
                documents.append(Document(key, {"text": _searched(said)}, {"session": turn.session}))
                if said.role != "tool" and len(said.text) >= _SHORTEST_MEANT:
                    meant[key] = said.text[:_LONGEST_MEANT]
        if self._vectors is not None:
            try:
                self._vectors.put(meant)
            except SearchError as error:
                self._degrade(error)
        self._words.put(documents)  # last: what is in the word index is indexed
        self._sizes |= {turn.id: len(turn.said) for turn in turns}

    def _degrade(self, error: SearchError) -> None:
        message = f"recall works by words alone: {error}"
        self._vectors = None
        if message not in self.warnings:
            self.warnings.append(message)


def _next(place: Place, step: int, sizes: Mapping[int, int]) -> Place | None:
    """Return the message after (1) or before (-1) another along the line, or None."""
    number, index = place
    if 0 <= index + step < sizes.get(number, 0):
        return number, index + step
    size = sizes.get(number + step, 0)
    return (number + step, 0 if step > 0 else size - 1) if size else None


def _searched(said: Said) -> str:
    if said.role == "tool":
        return f"{said.name} {said.command}\n{said.text[:_LONGEST_TOOL]}"
    return said.text[:_LONGEST_TALK]


def _place(key: str) -> tuple[str, int]:
    turn, _, place = key.rpartition("/")
    return turn, int(place)
