"""Kills real turns at random points, goes on in a new process, and looks for what was lost, doubled or paid twice.

A life is a forked process that works through a list of requests. It is killed with SIGKILL after a random number of
Python calls and returns, so every function of every thread is as likely a place as it is busy: between two statements
of a transaction, inside a write, a rename, a pruning, a compaction. The next life resumes and goes on. When all
requests are done, what is stored must equal what an undisturbed run stores.

    python tests/crash/harness.py --kills 500 --store sqlite --seed 1
"""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import world

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MOST_LIVES = 40
"""A trial that needs more lives than this makes no progress."""


def live(work: Callable[[], Any], kill_after: int = 0) -> dict[str, Any]:
    """Run `work` in a forked process and return its result, or where it was killed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        out = os.fdopen(writer, "w")
        try:
            events = watch(out, kill_after)
            out.write(json.dumps({"result": work(), "events": events()}))
            out.flush()
        except BaseException:  # noqa: BLE001 - whatever it is, the parent must see it
            out.write(json.dumps({"error": traceback.format_exc()}))
            out.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return {"killed_in": text or "?"}
    return dict(json.loads(text))


def watch(out: Any, kill_after: int) -> Callable[[], int]:
    """Count calls and returns in all threads, and kill this process at the given one; return the counter."""
    count = 0

    def event(frame: FrameType, _: str, __: Any) -> None:
        nonlocal count
        count += 1
        if count == kill_after:
            out.write(place(frame))
            out.flush()
            os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(event)
    sys.setprofile(event)
    return lambda: count


def place(frame: FrameType | None) -> str:
    """Return the module of ours that was at work, seen from the innermost frame, or the package where none was."""
    package = ""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if "site-packages" in path.parts:
            package = package or path.parts[path.parts.index("site-packages") + 1]
        elif path.is_relative_to(ROOT) and path.parent != HERE:
            return str(path.relative_to(ROOT))
        frame = frame.f_back
    return package or "Python"


def trial(store: str, folder: Path, chance: random.Random, whole: dict[str, Any], kills: int) -> dict[str, Any]:
    """Work through the requests with some kills on the way; return what came of it."""
    told, paid_twice, places, used = 0, [], [], 0
    for _ in range(MOST_LIVES):
        before = live(lambda: world.look(folder, store))["result"]
        aim = chance.randrange(1, whole["events"]) if used < kills else 0
        life = live(lambda: world.work(folder, store), aim)
        if "error" in life:
            return {"kills": used, "places": places, "wrong": [life["error"]]}
        paid_twice += world.paid_twice(folder, before)
        if "killed_in" in life:
            used += 1
            places.append(life["killed_in"])
            continue
        told += bool(before["unfinished"]) and not life["result"]["resumed"]
        wrong = [f"unfinished work was not told of: {before['unfinished']}"] if told else []
        wrong += [f"paid twice: {call}" for call in paid_twice]
        facts = live(lambda: world.facts(folder, store))["result"]
        wrong += [
            f"{name}: {facts[name]!r} instead of {expected!r}"
            for name, expected in whole["facts"].items()
            if facts[name] != expected
        ]
        return {"kills": used, "places": places, "wrong": wrong}
    return {"kills": used, "places": places, "wrong": [f"not finished after {MOST_LIVES} lives"]}


def run(kills: int, store: str, seed: int, scratch: Path) -> dict[str, Any]:
    """Run trials until so many kills have happened, and return the figures."""
    chance = random.Random(seed)
    first = scratch / "whole"
    world.prepare(first)
    whole = live(lambda: world.work(first, store))
    if "error" in whole:
        raise SystemExit(whole["error"])
    whole["facts"] = live(lambda: world.facts(first, store))["result"]
    started, done, trials, exact = time.monotonic(), 0, 0, 0
    wrong: list[str] = []
    places: collections.Counter[str] = collections.Counter()
    while done < kills:
        folder = scratch / f"trial{trials}"
        world.prepare(folder)
        outcome = trial(store, folder, chance, whole, min(3, kills - done))
        trials, done = trials + 1, done + outcome["kills"]
        exact += not outcome["wrong"]
        wrong += [f"trial {trials}: {each}" for each in outcome["wrong"]]
        places.update(outcome["places"])
        shutil.rmtree(folder)
    return {
        "store": store.partition(":")[0],
        "seed": seed,
        "kills": done,
        "trials": trials,
        "exact": exact,
        "wrong": wrong,
        "places": dict(places.most_common()),
        "events_of_a_whole_run": whole["events"],
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--store", default="sqlite", help="sqlite, or the URL of a PostgreSQL server")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="crash") as scratch:
        figures = run(options.kills, options.store, options.seed, Path(scratch))
    print(json.dumps(figures, indent=1))
    return 0 if not figures["wrong"] else 1


if __name__ == "__main__":
    sys.exit(main())
