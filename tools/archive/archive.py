"""The archive: every turn, tool result and prompt of every session, kept whole, outside the checkpoint."""

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...state.errors import StoreError, UnknownHandle
from ...state.turns import Turn
from ..files import locked, make_folder
from ..secrets import mask
from .catalogue import Line
from .erase import belongings
from .log import SEGMENT_BYTES, Log, Position, Record
from .records import Excerpt, excerpt, handle_of, text_record, turn_of, turn_record
from .recovery import catch_up, open_catalogue

_GONE = "[this text can no longer be read: its record in the archive is damaged]"


class Archive:
    """Append-only, content-addressed: a log that is the truth, a catalogue made from it.

    Secrets are masked before a text is kept. Several processes may use one folder. `warnings` says, each once, what was
    found: a torn tail that was cut off, records whose checksum is wrong. A line of turns is read past its damage.

    Raises:
        StoreError: The folder cannot be made, read or written.
    """

    def __init__(self, folder: Path, *, segment_bytes: int = SEGMENT_BYTES) -> None:
        self._folder = make_folder(folder)
        self._log = Log(folder / "log", segment_bytes=segment_bytes)
        self._lock = threading.RLock()
        self._held = False
        self.warnings: list[str] = []
        self._catalogue, told = open_catalogue(folder / "catalogue.sqlite")
        for message in told:
            self._warn(message)
        with self._exclusive():
            pass

    def put(self, text: str) -> str:
        """Keep a text and return its handle; the same text has the same handle and is kept once."""
        return self.put_all([text])[0]

    def put_all(self, texts: Iterable[str]) -> list[str]:
        """Keep several texts in one write and return their handles."""
        masked = [mask(text) for text in texts]
        with self._exclusive():
            self._append(self._new_objects(masked))
        return [handle_of(text) for text in masked]

    def handle(self, text: str) -> str:
        """Return the handle a text has or would have; nothing is kept."""
        return handle_of(mask(text))

    def get(self, handle: str) -> str:
        """Return a text.

        Raises:
            UnknownHandle: No text has this handle.
            StoreError: The log cannot be read or is damaged there.
        """
        with self._lock:
            position = self._catalogue.object(handle)
            if position is None:
                with self._exclusive():  # another process may have written it
                    position = self._catalogue.object(handle)
            record = self._log.read(position) if position is not None else {}
            if "text" not in record:  # blanked meanwhile, by another process that erases its session
                raise UnknownHandle(handle)
            return str(record["text"])

    def expand(self, handle: str, first: int = 1, lines: int = 200) -> Excerpt:
        """Return up to `lines` lines of a text from line `first` (from 1) on.

        Raises:
            UnknownHandle: No text has this handle.
        """
        return excerpt(self.get(handle), first, lines)

    def append(self, turn: Turn) -> Turn:
        """Keep a turn whole and return it with its handles and number; on disk when this returns.

        A turn whose id is known already is returned as it was kept: a step that is run again writes once.

        Raises:
            StoreError: The parent is unknown, or the disk is full or read-only (nothing is half written).
        """
        if turn.at.tzinfo is None:
            raise StoreError(f"turn {turn.id!r} has a time without a zone ({turn.at}): give it one, for example UTC")
        said = tuple(replace(each, text=(text := mask(each.text)), handle=handle_of(text)) for each in turn.said)
        with self._exclusive():
            known = self._catalogue.position(turn.id)
            if known is None:
                if turn.parent and self._catalogue.place(turn.parent) is None:
                    raise StoreError(f"turn {turn.id!r} follows {turn.parent!r}, which is not in the archive")
                record = turn_record(replace(turn, said=said))
                self._append([*self._new_objects([each.text for each in said]), record])
            return self.turn(turn.id)

    def add_facts(self, turn: str, facts: Sequence[Mapping[str, Any]]) -> None:
        """Keep changes to the ledger that came after their turn was written: a model's supersede or resolve.

        Raises:
            StoreError: The turn is not in the archive.
        """
        with self._exclusive():
            if self._catalogue.place(turn) is None:
                raise StoreError(f"turn {turn!r} is not in the archive: append it first")
            self._append([{"t": "facts", "turn": turn, "facts": [dict(fact) for fact in facts]}])

    def turn(self, turn_id: str) -> Turn:
        """Return one turn.

        Raises:
            UnknownHandle: No turn has this id.
        """
        with self._lock:
            position, place = self._catalogue.position(turn_id), self._catalogue.place(turn_id)
            if position is None or place is None:
                raise UnknownHandle(turn_id)
            return self._read(position, place.number)

    def holds(self, turn_id: str) -> bool:
        """Return whether a turn is here and its record can be read."""
        try:
            self.turn(turn_id)
        except StoreError:
            return False
        return True

    def newest(self, session: str) -> str:
        """Return the id of the turn of this session that was written last, or `""`."""
        with self._lock:
            return self._catalogue.newest(session)

    def line(self, head: str) -> Line:
        """Return a turn's own line of ancestors; empty for an unknown turn."""
        with self._lock:
            return self._catalogue.line(head)

    def turns(self, head: str, last: int | None = None, *, after: int = 0) -> list[Turn]:
        """Return the turns of a line that ends at `head`, oldest first: the `last` ones, numbered above `after`.

        A turn whose record is damaged is left out, and a warning says so.
        """
        with self._lock:
            found = self._catalogue.turns(self._catalogue.line(head), last, after=after)
            return list(self._readable((number, position) for _, number, position in found))

    def turns_numbered(self, line: Line, numbers: Collection[int]) -> dict[int, Turn]:
        """Return the turns of a line by number; unknown and damaged ones are left out."""
        with self._lock:
            found = self._catalogue.numbered(line, numbers)
            places = ((number, position) for number, (_, position) in sorted(found.items()))
            return {turn.number: turn for turn in self._readable(places)}

    def ids(self, line: Line, numbers: Collection[int]) -> dict[int, str]:
        """Return the ids of a line's turns by number."""
        with self._lock:
            return {number: turn for number, (turn, _) in self._catalogue.numbered(line, numbers).items()}

    def numbers(self, line: Line, turns: Collection[str]) -> dict[str, int]:
        """Return the numbers of those of the turns that are in a line."""
        with self._lock:
            return self._catalogue.numbers(line, turns)

    def sessions(self, line: Line) -> list[str]:
        """Return the sessions a line's turns belong to."""
        with self._lock:
            return self._catalogue.sessions(line)

    def facts(self, head: str, *, after: int = 0) -> list[tuple[int, Mapping[str, Any]]]:
        """Return the ledger's changes along the line that ends at `head`, each with the number of its turn."""
        with self._lock:
            return self._catalogue.facts(self._catalogue.line(head), after=after)

    def count(self, session: str) -> int:
        """Return how many turns belong to a session alone, those of its sub-agents included."""
        with self._exclusive():
            return len(belongings(self._log.scan(), session).turns)

    def erase(self, session: str) -> None:
        """Blank the turns of a session and the texts only they have; turns a fork has as its past stay.

        The bytes are overwritten in place. Killed half-way, it is finished by calling it again.

        Raises:
            StoreError: The log cannot be written.
        """
        with self._exclusive():
            gone = belongings(self._log.scan(), session)
            self._catalogue.forget(gone.turns, gone.handles)  # first: nobody is led to what is blanked
            for position in gone.positions:
                self._log.blank(position)
            self._catalogue.shrink()

    def damaged(self) -> list[str]:
        """Return one line for each record whose checksum is wrong: the whole log is read."""
        with self._exclusive():
            return [
                f"{self._log.path(at.segment)} at byte {at.offset}" for at, record in self._log.scan() if record is None
            ]

    def bytes(self) -> int:
        """Return the size of the log, in bytes."""
        return self._log.bytes()

    def close(self) -> None:
        """Close the catalogue."""
        with self._lock:
            self._catalogue.close()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the archive for one writer among threads and processes, with the catalogue up to date."""
        with self._lock:
            if self._held:  # the lock file is not re-entrant: asking twice would wait for oneself
                yield
                return
            with locked(self._folder / "archive.lock"):
                self._held = True
                try:
                    self._catch_up()
                    yield
                finally:
                    self._held = False

    def _append(self, records: Sequence[Record]) -> None:
        if records:
            positions = self._log.append(records)
            self._catalogue.take(list(zip(positions, records, strict=True)))

    def _new_objects(self, masked: Sequence[str]) -> list[Record]:
        new = {handle_of(text): text for text in masked}
        fresh: list[Record] = []
        for handle, text in new.items():
            kept = self._kept(handle)
            if kept is None:
                fresh.append(text_record(handle, text))
            elif kept != text:
                raise StoreError(f"two different texts have the handle {handle}; change one of them by a character")
        return fresh

    def _kept(self, handle: str) -> str | None:
        """Return the text under a handle; None where there is none, or only a damaged record: it is replaced."""
        try:
            return self.get(handle)
        except StoreError:
            return None

    def _readable(self, places: Iterable[tuple[int, Position]]) -> Iterator[Turn]:
        for number, position in places:
            try:
                yield self._read(position, number)
            except StoreError as error:
                self._warn(f"turn {number} can no longer be read and is passed over: {error}")

    def _read(self, position: Position, number: int) -> Turn:
        record = self._log.read(position)
        if record["t"] != "turn":
            raise StoreError("its session was erased")
        return turn_of(record, number, lambda handle: self._text(handle, number))

    def _text(self, handle: str, number: int) -> str:
        """Return a text of a turn; where its record is damaged, a line that says so: the others are worth reading."""
        try:
            return self.get(handle)
        except StoreError as error:
            self._warn(f"a text of turn {number} can no longer be read: {error}")
            return _GONE

    def _catch_up(self) -> None:
        for message in catch_up(self._log, self._catalogue):
            self._warn(message)

    def _warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)
