"""The receipt of one build: what was offered, what went in, what stayed out, and by which rule."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pydantic.dataclasses import dataclass as checked


@checked(frozen=True, kw_only=True)
class SourceReport:
    """How one source did."""

    name: str
    offered: int = 0
    """Packets taken over."""
    rejected: int = 0
    """Results that were no evidence: wrong type, empty, an error text."""
    seconds: float = 0.0
    failure: str = ""
    """Why nothing, or not everything, came; `""` when all went well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One candidate and what became of it."""

    source: str
    type: str
    title: str
    """Its path and lines, or else the beginning of its first line."""
    tokens: int
    """As it is in the prompt when chosen, else of the whole text; 0 where it was never counted."""
    relevance: float
    recency: float
    score: float
    chosen: bool
    rule: str
    """Why it is in or out."""
    section: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    """What the relevance is made of: `words`, `meaning`, `source`, `caller`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """Text that compression took out of something that is in the prompt."""

    what: str
    tokens: int
    """How many tokens went."""
    rule: str
    handle: str = ""
    """Opens the whole text again; `""` where no archive was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good the context is, each part in [0, 1], with what to do about it."""

    density: float
    """Share of the prompt's tokens that is selected content."""
    relevance: float
    """Mean relevance of the selected content, weighted by tokens."""
    completeness: float
    """Share of the question's concepts, by weight, that the selected content speaks of."""
    score: float
    """Geometric mean of the three."""
    advice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one build did."""

    strategy: str
    tokenizer: str
    exact: bool
    """Whether the tokenizer counts exactly; else its counts are on the high side."""
    budget: int
    """Ceiling of the request, the reply included."""
    reply_reserve: int
    tokens: int
    """All of the request: text, tool definitions, message overhead."""
    sections: Mapping[str, int]
    """Tokens by section, `tools`, `exchanges` and `overhead`."""
    utilisation: float
    """`tokens` over what the reply's reserve leaves of the budget, in [0, 1]."""
    stable_tokens: int
    """Tokens at the start that are the same as in the build before."""
    sources: tuple[SourceReport, ...] = ()
    entries: tuple[Entry, ...] = ()
    """Chosen first, then the others by score."""
    unlisted: Mapping[str, int] = field(default_factory=dict)
    """How many further candidates were dropped, by rule."""
    removals: tuple[Removal, ...] = ()
    timings_s: Mapping[str, float] = field(default_factory=dict)
    failures: tuple[str, ...] = ()
    quality: Quality | None = None
    request: str = ""
    session: str = ""
    turn: int = 0
    step: int = 0
    mode: str = ""
    at: str = ""
    """ISO time, UTC."""
    prompt: Mapping[str, str] = field(default_factory=dict)
    """The request as it was: `system`, `user`, `exchanges` (JSON)."""

    @property
    def candidates(self) -> int:
        """Return how many packets were offered."""
        return len(self.entries) + sum(self.unlisted.values())

    @property
    def chosen(self) -> tuple[Entry, ...]:
        """Return what is in the prompt."""
        return tuple(entry for entry in self.entries if entry.chosen)

    @property
    def dropped(self) -> tuple[Entry, ...]:
        """Return what is listed as left out; `unlisted` counts the rest."""
        return tuple(entry for entry in self.entries if not entry.chosen)

    def shortened(self, dropped: int) -> "Receipt":
        """Return the receipt with at most so many dropped candidates listed, the others counted by rule."""
        out = self.dropped
        if len(out) <= dropped:
            return self
        more = dict(self.unlisted)
        for entry in out[dropped:]:
            more[entry.rule] = more.get(entry.rule, 0) + 1
        return replace(self, entries=self.chosen + out[:dropped], unlisted=more)

    def to_dict(self) -> dict[str, Any]:
        """Return the receipt as plain JSON values."""
        plain = asdict(self)
        plain["candidates"] = self.candidates
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Receipt":
        """Return the receipt that `to_dict` wrote."""
        values = {name: value for name, value in plain.items() if name != "candidates"}
        values["sources"] = tuple(SourceReport(**each) for each in plain["sources"])
        values["entries"] = tuple(Entry(**each) for each in plain["entries"])
        values["removals"] = tuple(Removal(**each) for each in plain["removals"])
        values["failures"] = tuple(plain["failures"])
        if plain["quality"] is not None:
            values["quality"] = Quality(**{**plain["quality"], "advice": tuple(plain["quality"]["advice"])})
        return cls(**values)

    def digest(self) -> str:
        """Return the receipt's id: the beginning of the SHA-256 of its canonical JSON, 32 hexadecimal digits."""
        text = json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=False, default=str)
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
