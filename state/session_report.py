"""What `maintainer report` tells: one session, the repository's findings, its plan, and how the context was spent."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .report import Report
from .session import Language

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendPoint:
    """The numbers of one session's last analysis."""

    at: str
    """ISO time, UTC."""
    session: str
    head: str
    counts: dict[str, int] = field(default_factory=dict)
    """Findings by severity."""
    files: int = 0
    lines: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenLine:
    """One text that was in a prompt."""

    title: str
    source: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """One turn of the session."""

    number: int
    at: str
    """ISO time, UTC."""
    mode: str
    request: str
    answer: str
    """The beginning of it."""
    receipt: str = ""
    """Id of the turn's last receipt; `maintainer context` opens it."""
    budget: int = 0
    """Ceiling of the request in tokens; 0 where no receipt is kept."""
    tokens: int = 0
    reserve: int = 0
    """Tokens of the budget that were kept for the reply."""
    sections: Mapping[str, int] = field(default_factory=dict)
    """What filled the window, in tokens."""
    chosen: tuple[ChosenLine, ...] = ()
    """The largest texts of the last prompt."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many candidates were not in it, by rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLine:
    """One note."""

    id: str
    title: str
    type: str
    status: str
    updated_at: str
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Ids of notes and steps, by relation: supersedes, resolves, depends_on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """One step of the plan, in the order it can be done in."""

    id: str
    title: str
    status: str
    depends_on: tuple[str, ...] = ()
    ready: bool = False
    estimate: str = ""
    acceptance: str = ""
    """What has to hold for it to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReport:
    """Everything the report shows, as plain data; texts and pages are made from it."""

    repository: str
    session: str
    made_at: str
    """ISO time, UTC."""
    language: Language = "en"
    head: str = ""
    branch: str = ""
    statistics: Mapping[str, int] = field(default_factory=dict)
    """Counted by the tools themselves, over all turns of the session; `issues_found` is how many there are now."""
    usage: Mapping[str, int] = field(default_factory=dict)
    """Tokens of all model calls: input_tokens, output_tokens, cached_tokens."""
    cost: float | None = None
    """Of all model calls in US dollars; None where a price is not known."""
    quality: Report | None = None
    trend: tuple[TrendPoint, ...] = ()
    turns: tuple[TurnLine, ...] = ()
    notes: tuple[NoteLine, ...] = ()
    plan: tuple[StepLine, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be told, and why."""

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain JSON values, as `tools/reports/schema.json` describes them."""
        plain = asdict(self)
        plain["schema_version"] = SCHEMA_VERSION
        if self.quality is not None:
            plain["quality"] = self.quality.to_dict()
        return plain
