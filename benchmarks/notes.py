"""Notes at 1,000 to 50,000: search, create, update, list, open, memory; and whether a question finds its note.

python -m benchmarks notes [--sizes 1000 10000 50000] [--embedder default|none] [--pairs FILE]
    [--published PYTHON] [--seed 0]

Every size is measured in a process of its own with one BLAS thread, in wall and in CPU time (the one that counts on a
busy machine), beside a search that reads all files, which is what a folder of notes without an index costs.
`--published` names the Python of an environment with hello-agents, whose notes tool is then measured on the same notes.
`--pairs` reads {"zh": [[question, text], …], "en": …, "cross": …}: all texts become notes, and a question counts where
its own text comes first, or among the first three.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from maintainer.state.notes import Note, NoteStatus, NoteType
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.markdown import render

ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
TARGETS = {"search_p50_ms": {1000: 3, 10_000: 8, 50_000: 25}, "create_ms": 5, "list_ms": 5, "open_ms": 300, "mb": 150}
_SYLLABLES = "ab|bo|ca|der|el|fi|gra|hu|in|jo|ka|lor|mi|na|or|pe|qui|ra|sto|tu|ul|ver|wa|xi|yo|zen"
_CAUSES = ["times out", "fails", "returns the wrong total", "leaks memory", "is slow", "blocks the queue", "is flaky"]
_ZH_SUBJECTS = "订单|支付|库存|用户|缓存|日志|消息|报表|登录|网关|配置|调度|搜索|邮件|权限|部署|迁移|监控|接口|测试"
_ZH_CAUSES = "超时|失败|重复|丢失|变慢|泄漏|冲突|阻塞|为空|乱序"
_SIZES = [1000, 10_000, 50_000]


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks notes", description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=_SIZES)
    parser.add_argument("--embedder", default="default", choices=["default", "none"])
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--published", metavar="PYTHON")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    result: dict[str, Any] = {"targets": TARGETS, "embedder": options.embedder, "speed": {}}
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            fill(Path(folder), size, options.seed)
            script = "import sys, json; from benchmarks.notes import measure; print(json.dumps(measure(*sys.argv[1:])))"
            rounds = []
            for step in ("rebuild", "use"):
                argv = [sys.executable, "-c", script, folder, options.embedder, str(options.seed), step]
                rounds.append(
                    json.loads(subprocess.run(argv, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout)
                )
            result["speed"][size] = {**rounds[0], **rounds[1], **scan_all(Path(folder), options.seed)}
        if options.published:
            result["speed"][size]["published"] = published(options.published, size, options.seed)
    if options.pairs:
        result["relevance"] = relevance(json.loads(options.pairs.read_text("utf-8")), options.embedder)
    return result


def fill(folder: Path, size: int, seed: int) -> None:
    """Write notes as files, without an index, as a fresh clone has them."""
    for note in notes(size, seed):
        (folder / f"{note.id}.md").write_bytes(render(note))


def notes(size: int, seed: int) -> Iterator[Note]:
    chance = random.Random(seed)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(size):
        moment = start + timedelta(minutes=number)
        yield Note(
            id=f"note_{moment:%Y%m%d_%H%M%S}_{number:08x}",
            title=sentence(chance),
            content="\n".join(sentence(chance) for _ in range(chance.randint(3, 12))),
            type=chance.choice(list(NoteType)),
            tags=tuple({chance.choice(["ui", "api", "db", "v1.0", "v1.1"]) for _ in range(2)}),
            created_at=moment,
            updated_at=moment,
            status=chance.choices(list(NoteStatus), [60, 10, 20, 5, 5])[0],
        )


def sentence(chance: random.Random) -> str:
    one, two, three, four = (word(chance) for _ in range(4))
    if chance.random() < 0.3:
        who, what = chance.choice(_ZH_SUBJECTS.split("|")), chance.choice(_ZH_SUBJECTS.split("|"))
        return f"{who}{what}{chance.choice(_ZH_CAUSES.split('|'))},因为 {one} {chance.choice(_ZH_CAUSES.split('|'))}"
    return f"The {one} {two} {chance.choice(_CAUSES)} because {three} of {four}_{one}"


def word(chance: random.Random) -> str:
    """Return one of some thousand made-up words, few of them often and most of them seldom, as in real text."""
    rank = int(chance.paretovariate(0.7)) % 5000
    numbers = random.Random(rank)
    return "".join(numbers.choice(_SYLLABLES.split("|")) for _ in range(numbers.randint(2, 4)))


def questions(seed: int) -> list[str]:
    chance = random.Random(seed + 1)
    return [f"why is it that {sentence(chance).split(' because ')[0]}" for _ in range(60)]


def measure(folder: str, embedder: str, seed: str, step: str) -> dict[str, Any]:
    """Measure in this process; `rebuild` starts without an index, `use` with one."""
    asked = questions(int(seed))
    started = time.perf_counter()
    with NoteTool(Path(folder), embedder=embedder) as tool:
        tool.list(limit=20)
        opened = time.perf_counter() - started
        started = time.perf_counter()
        tool.search(asked[0])
        first = time.perf_counter() - started
        started = time.perf_counter()
        while any("vectors" in notice for notice in tool.notices):
            time.sleep(0.5)
        vectors = time.perf_counter() - started
        if step == "rebuild":
            return {
                "rebuild_index_s": round(opened, 2),
                "build_search_s": round(first, 2),
                "vectors_s": round(vectors, 1),
            }
        chance = random.Random(int(seed) + 2)
        result = {"open_ms": ms(opened), "first_search_ms": ms(first)}
        result |= timed("search", asked[1:], lambda text: tool.search(text))
        result |= timed("search_type", asked[1:], lambda text: tool.search(text, "blocker"))
        made = []
        result |= timed(
            "create", asked, lambda text: made.append(tool.create(text, sentence(chance), "action", ["new"]))
        )
        result |= timed("update", made, lambda note: tool.update(note.id, content=sentence(chance)))
        result |= timed("search_after_create", asked[:20], lambda text: (tool.create(text, text), tool.search(text)))
        result |= timed("list", asked, lambda _: tool.list(limit=20))
        result |= timed("list_type", asked, lambda _: tool.list("blocker", ["db"], limit=20))
        result["mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return result


def published(python: str, size: int, seed: int) -> dict[str, float]:
    """Measure the published tool in its own environment."""
    plain = [[note.title, note.content, str(note.type), list(note.tags)] for note in notes(size, seed)]
    script = str(Path(__file__).with_name("notes_published.py"))
    given = json.dumps({"questions": questions(seed), "notes": plain})
    done = subprocess.run([python, script], input=given, check=True, capture_output=True, text=True, env=ENVIRONMENT)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def scan_all(folder: Path, seed: int) -> dict[str, float]:
    """Measure the plain way: read every file for every question and keep those that hold one of its words."""
    times = []
    for text in questions(seed)[:3]:
        started = time.perf_counter()
        wanted = text.lower().split()[-2:]
        sorted(
            (path.name for path in folder.glob("*.md") if any(w in path.read_text("utf-8").lower() for w in wanted)),
            reverse=True,
        )[:10]
        times.append(time.perf_counter() - started)
    return {"scan_all_files_ms": ms(statistics.median(times))}


def timed(name: str, items: list[Any], act: Callable[[Any], object]) -> dict[str, float]:
    wall, cpu = [], []
    for item in items:
        started, used = time.perf_counter(), time.thread_time()
        act(item)
        wall.append(time.perf_counter() - started)
        cpu.append(time.thread_time() - used)
    return {
        f"{name}_p50_ms": ms(statistics.median(wall)),
        f"{name}_p95_ms": ms(sorted(wall)[int(len(wall) * 0.95)]),
        f"{name}_cpu_p50_ms": ms(statistics.median(cpu)),
    }


def relevance(pairs: dict[str, list[list[str]]], embedder: str) -> dict[str, Any]:
    """Return per part of the set how often the right note came first and among the first three, by store."""
    parts = {name: part for name, part in pairs.items() if isinstance(part, list)}
    return {
        "all texts in one store": {
            name: found(part, [p for each in parts.values() for p in each], embedder) for name, part in parts.items()
        },
        "each part in a store of its own": {name: found(part, part, embedder) for name, part in parts.items()},
    }


def found(part: list[list[str]], stored: list[list[str]], embedder: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder, NoteTool(Path(folder), embedder=embedder) as tool:
        for _, text in stored:
            tool.create(text[:60], text)
        ranks = []
        for question, text in part:
            hits = [note.content for note in tool.search(question, limit=len(stored))]
            ranks.append(hits.index(text) + 1 if text in hits else 0)
    return {
        "of": len(part),
        "first": sum(rank == 1 for rank in ranks),
        "first_three": sum(1 <= rank <= 3 for rank in ranks),
        "missed": {question: rank for (question, _), rank in zip(part, ranks, strict=True) if not 1 <= rank <= 3},
    }


def ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
