"""What the code index costs in time, memory and disk, on a generated repository."""

import random
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.tokens import open_counter

FUNCTIONS = 25
"""Most functions of a generated file."""


def speed(count: int, functions: int = FUNCTIONS, seed: int = 0) -> dict[str, Any]:
    """Return what indexing and asking a generated repository of `count` files costs."""
    root = Path(tempfile.mkdtemp(prefix="retrieval-speed-"))
    try:
        source_bytes = generate(root / "repo", count, seed, functions)
        index = CodeIndex(root / "repo", root / "home")
        started, wall = time.process_time(), time.monotonic()
        index.refresh()
        build_s, build_wall_s = time.process_time() - started, time.monotonic() - wall
        counter, rng = open_counter(), random.Random(seed)
        index.evidence("first", 4000, counter)
        queries = [_timed(lambda: index.evidence(_sentence(rng), 4000, counter)) for _ in range(60)]
        edits = [_timed(partial(_edit, root / "repo", index, i)) for i in range(20)]
        again = _timed(index.refresh)
        index.store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        index_bytes = (root / "home" / "index.sqlite").stat().st_size
        index.close()
    finally:
        shutil.rmtree(root)
    return {
        "files": count,
        "source_mb": round(source_bytes / 1e6, 1),
        "build_cpu_s": round(build_s, 2),
        "build_wall_s": round(build_wall_s, 2),
        "query_cpu_ms_p50": round(median(queries), 1),
        "query_cpu_ms_p95": round(sorted(queries)[int(0.95 * len(queries))], 1),
        "edit_cpu_ms_p50": round(median(edits), 1),
        "refresh_unchanged_cpu_ms": round(again, 1),
        "index_to_source": round(index_bytes / source_bytes, 2),
        "max_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


_VERBS = ("load", "save", "parse", "render", "cache", "token", "user", "order", "mail", "queue")
WORDS = [f"{verb}{ending}" for verb in _VERBS for ending in ("er", "ing", "Item", "Map", "Key")]


def generate(root: Path, count: int, seed: int, functions: int = FUNCTIONS) -> int:
    """Write Python files of up to `functions` invented functions, 60 to a folder, and return their size in bytes."""
    rng, total = random.Random(seed), 0
    for number in range(count):
        body = "".join(
            f'def {_name(rng)}_{i}(self, {_name(rng)}):\n    """{_sentence(rng)}."""\n'
            f"    {_name(rng)} = self.{_name(rng)}({_name(rng)})\n    return {_name(rng)}\n\n\n"
            for i in range(rng.randint(min(3, functions), functions))
        )
        path = root / f"package{number // 60}" / f"module{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"from package{rng.randint(0, count // 60)} import module{rng.randint(0, count)}\n\n\n{body}")
        total += path.stat().st_size
    return total


def _edit(repo: Path, index: CodeIndex, number: int) -> None:
    path = repo / "package0" / f"module{number}.py"
    path.write_text(path.read_text() + f"\ndef added_{number}():\n    return {number}\n")
    index.update([f"package0/module{number}.py"])


def _timed(work: Callable[[], Any]) -> float:
    started = time.process_time()
    work()
    return 1000 * (time.process_time() - started)


def _name(rng: random.Random) -> str:
    return "_".join(rng.sample(WORDS, 2))


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.sample(WORDS, 6))


def size(root: Path) -> dict[str, Any]:
    """Return what the index of a repository takes on disk, beside the text it was made of."""
    folder = Path(tempfile.mkdtemp(prefix="retrieval-size-"))
    try:
        index = CodeIndex(root, folder)
        index.refresh()
        found = measured(index, folder / "index.sqlite")
        index.close()
    finally:
        shutil.rmtree(folder)
    return found


def measured(index: CodeIndex, file: Path) -> dict[str, Any]:
    """Return the bytes of an index by table, and its share of the source, in whole bytes and rounded ratio."""
    database = index.store.db
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    source = sum(each.size for each in index.store.files())
    (page,) = database.execute("PRAGMA page_size").fetchone()
    (free,) = database.execute("PRAGMA freelist_count").fetchone()
    tables = database.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC").fetchall()
    return {
        "files": len(index.store.files()),
        "source_bytes": source,
        "index_bytes": file.stat().st_size,
        "index_to_source": round(file.stat().st_size / source, 2),
        "free_bytes": page * free,
        "bytes_by_table": dict(tables),
    }
