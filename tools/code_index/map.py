"""A map of a repository: the signatures that matter most, as many as fit."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..tokens import TokenCounter
from .rows import Symbol

_PRIVATE = 0.3
_MEMBER = 0.6
"""What a private name, and a member of a class, counts against a public one at module level."""
_AGAIN = 0.9
_FADED = 100
_MORE = "…"


@dataclass(frozen=True, slots=True)
class RepositoryMap:
    """Files with signatures, central ones first."""

    text: str
    tokens: int
    """Of `text`; never above what was asked for."""
    files: int
    symbols: int
    """How many are on the map."""
    of_files: int
    of_symbols: int
    """How many there are."""


def draw(
    symbols: Sequence[Symbol],
    centrality: Mapping[str, float],
    tokens: int,
    counter: TokenCounter,
    focus: Mapping[str, float] | None = None,
) -> RepositoryMap:
    """Return the map that holds the most worth within `tokens`, a ceiling.

    Args:
        symbols: All definitions of the files to be mapped.
        centrality: Of those files, see `graph.centrality`.
        tokens: Most tokens of the text, >= 0.
        counter: Counts them.
        focus: Relevance of files for a question, >= 0; multiplies their worth by up to 10.
    """
    worth = {path: rank * (1 + 9 * (focus or {}).get(path, 0.0)) for path, rank in centrality.items()}
    ranked = _ranked(symbols, worth)
    low, high = 0, len(ranked)
    best = ""
    while low <= high:  # how many symbols fit is found by halving: counting after each one would be quadratic
        middle = (low + high) // 2
        text = _drawn(ranked[:middle], worth, len(ranked))
        if counter.count(text) <= tokens:
            best, low = text, middle + 1
        else:
            high = middle - 1
    shown = ranked[: max(high, 0)] if best else []
    return RepositoryMap(
        text=best,
        tokens=counter.count(best),
        files=len({symbol.path for symbol in shown}),
        symbols=len(shown),
        of_files=len(centrality),
        of_symbols=len(symbols),
    )


def _ranked(symbols: Sequence[Symbol], worth: Mapping[str, float]) -> list[Symbol]:
    """Return symbols by worth, where each further one of a file counts less, so that no file takes all the room."""
    taken: Counter[str] = Counter()
    weighed = []
    for symbol in sorted(symbols, key=lambda symbol: (-_share(symbol), symbol.path, symbol.line)):
        value = worth.get(symbol.path, 0.0) * _share(symbol) * _AGAIN ** min(taken[symbol.path], _FADED)
        taken[symbol.path] += 1
        weighed.append((-value, symbol.path, symbol.line, symbol))
    return [symbol for *_, symbol in sorted(weighed, key=lambda row: row[:3])]


def _share(symbol: Symbol) -> float:
    name = symbol.name.rpartition(".")[2]
    share = _PRIVATE if name.startswith("_") else 1.0
    return share * _MEMBER if "." in symbol.name else share


def _drawn(symbols: Sequence[Symbol], worth: Mapping[str, float], of: int) -> str:
    by_path: dict[str, list[Symbol]] = {}
    for symbol in symbols:
        by_path.setdefault(symbol.path, []).append(symbol)
    lines: list[str] = []
    for path in sorted(by_path, key=lambda path: (-worth.get(path, 0.0), path)):
        lines.append(f"{path}:")
        for symbol in sorted(by_path[path], key=lambda symbol: symbol.line):
            indent = "  " * (1 + symbol.name.count("."))
            lines.append(f"{indent}{symbol.line} {symbol.signature}")
    if lines and len(symbols) < of:
        lines.append(_MORE)
    return "\n".join(lines)
