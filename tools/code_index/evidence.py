"""Ranked pieces to the lines worth showing, within a number of tokens."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ..tokens import TokenCounter
from .read import code_terms
from .rows import Piece
from .worth import Worth, relevance

LINES = 26
"""Lines shown of one piece: about what an editor shows of a function beside its neighbours. Longer ones are cut to
their head and the lines that match, which lets more places into the same budget (benchmarks/retrieval.py)."""
GLIMPSE = 4
"""Lines shown of files that rank high but whose pieces did not fit."""
GLIMPSE_SHARE = 0.12
"""Part of the budget kept for glimpses."""
FILES = 15
"""Files that are glimpsed at, at most."""
_NEIGHBOURS = (0.5, 0.25)
"""What a line gets from the weight of lines one and two away."""
_HEAD = 2
"""First lines of a piece that are always shown: what it is called."""
_LEAST = 3
"""Fewer lines tell nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece that may be shown."""

    path: str
    piece: Piece
    score: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of one file, cut to what matters."""

    path: str
    spans: tuple[tuple[int, int], ...]
    """First and last line of each run, counted from 1, ascending."""
    text: str
    """The lines; where some are left out, a line ``… 57`` names the number of the next one."""
    relevance: float
    """How well it answers, in [0, 1]: comparable between questions, see `relevance`."""
    symbols: tuple[str, ...]
    """Names of the definitions shown, in the order of their lines."""
    tokens: int
    """Of `text` with its heading."""
    sha256: str
    """Of the shown lines joined by newlines."""

    @property
    def lines(self) -> str:
        """Return the spans as text, for example ``"12-40,57-60"``."""
        return ",".join(f"{start}-{end}" for start, end in self.spans)

    @property
    def place(self) -> str:
        """Return where it is, for example ``"src/app.py:12-40"``."""
        return f"{self.path}:{self.lines}"


@dataclass(slots=True)
class _Shown:
    """What is shown of one file so far."""

    score: float
    numbers: set[int] = field(default_factory=set)
    names: dict[int, str] = field(default_factory=dict)
    """Of the definitions, by their first line that is shown."""


