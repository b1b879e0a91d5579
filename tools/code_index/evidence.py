"""Ranked pieces to the lines worth showing, within a number of tokens."""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ..search.text import has_cjk
from ..tokens import TokenCounter
from .read import code_terms
from .rows import Piece

LINES = 26
"""Lines shown of one piece: about what an editor shows of a function beside its neighbours. Longer ones are cut to
their head and the lines that match, which lets more places into the same budget (benchmarks/retrieval.py)."""
GLIMPSE = 4
"""Lines shown of files that rank high but whose pieces did not fit."""
GLIMPSE_SHARE = 0.12
"""Part of the budget kept for glimpses."""
GLIMPSE_FILES = 15
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
    """Names of the definitions shown."""
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

    numbers: set[int]
    score: float
    symbols: dict[str, None]
    tokens: int = 0


def excerpts(
    candidates: Sequence[Candidate],
    lines_of: Callable[[str], Sequence[str]],
    weights: Mapping[str, float],
    tokens: int,
    counter: TokenCounter,
) -> list[Excerpt]:
    """Return excerpts in the order of their best piece, one per file, `tokens` in all at most.

    Args:
        candidates: Best first.
        lines_of: The lines of a file as it is now.
        weights: What a term is worth, to tell the lines that match.
        tokens: A ceiling, headings included.
        counter: Counts them.
    """
    shown: dict[str, _Shown] = {}
    used = 0
    for candidate in candidates:
        room = int(tokens * (1 - GLIMPSE_SHARE)) - used
        lines = lines_of(candidate.path)
        chosen = choose_lines(lines, candidate.piece, weights, LINES)
        cost = _cost(candidate.path, lines, chosen, counter)
        while cost > room and len(chosen) > _LEAST:
            chosen = chosen[:-1] if cost - room < cost / 4 else chosen[: max(_LEAST, len(chosen) * 3 // 4)]
            cost = _cost(candidate.path, lines, chosen, counter)
        if cost > room:
            break
        used += _show(shown, candidate, chosen, cost)
    for candidate in _best_of_other_files(candidates, shown):
        lines = lines_of(candidate.path)
        chosen = choose_lines(lines, candidate.piece, weights, GLIMPSE)
        cost = _cost(candidate.path, lines, chosen, counter)
        if used + cost <= tokens:
            used += _show(shown, candidate, chosen, cost)
    best = max((found.score for found in shown.values()), default=0.0)
    result = [
        _excerpt(path, found, lines_of(path), weights, best, counter)
        for path, found in shown.items()
        if found.numbers  # nothing but blank lines says nothing
    ]
    while sum(excerpt.tokens for excerpt in result) > tokens:  # joining pieces of a file may add a token or two
        result.pop()
    return result


def term_weights(weights: Mapping[str, float], frequency: Mapping[str, int], pieces: int) -> dict[str, float]:
    """Return what a term is worth in a line: its weight in the question times its idf.

    Words that stand nowhere in the index are kept, since an answer that lacks them answers less; guesses at
    identifiers and Chinese, which has its translations beside it, are not.
    """
    return {
        term: weight * math.log1p(pieces / (1 + frequency.get(term, 0)))
        for term, weight in weights.items()
        if term in frequency or not (term.startswith("=") or has_cjk(term))
    }


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
    found = shown.setdefault(candidate.path, _Shown(set(), candidate.score, {}))
    found.numbers |= set(chosen)
    if candidate.piece.name:
        found.symbols.setdefault(candidate.piece.name)
    return cost


def _best_of_other_files(candidates: Sequence[Candidate], shown: Mapping[str, _Shown]) -> list[Candidate]:
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.path, candidate)
    return [candidate for path, candidate in list(best.items())[:GLIMPSE_FILES] if path not in shown]


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


def relevance(text: str, weights: Mapping[str, float], relative: float) -> float:
    """Return how well a text answers, in [0, 1]: sqrt(c) * (1 + r) / 2.

    c is the share of the question's worth whose terms stand in the text, r its score against the best (at least 0).
    Chinese terms and the others are shares of their own, the larger counts: an answer in either language is one.
    """
    there = set(code_terms(text))
    share = 0.0
    for chinese in (False, True):
        own = {term: weight for term, weight in weights.items() if has_cjk(term) == chinese}
        total = sum(own.values())
        if total > 0:
            share = max(share, sum(weight for term, weight in own.items() if term in there) / total)
    return math.sqrt(share) * (1 + max(0.0, min(relative, 1.0))) / 2


def _excerpt(
    path: str,
    found: _Shown,
    lines: Sequence[str],
    weights: Mapping[str, float],
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
        relevance=relevance(f"{path}\n{text}", weights, found.score / best if best > 0 else 0.0),
        symbols=tuple(found.symbols),
        tokens=_tokens(path, spans, text, counter),
        sha256=hashlib.sha256("\n".join(lines[number - 1] for number in numbers).encode()).hexdigest(),
    )
