"""What stands where in the log: a SQLite file that can always be made again from the log."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..database import open_database, reading, shrink, writing
from .log import Position

_VERSION = 1
_SCHEMA = """
CREATE TABLE object (handle TEXT PRIMARY KEY, segment INTEGER, offset INTEGER, size INTEGER) WITHOUT ROWID;
CREATE TABLE branch (id INTEGER PRIMARY KEY, parent INTEGER, number INTEGER);
CREATE TABLE turn (id TEXT PRIMARY KEY, branch INTEGER, number INTEGER, session TEXT,
    segment INTEGER, offset INTEGER, size INTEGER) WITHOUT ROWID;
CREATE UNIQUE INDEX turn_place ON turn (branch, number);
CREATE INDEX turn_session ON turn (session);
CREATE TABLE fact (branch INTEGER, number INTEGER, sequence INTEGER, data TEXT,
    PRIMARY KEY (branch, number, sequence)) WITHOUT ROWID;
CREATE TABLE seen (segment INTEGER, offset INTEGER);
INSERT INTO seen VALUES (0, 0)"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn hangs: its branch, its number there, its session."""

    branch: int
    number: int
    session: str


@dataclass(frozen=True, slots=True)
class Line:
    """A turn's line of ancestors: branches with the last number that belongs to it, newest first."""

    parts: tuple[tuple[int, int], ...]

    def holds(self, branch: int, number: int) -> bool:
        """Return whether a turn is in the line."""
        return any(branch == part and number <= last for part, last in self.parts)

    def parts_from(self, other: "Line") -> bool:
        """Return whether another line begins with turns of this one and ends outside of it."""
        own = {branch for branch, _ in self.parts}
        return bool(other.parts) and not self.holds(*other.parts[0]) and any(part in own for part, _ in other.parts)

    @property
    def length(self) -> int:
        """Return how many turns the line has."""
        return self.parts[0][1] if self.parts else 0

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield (branch, first, last) without overlaps, newest first."""
        for place, (branch, last) in enumerate(self.parts):
            first = self.parts[place + 1][1] + 1 if place + 1 < len(self.parts) else 1
            yield branch, first, last


class Catalogue:
    """Positions of objects and turns, the tree of branches, and the ledger's changes by turn."""

    def __init__(self, path: Path) -> None:
        self._db: sqlite3.Connection = open_database(path, _SCHEMA, version=_VERSION)

    def seen(self) -> tuple[int, int]:
        """Return how far into the log the catalogue reaches."""
        segment, offset = self._db.execute("SELECT segment, offset FROM seen").fetchone()
        return segment, offset

    def take(self, records: Sequence[tuple[Position, Mapping[str, Any] | None]], *, afresh: bool = False) -> None:
        """Note records in the order of the log, all of them or none; None is a damaged record and passed over.

        A turn that follows one the log no longer gives still stands in its session's line: the lost turn keeps its
        place there, at the record that is damaged. With `afresh`, everything noted before is forgotten.
        """
        with writing(self._db):
            if afresh:
                self._clear()
            if not records:
                return
            damaged = records[0][0]
            for position, record in records:
                if record is None:
                    damaged = position
                    continue
                if record["t"] == "object":
                    self._db.execute(
                        "INSERT OR REPLACE INTO object VALUES (?,?,?,?)",
                        (record["handle"], position.segment, position.offset, position.size),
                    )
                elif record["t"] == "turn":
                    if (parent := record["parent"]) and self.place(parent) is None:
                        before = self.newest(record["session"])
                        lost = {"id": parent, "parent": before, "session": record["session"], "facts": []}
                        self._take_turn(damaged, lost)
                    self._take_turn(position, record)
                elif record["t"] == "facts":
                    self._take_facts(self.place(record["turn"]), record["facts"])
            self._db.execute("UPDATE seen SET segment=?, offset=?", records[-1][0].end)

    def forget(self, turns: Collection[str], handles: Collection[str]) -> None:
        """Forget turns, none of which is the past of one that stays, and texts.

        Nothing else moves: a line another process has at hand still names the same turns. So the branches stay, too,
        and their numbers are never given to others.
        """
        with writing(self._db):
            for turn in turns:
                if (place := self.place(turn)) is not None:
                    self._db.execute("DELETE FROM fact WHERE branch=? AND number=?", (place.branch, place.number))
            self._db.executemany("DELETE FROM turn WHERE id=?", ((turn,) for turn in turns))
            self._db.executemany("DELETE FROM object WHERE handle=?", ((handle,) for handle in handles))

    def shrink(self) -> None:
        """Rewrite the file, so that nothing of what was forgotten is left in its free pages."""
        shrink(self._db)

    def object(self, handle: str) -> Position | None:
        """Return where an object stands."""
        row = self._db.execute("SELECT segment, offset, size FROM object WHERE handle=?", (handle,)).fetchone()
        return Position(*row) if row else None

    def place(self, turn: str) -> Place | None:
        """Return where a turn hangs."""
        row = self._db.execute("SELECT branch, number, session FROM turn WHERE id=?", (turn,)).fetchone()
        return Place(*row) if row else None

    def position(self, turn: str) -> Position | None:
        """Return where a turn's record stands."""
        row = self._db.execute("SELECT segment, offset, size FROM turn WHERE id=?", (turn,)).fetchone()
        return Position(*row) if row else None

    def newest(self, session: str) -> str:
        """Return the id of the turn of this session that was written last, or `""`."""
        row = self._db.execute(
            "SELECT id FROM turn WHERE session=? ORDER BY segment DESC, offset DESC LIMIT 1", (session,)
        ).fetchone()
        return row[0] if row else ""

    def line(self, turn: str) -> Line:
        """Return a turn's line of ancestors, itself included; an empty line for an unknown turn."""
        parts = []
        with reading(self._db):
            place = self.place(turn)
            branch, number = (place.branch, place.number) if place else (0, 0)
            while branch:
                parts.append((branch, number))
                branch, number = self._db.execute("SELECT parent, number FROM branch WHERE id=?", (branch,)).fetchone()
        return Line(tuple(parts))

    def turns(self, line: Line, last: int | None = None, *, after: int = 0) -> list[tuple[str, int, Position]]:
        """Return id, number and position of the line's turns, oldest first: the `last` ones with number > `after`."""
        found: list[tuple[str, int, Position]] = []
        with reading(self._db):
            for branch, first, end in line.spans():
                missing = -1 if last is None else last - len(found)
                if missing == 0 or end <= after:
                    break
                rows = self._db.execute(
                    "SELECT id, number, segment, offset, size FROM turn WHERE branch=? AND number BETWEEN ? AND ?"
                    " ORDER BY number DESC LIMIT ?",
                    (branch, max(first, after + 1), end, missing),
                )
                found += [(row[0], row[1], Position(*row[2:])) for row in rows]
        return found[::-1]

    def numbered(self, line: Line, numbers: Collection[int]) -> dict[int, tuple[str, Position]]:
        """Return id and position of the line's turns with the given numbers, by number."""
        found: dict[int, tuple[str, Position]] = {}
        with reading(self._db):
            for branch, first, last in line.spans():
                for part in _parts([number for number in numbers if first <= number <= last]):
                    chosen = f"branch=? AND number IN ({_marks(part)})"
                    rows = self._db.execute(
                        f"SELECT number, id, segment, offset, size FROM turn WHERE {chosen}",  # noqa: S608 - only marks
                        (branch, *part),
                    )
                    found |= {row[0]: (row[1], Position(*row[2:])) for row in rows}
        return found

    def numbers(self, line: Line, turns: Collection[str]) -> dict[str, int]:
        """Return the numbers of those of the turns that are in a line."""
        found: dict[str, int] = {}
        with reading(self._db):
            for part in _parts(list(turns)):
                rows = self._db.execute(f"SELECT id, branch, number FROM turn WHERE id IN ({_marks(part)})", part)  # noqa: S608
                found |= {turn: number for turn, branch, number in rows if line.holds(branch, number)}
        return found

    def sessions(self, line: Line) -> list[str]:
        """Return the sessions a line's turns belong to."""
        found: dict[str, None] = {}
        with reading(self._db):
            for branch, first, last in line.spans():
                rows = self._db.execute(
                    "SELECT DISTINCT session FROM turn WHERE branch=? AND number BETWEEN ? AND ?", (branch, first, last)
                )
                found |= dict.fromkeys(session for (session,) in rows)
        return list(found)

    def facts(self, line: Line, *, after: int = 0) -> list[tuple[int, Mapping[str, Any]]]:
        """Return the ledger's changes along a line, oldest first, with the number of their turn (> `after`)."""
        found: list[tuple[int, Mapping[str, Any]]] = []
        with reading(self._db):
            for branch, first, end in reversed(list(line.spans())):
                rows = self._db.execute(
                    "SELECT number, data FROM fact WHERE branch=? AND number BETWEEN ? AND ? ORDER BY number, sequence",
                    (branch, max(first, after + 1), end),
                )
                found += [(number, json.loads(data)) for number, data in rows]
        return found

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _clear(self) -> None:
        for table in ("object", "branch", "turn", "fact"):
            self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
        self._db.execute("UPDATE seen SET segment=0, offset=0")

    def _take_turn(self, position: Position, record: Mapping[str, Any]) -> None:
        if self.place(record["id"]) is not None:
            return
        parent = self.place(record["parent"]) if record["parent"] else None
        branch, number = (parent.branch, parent.number + 1) if parent else (0, 1)
        taken = self._db.execute("SELECT 1 FROM turn WHERE branch=? AND number=?", (branch, number)).fetchone()
        if not branch or taken:  # a beginning, or a second child: a fork
            cursor = self._db.execute("INSERT INTO branch (parent, number) VALUES (?,?)", (branch, number - 1))
            branch = int(cursor.lastrowid or 0)
        self._db.execute(
            "INSERT INTO turn VALUES (?,?,?,?,?,?,?)",
            (record["id"], branch, number, record["session"], position.segment, position.offset, position.size),
        )
        self._take_facts(Place(branch, number, record["session"]), record["facts"])

    def _take_facts(self, place: Place | None, facts: Sequence[Mapping[str, Any]]) -> None:
        if place is None:
            return
        where = (place.branch, place.number)
        first = self._db.execute("SELECT COUNT(*) FROM fact WHERE branch=? AND number=?", where).fetchone()[0]
        self._db.executemany(
            "INSERT INTO fact VALUES (?,?,?,?)",
            ((*where, first + i, json.dumps(fact, ensure_ascii=False)) for i, fact in enumerate(facts)),
        )


_Key = TypeVar("_Key", int, str)
_MOST_MARKS = 500


def _parts(keys: Sequence[_Key]) -> Iterator[Sequence[_Key]]:
    """Yield keys in parts that fit into one statement."""
    for start in range(0, len(keys), _MOST_MARKS):
        yield keys[start : start + _MOST_MARKS]


def _marks(keys: Sequence[object]) -> str:
    return ",".join("?" * len(keys))