def excerpts(
    candidates: Sequence[Candidate],
    files: Sequence[str],
    lines_of: Callable[[str], Sequence[str]],
    worth: Worth,
    tokens: int,
    counter: TokenCounter,
) -> list[Excerpt]:
    """Return excerpts in the order of their best piece, one per file, `tokens` in all at most.

    Args:
        candidates: Best first.
        files: Best first; those of which no piece fits are glimpsed at in this order.
        lines_of: The lines of a file as it is now.
        worth: What the question's words are worth.
        tokens: A ceiling, headings included.
        counter: Counts them.
    """
    shown: dict[str, _Shown] = {}
    used = 0
    for candidate in candidates:
        room = int(tokens * (1 - GLIMPSE_SHARE)) - used
        lines = lines_of(candidate.path)
        chosen = choose_lines(lines, candidate.piece, worth.lines, LINES)
        cost = _cost(candidate.path, lines, chosen, counter)
        while cost > room and len(chosen) > _LEAST:
            chosen = chosen[:-1] if cost - room < cost / 4 else chosen[: max(_LEAST, len(chosen) * 3 // 4)]
            cost = _cost(candidate.path, lines, chosen, counter)
        if cost > room:
            break
        used += _show(shown, candidate, chosen, cost)
    for candidate in _best_of_other_files(candidates, files, shown):
        lines = lines_of(candidate.path)
        chosen = choose_lines(lines, candidate.piece, worth.lines, GLIMPSE)
        cost = _cost(candidate.path, lines, chosen, counter)
        if used + cost <= tokens:
            used += _show(shown, candidate, chosen, cost)
    best = max((found.score for found in shown.values()), default=0.0)
    result = [
        _excerpt(path, found, lines_of(path), worth, best, counter)
        for path, found in shown.items()
        if found.numbers  # nothing but blank lines says nothing
    ]
    while sum(excerpt.tokens for excerpt in result) > tokens:  # joining pieces of a file may add a token or two
        result.pop()
    return result


def choose_lines(lines: Sequence[str], piece: Piece, weights: Mapping[str, float], most: int) -> list[int]:
    """Return the numbers of the lines to show of a piece: all that are not blank, or its head and the best `most`.

    A line is worth the terms it holds, and part of what the lines beside it are worth.
    """
    numbers = [n for n in range(piece.start, min(piece.end, len(lines)) + 1) if lines[n - 1].strip()]
    if len(numbers) <= most:
        return numbers
    own = [sum(weights.get(term, 0.0) for term in set(code_terms(lines[n - 1]))) for n in numbers]
    worth = [
        own[i] + sum(share * own[j] for step, share in enumerate(_NEIGHBOURS, 1) for j in _around(i, step, len(own)))
        for i in range(len(own))
    ]
    order = sorted(range(len(numbers)), key=lambda i: (i >= _HEAD, -worth[i], i))
    return sorted(numbers[i] for i in order[:most])


def spans_of(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return runs of ascending numbers as (first, last)."""
    runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    return tuple((run[0], run[-1]) for run in ([number for _, number in group] for _, group in runs))


def _around(place: int, step: int, size: int) -> Iterator[int]:
    return (other for other in (place - step, place + step) if 0 <= other < size)


def _show(shown: dict[str, _Shown], candidate: Candidate, chosen: Sequence[int], cost: int) -> int:
    found = shown.setdefault(candidate.path, _Shown(candidate.score))
    found.numbers |= set(chosen)
    if candidate.piece.name and chosen:
        found.names[chosen[0]] = candidate.piece.name
    return cost


def _best_of_other_files(
    candidates: Sequence[Candidate], files: Sequence[str], shown: Mapping[str, _Shown]
) -> list[Candidate]:
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.path, candidate)
    return [best[path] for path in files if path in best and path not in shown]


def _cost(path: str, lines: Sequence[str], chosen: Sequence[int], counter: TokenCounter) -> int:
    return _tokens(path, spans_of(chosen), _rendered(lines, chosen), counter)


def _tokens(path: str, spans: Sequence[tuple[int, int]], text: str, counter: TokenCounter) -> int:
    """Return what an excerpt costs with its heading and the line end after it."""
    return counter.count(f"{path}:{_listed(spans)}\n{text}\n")


def _listed(spans: Sequence[tuple[int, int]]) -> str:
    return ",".join(f"{start}-{end}" for start, end in spans)


def _rendered(lines: Sequence[str], chosen: Sequence[int]) -> str:
    parts: list[str] = []
    for start, end in _with_blanks(lines, spans_of(chosen)):
        if parts:
            parts.append(f"… {start}")
        parts += lines[start - 1 : end]
    return "\n".join(parts)


def _with_blanks(lines: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans with those joined that only blank lines part."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and not any(line.strip() for line in lines[joined[-1][1] : start - 1]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _excerpt(
    path: str,
    found: _Shown,
    lines: Sequence[str],
    worth: Worth,
    best: float,
    counter: TokenCounter,
) -> Excerpt:
    spans = tuple(_with_blanks(lines, spans_of(sorted(found.numbers))))
    numbers = [number for start, end in spans for number in range(start, end + 1)]
    text = _rendered(lines, numbers)
    return Excerpt(
        path=path,
        spans=spans,
        text=text,
        relevance=relevance(f"{path}\n{text}", worth, found.score / best if best > 0 else 0.0),
        symbols=tuple(dict.fromkeys(found.names[line] for line in sorted(found.names))),
        tokens=_tokens(path, spans, text, counter),
        sha256=hashlib.sha256("\n".join(lines[number - 1] for number in numbers).encode()).hexdigest(),
    )
