"""Damaged SQLite files: noticed at open, set aside, and everything that can still be read saved into a new file."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from langgraph.checkpoint.serde.base import SerializerProtocol

from ...state.errors import StoreError
from ...tools.database import REMEDIES

_REMEDIES = {
    **REMEDIES,
    sqlite3.SQLITE_CORRUPT: "it is damaged: run `maintainer doctor --repair`",
    sqlite3.SQLITE_NOTADB: "it is damaged, or no database of ours: run `maintainer doctor --repair`",
    sqlite3.SQLITE_IOERR: "the disk failed, or allows no file so large: check it, run `maintainer doctor --repair`",
}


@contextmanager
def explain(path: Path) -> Iterator[None]:
    """Turn an sqlite3 error inside the block into a StoreError that says which file and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind
        raise StoreError(f"cannot use {path}: {_REMEDIES.get(code, str(error))}") from error


def is_damaged(path: Path) -> bool:
    """Say whether SQLite finds the file broken; a file that cannot be opened at all raises StoreError."""
    try:
        with closing(sqlite3.connect(path, timeout=30.0)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return True
        with explain(path):
            raise


def check_place(path: Path, opened: os.stat_result) -> None:
    """Check that a file opened before is still the one at the path.

    Raises:
        StoreError: It is not: what is written into it would never be found again.
    """
    with suppress(FileNotFoundError):
        if os.path.samestat(opened, path.stat()):
            return
    raise StoreError(
        f"cannot use {path}: another process found it damaged and set it aside; start again, and the session goes on "
        "from what could be saved"
    )


def salvage(path: Path, serializer: SerializerProtocol, make_tables: Callable[[sqlite3.Connection], None]) -> list[str]:
    """Move a damaged file aside, save every readable row into a new one, and return what happened, in sentences.

    A row is saved only if its checksum agrees; whoever opens a session compares what is left with what was
    acknowledged.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        with suppress(FileNotFoundError):
            part.rename(aside.with_name(aside.name + suffix))
    with closing(sqlite3.connect(path)) as target, closing(sqlite3.connect(aside)) as source:
        make_tables(target)
        tables = [name for (name,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counts = {table: _save_rows(source, target, table, serializer) for table in tables}
        target.commit()
    told = "; ".join(f"{saved} of {saved + lost} {table} saved" for table, (saved, lost) in counts.items())
    return [f"{path.name} was damaged: {told}; the damaged file is kept as {aside.name}"]


def _save_rows(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, serializer: SerializerProtocol
) -> tuple[int, int]:
    """Copy what can be read of a table, row by row; return how many rows were saved and how many are lost."""
    saved = lost = 0
    columns = [row[1] for row in target.execute(f"PRAGMA table_info({table})")]
    blob = columns.index("checkpoint" if table == "checkpoints" else "value")
    kind = columns.index("type")
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    for row_id in range(1, _last_row_id(source, table) + 1):
        try:
            row = source.execute(f"SELECT {names} FROM {table} WHERE rowid = ?", (row_id,)).fetchone()  # noqa: S608
            if row is None:
                continue  # a pruned row
            serializer.loads_typed((row[kind], row[blob]))
        except Exception:  # noqa: BLE001 - whatever a broken row raises, it is lost and counted
            lost += 1
            continue
        target.execute(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", row)  # noqa: S608
        saved += 1
    return saved, lost


def _last_row_id(source: sqlite3.Connection, table: str) -> int:
    """Return the highest row id that can be found from either end of the table, 0 where it cannot be read."""
    try:
        return int(source.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or 0)  # noqa: S608
    except sqlite3.DatabaseError:
        highest = 0
        with suppress(sqlite3.DatabaseError):
            for (row_id,) in source.execute(f"SELECT rowid FROM {table}"):  # noqa: S608
                highest = row_id
        return highest
