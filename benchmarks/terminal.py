"""What the terminal costs: a warm command against a bare one and against bubblewrap, a refusal, memory in a flood.

`python -m benchmarks terminal [--rounds N]`. The three ways to run a command take turns, so that a busy machine is
equally busy for each; the minimum says what the way costs, the median what the machine was like.
"""

import argparse
import multiprocessing
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

from maintainer.tools import TerminalTool
from maintainer.tools.terminal.syntax import parse

LINES = ("cat notes.txt", "cat notes.txt | wc -l", "grep -rn TODO . | head -3")
REFUSED = ("rm -rf .", "cat ../../etc/passwd", "echo $(id)", "git push", "awk 'BEGIN{system(\"id\")}'")
FLOOD_MB = 300
REFUSALS_PER_ROUND = 20


def run(argv: list[str]) -> dict:
    options = argparse.ArgumentParser(prog="python -m benchmarks terminal")
    options.add_argument("--rounds", type=int, default=100)
    rounds = options.parse_args(argv).rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "notes.txt").write_text("TODO one\ntwo\n" * 20)
        with (folder / "zeros").open("wb") as file:
            file.truncate(FLOOD_MB << 20)
        (folder / "letters.awk.txt").write_text("x" * 1000 + "\n")
        return {"milliseconds": latency(folder, rounds), "flood": flood(folder)}


def latency(folder: Path, rounds: int) -> dict:
    with TerminalTool(folder) as terminal:
        ways: dict[str, Callable[[], object]] = {
            "bare": lambda: subprocess.run(["/usr/bin/cat", "notes.txt"], cwd=folder, capture_output=True),
            "bwrap": lambda: subprocess.run(bwrap(folder), capture_output=True),
            **{line: lambda line=line: terminal.run(line) for line in LINES},
        }
        if shutil.which("bwrap") is None:
            del ways["bwrap"]
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(rounds + 3):
            for name, way in ways.items():
                begun = time.perf_counter()
                way()
                if turn >= 3:  # the first turns warm up
                    taken[name].append((time.perf_counter() - begun) * 1000)
        for line in REFUSED:
            taken[f"refused: {line}"] = [
                timed(lambda line=line: terminal.run(line)) for _ in range(rounds * REFUSALS_PER_ROUND)
            ]
        taken["parse"] = [timed(lambda: parse(LINES[2])) for _ in range(rounds * REFUSALS_PER_ROUND)]
    result = {
        name: {"min": round(min(values), 3), "median": round(median(values), 3)} for name, values in taken.items()
    }
    result["over bare (min)"] = round(result[LINES[0]]["min"] - result["bare"]["min"], 3)
    return {"confinement": str(terminal.level), **result}


def timed(way: Callable[[], object]) -> float:
    begun = time.perf_counter()
    way()
    return (time.perf_counter() - begun) * 1000


def bwrap(folder: Path) -> list[str]:
    system = ["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"]
    libraries = [part for name in ("lib", "lib64") for part in ("--symlink", f"usr/{name}", f"/{name}")]
    place = ["--ro-bind", str(folder), str(folder), "--chdir", str(folder)]
    return ["bwrap", "--unshare-all", *system, *libraries, *place, "/usr/bin/cat", "notes.txt"]


def flood(folder: Path) -> dict:
    """Return how much the peak memory of an agent grows while a command prints 300 MB."""
    return {
        name: in_a_new_process(folder, line)
        for name, line in (("zero bytes", "cat zeros"), ("text", "tr '\\0' 'x' < zeros"), ("lines", "od -v zeros"))
    }


def in_a_new_process(folder: Path, line: str) -> dict:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_flooded, args=(str(folder), line, theirs))
    process.start()
    theirs.close()
    grown, shown, truncated = ours.recv()
    process.join()
    return {"peak grows by MB": round(grown / 1024, 1), "characters": shown, "truncated": truncated}


def _flooded(folder: str, line: str, answer: Connection) -> None:
    with TerminalTool(folder) as terminal:
        terminal.run("cat notes.txt")
        before = peak_kb()
        result = terminal.run(line)
        answer.send((peak_kb() - before, len(result.stdout), result.truncated))


def peak_kb() -> int:
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
