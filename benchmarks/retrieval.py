"""Code search, measured: which files and lines a question finds, beside other ways; an ablation; speed and size.

python -m benchmarks retrieval                                   on the history of this repository
python -m benchmarks retrieval --data DATA.jsonl --trees DIR     on a data set: query, repo, sdist_version, targets
                               [--history DIR] [--lang en,zh,lay] [--engines ours,bm25] [--ablation] [--limit N]
python -m benchmarks retrieval --speed 3000                      on a generated repository of so many files
"""

import argparse
import json
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from statistics import median
from typing import Any

from maintainer.tools.code_index.choice import role_of
from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.code_index.ranking import Weights
from maintainer.tools.git import Git
from maintainer.tools.tokens import open_counter

from .retrieval_engines import Bm25, Classic, Commit, Commits, Opened, Ours, OursWithVectors, PlainChroma, without
from .retrieval_score import evaluate

ROOT = Path(__file__).parent.parent
ENGINES: Mapping[str, type] = {
    "ours": Ours,
    "ours+vectors": OursWithVectors,
    "bm25": Bm25,
    "chroma": PlainChroma,
    "classic": Classic,
}
NEWEST = 60
"""Commits of a repository that become questions; the older ones are its history."""
MOST_FILES = 4


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks retrieval", description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--trees", type=Path)
    parser.add_argument("--history", default="")
    parser.add_argument("--repo", type=Path, default=ROOT)
    parser.add_argument("--lang", default="en,zh,lay")
    parser.add_argument("--engines", default="ours,bm25,chroma,classic")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--speed", type=int, default=0, metavar="FILES")
    options = parser.parse_args(argv)
    if options.speed:
        return speed(options.speed)
    cases, trees, history = _cases(options)
    engines = {name: ENGINES[name] for name in options.engines.split(",")}
    if options.ablation:
        engines |= {f"without {field.name}": without(field.name) for field in fields(Weights)}
    kept: dict[str, Opened] = {}
    result: dict[str, Any] = {}
    for language in options.lang.split(","):
        chosen = [case for case in cases if case.get("lang", "en") == language][: options.limit or None]
        for name, make in engines.items() if chosen else ():
            engine = make(kept) if issubclass(make, Ours) else make()
            if isinstance(engine, Ours):
                engine.history = options.history
                if history is not None:
                    engine.commits = lambda _repo: history  # type: ignore[method-assign]
            result.setdefault(f"{language} ({len(chosen)})", {})[name] = evaluate(engine, chosen, trees)
    for repo in list(kept):
        Ours(kept).forget(repo)
    return result


def _cases(options: argparse.Namespace) -> tuple[list[dict[str, Any]], Path, Commits | None]:
    if options.data:
        rows = [json.loads(line) for line in options.data.read_text("utf-8").splitlines()]
        return [{**row, "tree": f"{row['repo']}-{row['sdist_version']}"} for row in rows], options.trees, None
    repo = options.repo.resolve()
    commits = [commit for commit in Git(repo).log(limit=2000) if commit.files]
    newest, older = commits[:NEWEST], commits[NEWEST:]
    past = Commits([Commit(c.sha, c.time, c.message, tuple(c.files)) for c in older])
    return [case for commit in newest for case in _case(repo, commit)], repo.parent, past


def _case(repo: Path, commit: Any) -> list[dict[str, Any]]:
    """Return a commit as a question for the source files it changed; none if it changed too many or none."""
    targets = [
        p for p in commit.files if role_of(p, "python") == "source" and p.endswith(".py") and (repo / p).exists()
    ]
    if not 1 <= len(targets) <= MOST_FILES:
        return []
    case = {"repo": repo.name, "tree": repo.name, "query": commit.message, "target_files": targets}
    return [{**case, "target_symbols": []}]


def speed(count: int, seed: int = 0) -> dict[str, Any]:
    """Return what indexing and asking a generated repository of `count` files costs."""
    root = Path(tempfile.mkdtemp(prefix="retrieval-speed-"))
    try:
        source_bytes = generate(root / "repo", count, seed)
        index = CodeIndex(root / "repo", root / "home")
        started, wall = time.process_time(), time.monotonic()
        index.refresh()
        build_s, build_wall_s = time.process_time() - started, time.monotonic() - wall
        counter, rng = open_counter(), random.Random(seed)
        index.evidence("first", 4000, counter)
        queries = [_timed(lambda: index.evidence(_sentence(rng), 4000, counter)) for _ in range(60)]
        edits = [_timed(lambda i=i: _edit(root / "repo", index, i)) for i in range(20)]
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


def generate(root: Path, count: int, seed: int) -> int:
    """Write Python files of invented functions, 60 to a folder, and return their size in bytes."""
    rng, total = random.Random(seed), 0
    for number in range(count):
        body = "".join(
            f'def {_name(rng)}_{i}(self, {_name(rng)}):\n    """{_sentence(rng)}."""\n'
            f"    {_name(rng)} = self.{_name(rng)}({_name(rng)})\n    return {_name(rng)}\n\n\n"
            for i in range(rng.randint(3, 25))
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
