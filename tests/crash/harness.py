"""Kills real turns at random points, goes on in a new process, and looks for what was lost, doubled or paid twice.

A life is a forked process that works through a list of requests. It is killed with SIGKILL at a random moment, or after
a random number of calls and returns in the code that has effects, in any thread: between two statements of a
transaction, inside a write, a rename, a pruning, a compaction. (A place in pure arithmetic is the same as the call
before it.) The next life resumes and goes on. When all is done, what is stored must equal what an undisturbed run left.

    python tests/crash/harness.py --kills 500 --store sqlite --seed 1
"""

import argparse
import collections
import json
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import world

LAYERS = {
    name: Path(str(import_module(f"maintainer.{name}").__file__)).parent
    for name in ("graph", "nodes", "tools", "state")
}
WITH_EFFECTS = (
    "archive",
    "code_index",
    "database.py",
    "files.py",
    "memory",
    "notes",
    "receipts",
    "terminal",
    "processes.py",
)
EFFECTS = (str(LAYERS["graph"]), str(LAYERS["nodes"]), *(str(LAYERS["tools"] / name) for name in WITH_EFFECTS))
PURE = tuple(str(LAYERS["nodes"] / name) for name in ("packing", "scoring", "prompts"))

MOST_LIVES = 40
"""A trial that needs more lives than this makes no progress."""


def live(work: Callable[[], Any], *, calls: int = 0, seconds: float = 0.0) -> dict[str, Any]:
    """Run `work` in a forked process and return its result, or where it was killed.

    Args:
        work: What to do.
        calls: Kill at this call or return; 0 for never.
        seconds: Kill after so long; 0 for never.
    """
    reader, writer = os.pipe()
    started = time.monotonic()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        out = os.fdopen(writer, "w")
        try:
            count = watch(out, calls) if calls else lambda: 0
            out.write(json.dumps({"result": work(), "calls": count(), "seconds": time.monotonic() - started}))
            out.flush()
        except BaseException:  # noqa: BLE001 - whatever it is, the parent must see it
            out.write(json.dumps({"error": traceback.format_exc()}))
            out.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        if seconds:
            done, _, _ = select.select([pipe], [], [], seconds)
            if not done:
                os.kill(pid, signal.SIGKILL)
        text = pipe.read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return {"killed_in": text}
    return dict(json.loads(text))


def calm(work: Callable[[], Any]) -> Any:
    """Return the result of a life nobody disturbs."""
    life = live(work)
    if "error" in life:
        raise SystemExit(life["error"])
    return life["result"]


def watch(out: Any, kill_at: int) -> Callable[[], int]:
    """Count calls and returns that matter, in all threads, and kill this process at one; return the counter."""
    count = 0
    matters: dict[str, bool] = {}

    def event(frame: FrameType, _: str, __: Any) -> None:
        nonlocal count
        file = frame.f_code.co_filename
        if file not in matters:
            matters[file] = (file.startswith(EFFECTS) and not file.startswith(PURE)) or "/langgraph/pregel/" in file
        if not matters[file]:
            return
        count += 1
        if count == kill_at:
            out.write(place(frame))
            out.flush()
            os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(event)
    sys.setprofile(event)
    return lambda: count


def place(frame: FrameType | None) -> str:
    """Return the module of ours that was at work, seen from the innermost frame, or the package where none was."""
    package = "Python"
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        for layer, folder in LAYERS.items():
            if path.is_relative_to(folder):
                return f"{layer}/{path.relative_to(folder)}"
        if package == "Python" and "site-packages" in path.parts:
            package = path.parts[path.parts.index("site-packages") + 1]
        frame = frame.f_back
    return package


def trial(store: str, folder: Path, chance: random.Random, whole: dict[str, Any], kills: int) -> dict[str, Any]:
    """Work through the requests with some kills on the way; return what came of it."""
    told, paid_twice, places, used = 0, [], [], 0
    for _ in range(MOST_LIVES):
        before = calm(lambda: world.look(folder, store))
        if used and not places[-1]:
            places[-1] = f"at {', '.join(before['unfinished']) or 'the border of a turn'}"
        life = live(lambda: world.work(folder, store), **aim(chance, whole, used < kills))
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
        facts = calm(lambda: world.facts(folder, store))
        wrong += [
            f"{name}: {facts[name]!r} instead of {expected!r}"
            for name, expected in whole["facts"].items()
            if facts[name] != expected
        ]
        return {"kills": used, "places": places, "wrong": wrong}
    return {"kills": used, "places": places, "wrong": [f"not finished after {MOST_LIVES} lives"]}


def aim(chance: random.Random, whole: dict[str, Any], armed: bool) -> dict[str, Any]:
    """Return when to kill: at a random call, or three times out of four, which is quicker, at a random moment."""
    if not armed:
        return {}
    if chance.random() < 0.25:
        return {"calls": chance.randrange(1, whole["calls"])}
    return {"seconds": chance.uniform(0.0, whole["seconds"])}


def run(kills: int, store: str, seed: int, scratch: Path) -> dict[str, Any]:
    """Run trials until so many kills have happened, and return the figures."""
    chance = random.Random(seed)
    first = scratch / "whole"
    world.prepare(first)
    whole = live(lambda: world.work(first, store))
    if "error" in whole:
        raise SystemExit(whole["error"])
    whole["facts"] = calm(lambda: world.facts(first, store))
    world.prepare(scratch / "counted")
    whole["calls"] = live(lambda: world.work(scratch / "counted", store), calls=sys.maxsize)["calls"]
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
        told = [f"{done} kills, {exact} of {trials} trials exact", *outcome["wrong"]]
        print("\n".join(told), file=sys.stderr, flush=True)  # a run that is stopped has told what it found
    return {
        "store": store.partition(":")[0],
        "seed": seed,
        "kills": done,
        "trials": trials,
        "exact": exact,
        "wrong": wrong,
        "places": dict(places.most_common()),
        "calls_of_a_whole_run": whole["calls"],
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
