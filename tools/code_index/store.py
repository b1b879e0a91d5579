"""What the code index keeps, in one SQLite file: files, pieces, symbols, imports and their words."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, get_args

from ..database import open_database, reading, writing
from ..search.postings import Postings
from ..search.text import tokenize
from ..tree import TreeFile
from .choice import ROLES, Role
from .chunks import Kind
from .read import ReadFile, ReadPiece
from .rows import FileRow, Passed, Piece, Symbol

VERSION = 6
"""Of the tables, the pieces and the terms: an index of another version is built again."""
KINDS: tuple[Kind, ...] = get_args(Kind)
FILE, ROLE, KIND, CHARS = range(4)
"""Attributes of a piece, as rows of `Corpus.attributes`."""
BODY, NAME = range(2)
"""Fields of a piece."""

_SCHEMA = f"""
    CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, mtime_ns INTEGER, sha256 TEXT,
        language TEXT, role TEXT, lines INTEGER, problem TEXT, path_number INTEGER);
    CREATE TABLE piece (number INTEGER PRIMARY KEY, file INTEGER, start INTEGER, end INTEGER, kind INTEGER, name TEXT,
        key BLOB);
    CREATE INDEX piece_key ON piece (key);
    CREATE INDEX piece_file ON piece (file);
    CREATE TABLE symbol (file INTEGER, name TEXT, scope TEXT, kind TEXT, line INTEGER, end INTEGER,
        signature TEXT);
    CREATE INDEX symbol_file ON symbol (file);
    CREATE INDEX symbol_name ON symbol (name);
    CREATE TABLE import (file INTEGER, target TEXT, PRIMARY KEY (file, target)) WITHOUT ROWID;
    CREATE TABLE past (number INTEGER PRIMARY KEY, sha TEXT UNIQUE, time REAL);
    CREATE TABLE past_file (number INTEGER, path TEXT, tail TEXT, PRIMARY KEY (number, path)) WITHOUT ROWID;
    CREATE INDEX past_tail ON past_file (tail);
    CREATE TABLE passed (path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, reason TEXT);
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT);
    {Postings.schema("pieces")};
    {Postings.schema("paths")};
    {Postings.schema("messages")}"""


_FILE_COLUMNS = "id, path, size, mtime_ns, sha256, language, role, lines, problem"


class CodeStore:
    """The tables and word indexes of one repository, for many threads and processes.

    Args:
        path: The file, made when missing; None keeps everything in memory.

    Raises:
        StoreError: The file is damaged, of another version, or may not be written.
    """

    def __init__(self, path: Path | None) -> None:
        self.lock = RLock()
        self.db = open_database(path, _SCHEMA, version=VERSION)
        self.pieces = Postings(self.db, "pieces", ("body", "name"), attributes=4)
        self.paths = Postings(self.db, "paths", ("path",), attributes=1)
        self.messages = Postings(self.db, "messages", ("message",))

    def close(self) -> None:
        """Close the file."""
        with self.lock:
            self.db.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Hold one state of the index for the block."""
        with self.lock, reading(self.db):
            yield

    def files(self) -> list[FileRow]:
        """Return all files, by path."""
        with self.reading():
            rows = self.db.execute(f"SELECT {_FILE_COLUMNS} FROM file ORDER BY path").fetchall()  # noqa: S608
        return [FileRow(*row) for row in rows]

    def file(self, path: str) -> FileRow | None:
        """Return what is known of a file, or None."""
        with self.reading():
            row = self.db.execute(f"SELECT {_FILE_COLUMNS} FROM file WHERE path=?", (path,)).fetchone()  # noqa: S608
        return None if row is None else FileRow(*row)

    def generation(self) -> int:
        """Return a number that changes whenever the files change."""
        with self.reading():
            return self.paths.generation()

    def touch(self, files: Iterable[TreeFile]) -> None:
        """Note size and time of files whose content is as it was."""
        with self.lock, writing(self.db):
            self.db.executemany(
                "UPDATE file SET size=?, mtime_ns=? WHERE path=?", ((f.size, f.mtime_ns, f.path) for f in files)
            )

    def passed(self) -> dict[str, Passed]:
        """Return the files that were found unfit, by path."""
        with self.reading():
            return {row[0]: Passed(*row) for row in self.db.execute("SELECT * FROM passed")}

    def pass_over(self, file: TreeFile, reason: str) -> None:
        """Forget what was known of a file and keep why it is unfit."""
        with self.lock, writing(self.db):
            self.remove([file.path])
            self.db.execute("INSERT INTO passed VALUES (?,?,?,?)", (file.path, file.size, file.mtime_ns, reason))

    def replace(self, files: Sequence[ReadFile]) -> None:
        """Put files in place of what was known of them; all of them or, on an error, none."""
        if not files:
            return
        with self.lock, writing(self.db):
            self.remove([file.found.path for file in files])
            ids = [self._insert(file) for file in files]
            first = self.paths.add([[tokenize(file.found.path)] for file in files], [[key] for key in ids])
            self.db.executemany("UPDATE file SET path_number=? WHERE id=?", enumerate(ids, first))
            self._insert_pieces(
                [(key, piece) for file, key in zip(files, ids, strict=True) for piece in file.pieces],
                {key: ROLES.index(file.role) for file, key in zip(files, ids, strict=True)},
            )

    def remove(self, paths: Iterable[str]) -> None:
        """Forget files; unknown paths are no error."""
        with self.lock, writing(self.db):
            for path in paths:
                self.db.execute("DELETE FROM passed WHERE path=?", (path,))
                row = self.db.execute("SELECT id, path_number FROM file WHERE path=?", (path,)).fetchone()
                if row is None:
                    continue
                numbers = self.db.execute("SELECT number FROM piece WHERE file=?", (row[0],)).fetchall()
                self.pieces.remove(number for (number,) in numbers)
                self.paths.remove([row[1]])
                for table, column in (("piece", "file"), ("symbol", "file"), ("import", "file"), ("file", "id")):
                    self.db.execute(f"DELETE FROM {table} WHERE {column}=?", (row[0],))  # noqa: S608 - names above

    def piece_rows(self, numbers: Sequence[int]) -> list[Piece]:
        """Return pieces by their numbers, in the order asked for."""
        marks = ",".join("?" * len(numbers))
        rows = self.db.execute(
            f"SELECT number, file, start, end, kind, name FROM piece WHERE number IN ({marks})",  # noqa: S608
            numbers,
        )
        found = {row[0]: _piece(row) for row in rows}
        return [found[number] for number in numbers]

    def piece_at(self, file: int, line: int) -> int | None:
        """Return the number of the piece that holds a line of a file, or None."""
        row = self.db.execute("SELECT number FROM piece WHERE file=? AND start<=? AND end>=?", (file, line, line))
        found = row.fetchone()
        return None if found is None else int(found[0])

    def keyed(self, roles: Collection[Role]) -> dict[str, Piece]:
        """Return the pieces of files in these roles by key; of pieces with one key, one."""
        marks = ",".join("?" * len(roles))
        with self.reading():
            rows = self.db.execute(
                "SELECT piece.key, number, file, start, end, kind, name FROM piece JOIN file ON file.id = piece.file"  # noqa: S608
                f" WHERE role IN ({marks}) ORDER BY role != 'source', number DESC",
                tuple(roles),
            ).fetchall()
        return {key.hex(): _piece(row) for key, *row in rows}

    def numbers_of(self, keys: Iterable[str]) -> dict[str, list[int]]:
        """Return the numbers of the pieces with these keys. Call it within `reading`."""
        return {
            key: [n for (n,) in self.db.execute("SELECT number FROM piece WHERE key=?", (bytes.fromhex(key),))]
            for key in keys
        }

    def symbols(self, name: str = "", path: str = "") -> list[Symbol]:
        """Return the definitions with this last or full name, or of this file, or all; by path and line."""
        with self.reading():
            rows = self.db.execute(
                "SELECT path, iif(scope = '', name, scope || '.' || name), symbol.kind, line, end, signature"
                " FROM symbol JOIN file ON file.id = symbol.file"
                " WHERE (? = '' OR name = ?) AND (? = '' OR path = ?) ORDER BY path, line",
                (name, name.rpartition(".")[2], path, path),
            ).fetchall()
        found = [Symbol(*row) for row in rows]
        return (
            [symbol for symbol in found if symbol.name == name or symbol.name.endswith(f".{name}")] if name else found
        )

    def counts(self) -> dict[str, Any]:
        """Return how many files, pieces, symbols and commits there are, and files by language and role."""
        with self.reading():
            one = {
                name: self.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - names below
                for name, table in (("files", "file"), ("pieces", "piece"), ("symbols", "symbol"), ("commits", "past"))
            }
            languages = self.db.execute(
                "SELECT language, count(*) FROM file GROUP BY language ORDER BY 2 DESC"
            ).fetchall()
            roles = self.db.execute("SELECT role, count(*) FROM file GROUP BY role ORDER BY 2 DESC").fetchall()
        return {**one, "languages": {name or "text": n for name, n in languages}, "roles": dict(roles)}

    def setting(self, name: str) -> str:
        """Return what was kept under a name, or ``""``."""
        with self.reading():
            row = self.db.execute("SELECT value FROM setting WHERE name=?", (name,)).fetchone()
        return "" if row is None else str(row[0])

    def put_setting(self, name: str, value: str) -> None:
        """Keep a value under a name."""
        with self.lock, writing(self.db):
            self.db.execute("INSERT OR REPLACE INTO setting VALUES (?,?)", (name, value))

    def imports(self) -> list[tuple[str, str]]:
        """Return (path, what it imports as written) for every import."""
        with self.reading():
            return self.db.execute("SELECT path, target FROM import JOIN file ON file.id = import.file").fetchall()

    def _insert(self, file: ReadFile) -> int:
        cursor = self.db.execute(
            "INSERT INTO file (path, size, mtime_ns, sha256, language, role, lines, problem) VALUES (?,?,?,?,?,?,?,?)",
            (
                *(file.found.path, file.found.size, file.found.mtime_ns, file.sha256),
                *(file.language, file.role, file.lines, file.problem),
            ),
        )
        key = cursor.lastrowid
        assert key is not None
        self.db.executemany(
            "INSERT INTO symbol VALUES (?,?,?,?,?,?,?)",
            (
                (key, name, scope, d.kind, d.line, d.end, d.signature)
                for d in file.parsed.definitions
                for scope, _, name in [d.name.rpartition(".")]
            ),
        )
        self.db.executemany("INSERT INTO import VALUES (?,?)", ((key, target) for target in file.parsed.imports))
        return key

    def _insert_pieces(self, pieces: Sequence[tuple[int, ReadPiece]], roles: Mapping[int, int]) -> None:
        if not pieces:
            return
        first = self.pieces.add(
            [(piece.body, piece.name) for _, piece in pieces],
            [(key, roles[key], KINDS.index(piece.chunk.kind), piece.chars) for key, piece in pieces],
        )
        self.db.executemany(
            "INSERT INTO piece VALUES (?,?,?,?,?,?,?)",
            (
                (number, key, chunk.start, chunk.end, KINDS.index(chunk.kind), chunk.name, bytes.fromhex(piece.key))
                for number, (key, piece) in enumerate(pieces, first)
                for chunk in [piece.chunk]
            ),
        )


def _piece(row: Sequence[Any]) -> Piece:
    number, file, start, end, kind, name = row
    return Piece(number, file, start, end, KINDS[kind], name)
