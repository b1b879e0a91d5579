"""What the RAG tool gives back."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...state.session import Citation
from ..code_index.evidence import Excerpt
from ..files import in_one_line

CODE = "code"
"""The namespace of the repository itself."""
TAIL = 0.5
"""Passages that answer less than this share as well as the best are no matches: one in twenty of them is a place in
question."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that answer, and where they stand."""

    path: str
    """Relative to the repository; of an added document: its name."""
    lines: str
    """For example ``"12-40,57-60"``, counted from 1, both ends included."""
    text: str
    """The lines; where some are left out, a line ``… 57`` names the number of the next one."""
    score: float
    """How well they answer, in [0, 1]."""
    namespace: str
    symbols: tuple[str, ...]
    """Names of the definitions shown, in the order of their lines."""
    sha256: str
    """Of the shown lines joined by newlines."""
    tokens: int

    @property
    def place(self) -> str:
        """Return where it is, in one line, for example ``"src/app.py:12-40"``."""
        return f"{in_one_line(self.path)}:{self.lines}"

    def citation(self) -> Citation:
        """Return the first run of lines as a citation."""
        start, _, end = self.lines.partition(",")[0].partition("-")
        return Citation(path=self.path, line=int(start), end=int(end))


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer made of evidence alone."""

    text: str
    citations: tuple[Citation, ...]
    passages: tuple[Passage, ...]
    notices: tuple[str, ...] = ()
    """What makes it less than it could be."""


def passage(excerpt: Excerpt, namespace: str, prefix: str = "") -> Passage:
    """Return an excerpt as a passage; `prefix` is taken off its path."""
    return Passage(
        path=excerpt.path.removeprefix(prefix),
        lines=excerpt.lines,
        text=excerpt.text,
        score=round(excerpt.relevance, 4),
        namespace=namespace,
        symbols=excerpt.symbols,
        sha256=excerpt.sha256,
        tokens=excerpt.tokens,
    )


def nothing(*, chinese: bool) -> str:
    """Return how it is said that nothing was found."""
    return "没有找到相关内容。" if chinese else "Nothing in the index answers this."


def answer(passages: Sequence[Passage], notices: Sequence[str], *, chinese: bool) -> Answer:
    """Return what was found as an answer: places first, best first, with what stands there; no model is asked."""
    if not passages:
        return Answer(nothing(chinese=chinese), (), (), tuple(notices))
    head = "最相关的位置:" if chinese else "The most relevant places:"
    lines = [head]
    for number, found in enumerate(passages, 1):
        names = f" ({', '.join(found.symbols[:3])})" if found.symbols else ""
        lines.append(f"{number}. {found.place}{names}")
    lines += ["", *(f"[{number}] {found.place}\n{found.text}\n" for number, found in enumerate(passages, 1))]
    return Answer("\n".join(lines).rstrip(), tuple(p.citation() for p in passages), tuple(passages), tuple(notices))


def as_data(found: Passage) -> dict[str, Any]:
    """Return a passage as plain JSON values."""
    return {**asdict(found), "symbols": list(found.symbols), "place": found.place}
