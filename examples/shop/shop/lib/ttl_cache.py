"""A small cache with an expiry, for pages that were slow before the catalogue got its index."""

import time
from threading import Lock


class TTLCache:
    def __init__(self, seconds=60, size=256):
        self.seconds = seconds
        self.size = size
        self._lock = Lock()
        self._entries = {}

    def get(self, key, default=None):
        with self._lock:
            value, until = self._entries.get(key, (default, 0))
        if until < time.monotonic():
            return default
        return value

    def put(self, key, value):
        with self._lock:
            if len(self._entries) >= self.size:
                oldest = min(self._entries, key=lambda each: self._entries[each][1])
                del self._entries[oldest]
            self._entries[key] = (value, time.monotonic() + self.seconds)

    def clear(self):
        with self._lock:
            self._entries.clear()
