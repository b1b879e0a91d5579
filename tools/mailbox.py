"""What the user says while a turn is under way: kept as files until a step has heard it, from any process."""

import hashlib
import uuid
from collections.abc import Collection, Mapping
from pathlib import Path

from .clock import Clock
from .files import explained, make_folder, remove, write_atomic
from .secrets import mask


class Mailbox:
    """Messages to sessions, in the order they were sent.

    Args:
        folder: Made with the first message.
        clock: Orders them.
    """

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._clock = folder, clock

    def post(self, session: str, text: str) -> str:
        """Keep a message for a session and return its id; secrets in it are masked.

        Raises:
            StoreError: It cannot be written.
        """
        id_ = f"{self._clock.now():%Y%m%d%H%M%S%f}_{uuid.uuid4().hex[:8]}"
        write_atomic(make_folder(self._box(session)) / f"{id_}.txt", mask(text).encode())
        return id_

    def take(self, session: str, heard: Collection[str] = ()) -> Mapping[str, str]:
        """Return the messages by id, oldest first, without those in `heard`; those are removed.

        So a message goes only after a checkpoint holds its id: a crash between loses nothing.

        Raises:
            StoreError: The folder cannot be read.
        """
        box, found = self._box(session), {}
        with explained("read", box):
            for path in sorted(box.glob("*.txt")):
                if path.stem in heard:
                    remove(path)
                else:
                    found[path.stem] = path.read_text("utf-8")
        return found

    def count(self, session: str) -> int:
        """Return how many messages wait for a session."""
        return len([*self._box(session).glob("*.txt")])

    def erase(self, session: str) -> None:
        """Remove the messages that wait for a session.

        Raises:
            StoreError: One cannot be removed.
        """
        for path in self._box(session).glob("*.txt"):
            remove(path)

    def _box(self, session: str) -> Path:
        return self._folder / hashlib.sha256(session.encode()).hexdigest()[:16]
