"""What may enter the prompt: packets, and the need they are gathered for."""

import math
from collections.abc import Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol

from pydantic import AfterValidator, BeforeValidator
from pydantic.dataclasses import dataclass

from .modes import Mode


def _to_utc(value: Any) -> Any:
    """Read ISO strings, and take a time without a zone as UTC."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return value


def _to_share(value: float | None) -> float | None:
    """Bring a score into [0, 1]; not-a-number is refused."""
    if value is None:
        return None
    if math.isnan(value):
        raise ValueError("relevance_score is not a number: give a value in [0, 1], or None where nobody has scored it")
    return min(1.0, max(0.0, value))


UtcTime = Annotated[datetime, BeforeValidator(_to_utc)]
"""An aware datetime in UTC; naive datetimes and ISO strings are accepted and normalised."""


@dataclass(frozen=True)
class ContextPacket:
    """A text with what is needed to decide whether it is worth its tokens."""

    content: str
    timestamp: UtcTime | None = None
    """When the text was made; None means "now"."""
    token_count: int = 0
    """Length in tokens as its maker believes; always counted again before it is used."""
    relevance_score: Annotated[float | None, AfterValidator(_to_share)] = None
    """Closeness to the task in [0, 1] (values outside are brought to the nearer end), or None while nobody has
    scored it."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """`type` (decides the section), `source` (who brought it), and provenance such as `path`, `lines`,
    `note_id`, `turn`. Plain JSON values only: a packet is part of a checkpoint."""

    @property
    def type(self) -> str:
        """Return the kind of packet, for example ``"note"``; ``"custom"`` where none is given."""
        return str(self.metadata.get("type") or "custom")

    @property
    def source(self) -> str:
        """Return who brought the packet, for example ``"rag"``; its type where none is given."""
        return str(self.metadata.get("source") or self.type)


@dataclass(frozen=True)
class Need:
    """What a context is being built for; the only thing a source gets to see."""

    text: str
    """The newest request, verbatim."""
    mode: Mode = "explore"
    session: str = ""
    turn: int = 0
    goal: str = ""
    """The session's first request, verbatim."""
    head: str = ""
    """Archive id of the newest finished turn on the session's own line; `""` before the first."""
    terms: tuple[str, ...] = ()
    """Further search terms for `text`, from a model: they may lead to a place and are not asked for in it."""


class PacketSource(Protocol):
    """Something that can offer packets for a need: notes, memory, code, history, other servers."""

    @property
    def name(self) -> str:
        """Return the name shown in receipts."""
        ...

    @property
    def timeout_s(self) -> float:
        """Return how long a build waits for this source, in seconds."""
        ...

    def packets(self, need: Need) -> Sequence[ContextPacket]:
        """Return what may help, best first. May raise: a failure costs this source's evidence only."""
        ...
