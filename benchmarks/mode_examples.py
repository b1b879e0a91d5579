"""Requests to learn auto from: those written out, and frames whose gaps are filled with things of many trades.

A frame says what is wanted and leaves open of what (`where is {thing} implemented?`). Filled with a boot loader here
and a payroll there, it teaches that the matter a request is about does not decide its mode.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
_GAP = re.compile(r"\{(\w+?)2?\}")
_FILLED = 4
"""Requests made of a frame."""
_SHARE = 0.5
"""Weight of such a request; one that was written out has 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A request and the mode it should get."""

    said: str
    kind: str
    group: str
    """The frame it was made of, or itself: what is learnt from one of a group must not be measured on another."""
    source: str
    weight: float = 1.0


def load(seed: int = 0) -> list[Example]:
    """Return all examples to learn from; the held out ones are not among them."""
    frames = [(kind, language, text) for kind, language, text in _rows("mode_frames.tsv")]
    fillings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for gap, language, text in _rows("mode_fillings.tsv"):
        fillings[gap, language].append(text.strip('"'))
    chosen = random.Random(seed)
    filled = [example for kind, language, frame in frames for example in _fill(kind, language, frame, fillings, chosen)]
    return [*requests(), *filled]


def requests(name: str = "mode_requests.tsv") -> list[Example]:
    """Return the requests of a table that were written out."""
    return [Example(said=said, kind=kind, group=said, source=name) for kind, said in _rows(name)]


def _fill(
    kind: str, language: str, frame: str, fillings: Mapping[tuple[str, str], Sequence[str]], chosen: random.Random
) -> Iterator[Example]:
    """Yield requests made of one frame; every second one of a clear mode gets a greeting or some context around it."""
    varied = "{" in frame or kind != "unclear"
    for count in range(_FILLED if varied else 1):
        said = frame
        for gap in _GAP.finditer(frame):
            of = (gap[1], "any" if gap[1] == "name" else language)
            said = said.replace(gap[0], chosen.choice([each for each in fillings[of] if each not in said]), 1)
        if kind != "unclear" and count % 2:
            around = chosen.random()
            said = chosen.choice(fillings["before", language]) + said if around < 0.7 else said
            said = said + chosen.choice(fillings["after", language]) if around > 0.5 and said[-1].isalnum() else said
        yield Example(said=said, kind=kind, group=frame, source="frames", weight=_SHARE if varied else 1.0)


def _rows(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
