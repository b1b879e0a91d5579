"""What a turn gives back to whoever asked."""

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from .modes import Mode
from .session import Citation, Failure, Usage

Status = Literal["finished", "interrupted", "drained", "step_limit", "time_limit", "token_limit"]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer of one turn with what stands behind it."""

    text: str
    mode: Mode
    """The mode at work; for auto the one it picked."""
    mode_reason: str = ""
    session: str
    turn: int
    status: Status = "finished"
    """All but `finished` can be resumed."""
    detail: str = ""
    """Why the turn is not finished, or what ended it early."""
    model: str = "none"
    """`"none"` when no model wrote the text."""
    citations: list[Citation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Ids of the notes this turn wrote or updated."""
    stats: dict[str, int] = field(default_factory=dict)
    receipt: str = ""
    """Id of the newest build's receipt; `maintainer context` shows it."""
    failures: list[Failure] = field(default_factory=list)
    """What went wrong on the way without ending the turn."""
    resumed: tuple[str, ...] = ()
    """Nodes that were continued after an interruption."""
    notices: tuple[str, ...] = ()
    """What the user must be told once: damage that was repaired, a writer that died, an upgrade."""
    questions: list[Any] = field(default_factory=list)
    """What an interrupted turn waits for."""
    usage: Usage = field(default_factory=Usage)
    """What all model calls of the session so far used, with their cost."""
    used: Usage = field(default_factory=Usage)
    """The same for this turn alone."""

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain JSON values."""
        plain = asdict(self)
        plain["citations"] = [each.model_dump() for each in self.citations]
        plain["failures"] = [each.model_dump() for each in self.failures]
        plain["usage"], plain["used"] = self.usage.model_dump(), self.used.model_dump()
        return plain


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened while a turn is under way."""

    kind: Literal["node", "text", "progress", "answer"]
    name: str = ""
    """The node that finished, or what is making progress."""
    text: str = ""
    """Words of the answer as they come, or a line to show."""
    answer: Answer | None = None
    """With kind `answer`: the last event of a turn."""
