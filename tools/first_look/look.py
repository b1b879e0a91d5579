"""What a first look gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ...state.packet import ContextPacket, Need
from ...state.session import Failure, Language


@dataclass(frozen=True, kw_only=True)
class FirstLook:
    """Packets, best first, with what was counted and what went wrong on the way."""

    packets: Sequence[ContextPacket] = ()
    stats: Mapping[str, int] = field(default_factory=dict)
    failures: Sequence[Failure] = ()


class Look(Protocol):
    """Looks at a repository before anything else is gathered."""

    def __call__(self, need: Need, language: Language, /) -> FirstLook:
        """Return what the mode wants to have seen, in a language. May raise a `MaintainerError`."""
        ...
