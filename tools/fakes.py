"""Stand-ins for the outside world that are good enough to ship: used by tests, notebooks and benchmarks."""

from datetime import UTC, datetime, timedelta


class FixedClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, start: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)) -> None:
        if start.tzinfo is None:
            raise TypeError(f"start is {start.isoformat()}: must be timezone-aware, for example with tzinfo=UTC")
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """Return the moment the clock stands at, in UTC."""
        return self._now

    def advance(self, **duration: float) -> datetime:
        """Move on by a `timedelta` given as keywords (``days=2, minutes=5``) and return the new moment."""
        self._now += timedelta(**duration)
        return self._now
