"""Time limits that learn: three times what like commands took, doubled once, within a floor and a ceiling."""

import threading
from collections import deque

REMEMBERED = 20
"""Runs of one kind that count; older ones are forgotten."""
TIMES = 3.0


class Pace:
    """How long commands of each kind took, and how long the next may take, in seconds."""

    def __init__(self, floor_s: float, ceiling_s: float) -> None:
        self.floor_s, self.ceiling_s = floor_s, ceiling_s
        self._seconds: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def limit(self, kind: str) -> float:
        """Return the limit for the next command of a kind: three times the average, from floor to ceiling."""
        with self._lock:
            seconds = self._seconds.get(kind)
        if not seconds:
            return self.floor_s
        return self.clamp(TIMES * sum(seconds) / len(seconds))

    def clamp(self, limit_s: float) -> float:
        """Return the limit brought between floor and ceiling."""
        return min(self.ceiling_s, max(self.floor_s, limit_s))

    def took(self, kind: str, seconds: float) -> None:
        """Remember how long a command of a kind ran, finished or not."""
        with self._lock:
            self._seconds.setdefault(kind, deque(maxlen=REMEMBERED)).append(seconds)
