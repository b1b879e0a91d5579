"""The time: the one place that reads the clock of the machine."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Something that knows what time it is."""

    def now(self) -> datetime:
        """Return the present moment, timezone-aware, in UTC."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the present moment, timezone-aware, in UTC."""
        return datetime.now(UTC)
