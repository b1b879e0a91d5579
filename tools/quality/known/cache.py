"""Facts kept by content, so that only changed files are read again."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ...collector import collector_resting
from ...database import open_database, opened_anew, writing
from ...tree import TreeFile
from ..facts.file import FileFacts
from ..reading.file import FACTS_VERSION

_SCHEMA = """\
CREATE TABLE facts (path TEXT PRIMARY KEY, size INTEGER, mtime_ns INTEGER, sha TEXT, version INTEGER, json BLOB);
CREATE TABLE lint (path TEXT PRIMARY KEY, sha TEXT, version TEXT, json TEXT)
"""
_FACTS = TypeAdapter(FileFacts)


class FactsCache:
    """What is known of each file; `None` as path keeps it in memory."""

    def __init__(self, path: Path | None) -> None:
        self._database, _ = opened_anew(lambda: open_database(path, _SCHEMA, version=1), path)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def stamps(self) -> dict[str, tuple[int, int, str]]:
        """Return size, time and content hash of every file whose facts are of this version."""
        rows = self._database.execute("SELECT path, size, mtime_ns, sha FROM facts WHERE version = ?", (FACTS_VERSION,))
        return {path: (size, mtime, sha) for path, size, mtime, sha in rows}

    def load(self, paths: Iterable[str]) -> dict[str, FileFacts]:
        """Return the facts of files; rows that cannot be read are left out."""
        found = {}
        wanted = set(paths)
        rows = self._database.execute("SELECT path, json FROM facts WHERE version = ?", (FACTS_VERSION,))
        with collector_resting():
            for path, data in rows:
                if path in wanted:
                    with suppress(ValidationError):
                        found[path] = _FACTS.validate_json(data)
        return found

    def store(self, read: Iterable[tuple[TreeFile, str, FileFacts]]) -> None:
        """Keep the facts of files with their content hashes."""
        rows = [
            (file.path, file.size, file.mtime_ns, sha, FACTS_VERSION, _FACTS.dump_json(facts))
            for file, sha, facts in read
        ]
        with writing(self._database):
            self._database.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?)", rows)

    def forget(self, gone: Collection[str]) -> None:
        """Forget files that are gone."""
        if not gone:
            return
        with writing(self._database):
            for table in ("facts", "lint"):
                self._database.executemany(f"DELETE FROM {table} WHERE path = ?", [(path,) for path in gone])  # noqa: S608

    def touch(self, files: Sequence[TreeFile]) -> None:
        """Note the new time of files whose content is as before."""
        with writing(self._database):
            self._database.executemany(
                "UPDATE facts SET size = ?, mtime_ns = ? WHERE path = ?",
                [(file.size, file.mtime_ns, file.path) for file in files],
            )

    def lint(self, version: str) -> dict[str, tuple[str, list[dict[str, Any]]]]:
        """Return, by file, the content hash and what the linter of this version said."""
        rows: sqlite3.Cursor = self._database.execute("SELECT path, sha, json FROM lint WHERE version = ?", (version,))
        return {path: (sha, json.loads(data)) for path, sha, data in rows}

    def store_lint(self, version: str, said: Mapping[str, tuple[str, list[dict[str, Any]]]]) -> None:
        """Keep what the linter said, by file with its content hash."""
        rows = [(path, sha, version, json.dumps(items)) for path, (sha, items) in said.items()]
        with writing(self._database):
            self._database.executemany("INSERT OR REPLACE INTO lint VALUES (?, ?, ?, ?)", rows)
