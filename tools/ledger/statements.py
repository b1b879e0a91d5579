"""Text to statements: sentences, each with the short ones that only complete it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from .cues import without_lead_in

_COMMAND = re.compile(r"(?:^|(?<=[\s.:。：]))\$ .*$", re.M)
_FENCE = re.compile(r"^```.*?^```[^\n]*$", re.M | re.S)
_ENDS = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)(?<!\d\.)\s+|(?<=\d\.)\s+(?=[A-Z`])"
    r"|(?<=[。！？])\s*|\n+"
)
_SHORTEST = 3
"""Characters; a lead-in with less behind it is the sentence itself."""
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)、])\s+(?:\[[ xX>~]\]\s+)?")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a text."""

    text: str
    """Verbatim, without lead-in ("By the way:") and list marks."""
    following: str = ""
    """The sentence after it, verbatim: it may complete or dismiss this one."""
    apart: bool = False
    """The sentence after it begins with a lead-in: it speaks of something else."""


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, without code blocks and commands that are only announced."""
    plain = _COMMAND.sub("", _FENCE.sub("\n", text))
    parts = (_ITEM.sub("", part.strip()) for part in _ENDS.split(plain))
    return tuple(part for part in parts if part and not part.isspace())


def statements(text: str) -> list[Statement]:
    """Return the statements of a text in order, each with the sentence that follows it."""
    said = sentences(text)
    parts = [_without_lead_in(part) for part in said]
    apart = [part != whole for part, whole in zip(parts, said, strict=True)]
    following = zip([*parts[1:], ""], [*apart[1:], False], strict=True)
    return [Statement(part, *after) for part, after in zip(parts, following, strict=True) if part]


def _without_lead_in(sentence: str) -> str:
    shorter = without_lead_in(sentence)
    return shorter if len(shorter) > _SHORTEST else sentence
