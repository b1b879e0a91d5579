"""Where full outputs are kept, so that a shortened one can be read again by its handle."""

import hashlib
from collections import OrderedDict
from typing import Protocol

from ...state.errors import UnknownHandle


class OriginalStore(Protocol):
    """A place for texts, addressed by what is in them; the archive is one."""

    def put(self, text: str) -> str:
        """Keep a text and return its handle; the same text has the same handle."""
        ...

    def get(self, handle: str) -> str:
        """Return a text.

        Raises:
            UnknownHandle: No text has this handle.
        """
        ...


class RecentOriginals:
    """The newest texts, in memory only: for a terminal that was given no archive."""

    def __init__(self, max_characters: int = 32 * 2**20) -> None:
        self._max_characters = max_characters
        self._texts: OrderedDict[str, str] = OrderedDict()

    def put(self, text: str) -> str:
        """Keep a text and return its handle; the oldest ones make room."""
        handle = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._texts[handle] = text
        self._texts.move_to_end(handle)
        while len(self._texts) > 1 and sum(map(len, self._texts.values())) > self._max_characters:
            self._texts.popitem(last=False)
        return handle

    def get(self, handle: str) -> str:
        """Return a text.

        Raises:
            UnknownHandle: It was never kept, or made room for newer ones.
        """
        if handle not in self._texts:
            raise UnknownHandle(handle)
        return self._texts[handle]
