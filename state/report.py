"""What an analysis found: findings, their ranking order, and the report of one run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

Severity = Literal["critical", "high", "medium", "low", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""Worst first."""

Kind = Literal[
    "secret",
    "security",
    "import_cycle",
    "layering",
    "complex_function",
    "duplicate_code",
    "query_in_loop",
    "missing_tests",
    "hot_spot",
    "dead_code",
    "lint",
    "many_parameters",
    "large_file",
    "stale_docs",
    "undeclared_dependency",
    "unused_dependency",
    "outdated_dependency",
    "bus_factor",
    "syntax_error",
    "todo",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

Fact = str | int | float | list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Lines of a file."""

    path: str
    """Relative to the repository, with forward slashes."""
    line: int = 1
    end: int = 0
    """Last line, 1-based and included; 0 means `line`."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One problem with its evidence. Texts for people are made from `kind` and `facts` by `tools.quality.words`."""

    kind: Kind
    rule: str = ""
    """Finer than the kind where there is something finer, for example `S608`."""
    place: Place
    others: tuple[Place, ...] = ()
    """Further places it is about: the second copy, the other modules of a cycle."""
    symbol: str = ""
    """Name of the function or class, with the class around it."""
    severity: Severity
    why: str
    """Which rule set the severity: a key of `tools.quality.words.REASONS`."""
    confidence: float
    """How sure the analysis is that this is so, in [0, 1]."""
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Numbers and words of the evidence, by name."""
    evidence: str = ""
    """The line or lines it rests on, with secrets masked."""
    fingerprint: str = ""
    """The same as long as it is the same problem, wherever its lines move; filled in by the engine."""

    @property
    def rank(self) -> tuple[int, float]:
        """Return what findings are sorted by, worst and surest first."""
        return SEVERITIES.index(self.severity), -self.confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one analysis of a repository found."""

    findings: tuple[Finding, ...]
    """Ranked, without what is suppressed."""
    new: frozenset[str] = frozenset()
    """Fingerprints that the baseline does not have."""
    fixed: tuple[Finding, ...] = ()
    """In the baseline and no longer found, though their analyzer ran."""
    suppressed: int = 0
    hidden: frozenset[str] = frozenset()
    """Fingerprints of what is suppressed: still there, but not to be heard about."""
    repository_kind: str = ""
    """web application, library, monorepo, data project or application: it decides what counts as dead or public."""
    files: int = 0
    lines: int = 0
    folders: Mapping[str, int] = field(default_factory=dict)
    """Lines of source by folder."""
    read_again: int = 0
    """Files that had changed since the last analysis; the rest came from the cache."""
    problems: tuple[str, ...] = ()
    """What could not be analysed, and why."""
    head: str = ""
    """Commit that was checked out, or `""`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        plain = asdict(self)
        plain["new"], plain["hidden"] = sorted(self.new), sorted(self.hidden)
        return plain
