"""What the sketch of a repository has read of each file, kept so that only changed files are read again."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from threading import Lock

from .database import open_database, opened_anew, reading, writing
from .import_graph import Import
from .tree import TreeFile

_VERSION = 1
_SCHEMA = "CREATE TABLE sketch (path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, json TEXT) WITHOUT ROWID"
_FIELDS = tuple(field.name for field in fields(Import))


@dataclass(frozen=True, slots=True)
class FileSketch:
    """What a sketch needs of one file of code."""

    lines: int
    starts: int = 0
    """Line where it makes or starts the application; 0 where it does not."""
    imports: tuple[Import, ...] = ()


class SketchCache:
    """File sketches by path; one is valid as long as size and time of its file are the same.

    Args:
        path: The file of the cache; None keeps it in memory. A damaged one is made anew: nothing in it is lost.

    Raises:
        StoreError: It cannot be opened or written.
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = Lock()
        self._database, _ = opened_anew(lambda: open_database(path, _SCHEMA, version=_VERSION), path)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def load(self, files: Iterable[TreeFile]) -> dict[str, FileSketch]:
        """Return what is known of files that have not changed."""
        stamps = {file.path: (file.size, file.mtime_ns) for file in files}
        with self._lock, reading(self._database):
            rows = self._database.execute("SELECT path, size, mtime_ns, json FROM sketch").fetchall()
        found = {}
        for path, size, mtime_ns, text in rows:
            if stamps.get(path) == (size, mtime_ns):
                lines, starts, imports = json.loads(text)
                named = (Import(**dict(zip(_FIELDS, each, strict=True))) for each in imports)
                found[path] = FileSketch(lines, starts, tuple(named))
        return found

    def keep(self, read: Mapping[TreeFile, FileSketch]) -> None:
        """Keep what was read of files.

        Raises:
            StoreError: The file cannot be written; the old rows stay.
        """
        rows = [
            (
                file.path,
                file.size,
                file.mtime_ns,
                json.dumps([each.lines, each.starts, [astuple(one) for one in each.imports]]),
            )
            for file, each in read.items()
        ]
        with self._lock, writing(self._database):
            self._database.executemany("INSERT OR REPLACE INTO sketch VALUES (?, ?, ?, ?)", rows)
