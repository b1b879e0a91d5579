"""Kills a process that writes notes at random points and looks whether every acknowledged note is whole.

A life is a forked process that creates, changes and deletes notes and acknowledges each step through a pipe. It is
killed with SIGKILL after a random number of calls and returns in the code of the notes: inside a write, a rename, an
update of the index. What was acknowledged must be there, exactly; the one step that was under way may have happened
or not; nothing else may be there.

    python tests/crash/notes_harness.py --kills 200 --seed 1
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

from maintainer.tools import files, notes
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.check import check, repair

WATCHED = (str(Path(notes.__file__).parent), files.__file__)
STEPS = 12
"""Steps of a life that is not killed."""
Texts = dict[str, str | None]


def live(folder: Path, known: Texts, seed: int, kill_at: int) -> tuple[Texts, Texts, int]:
    """Run one life; return the notes by id as acknowledged, what the step under way wanted, and the calls counted."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        work(folder, known, random.Random(seed), kill_at, write_end)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    _, status = os.waitpid(child, 0)
    if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL) and status != 0:
        raise RuntimeError(f"a life ended by itself with status {status}: {lines[-1:]}")
    texts, wanted, calls = dict(known), {}, 0
    for line in lines:
        said = json.loads(line)
        if "wants" in said:
            wanted = said["wants"]
        elif "calls" in said:
            calls = said["calls"]
        else:
            texts.update(said["done"])
            wanted = {}
    return texts, wanted, calls


def work(folder: Path, known: Texts, chance: random.Random, kill_at: int, pipe: int) -> None:
    calls = 0

    def count(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        if frame.f_code.co_filename.startswith(WATCHED):
            calls += 1
            if calls == kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    def say(**what: Any) -> None:
        os.write(pipe, json.dumps(what).encode() + b"\n")

    alive = [key for key, text in known.items() if text is not None]
    sys.setprofile(count)
    tool = NoteTool(folder, embedder=None)
    for number in range(STEPS):
        text = f"{chance.random()} " * chance.choice([1, 50, 3000])
        step = chance.choice(["create", "change", "change", "delete", "resolve"]) if alive else "create"
        key = chance.choice(alive) if alive else ""
        if step == "create":
            key = f"note_20260105_090000_{chance.getrandbits(32):08x}"
            say(wants={key: text})
            tool.create("t", text, note_id=key)
            alive.append(key)
        elif step == "delete":
            text = None  # type: ignore[assignment]
            say(wants={key: None})
            tool.delete(key)
            alive.remove(key)
        else:
            say(wants={key: text})
            tool.update(key, content=text)
        say(done={key: text})
        if number % 4 == 0:
            tool.list(limit=3)
    sys.setprofile(None)
    tool.close()
    say(calls=calls)


def wrong(folder: Path, texts: Texts, wanted: Texts) -> list[str]:
    """Return what is not as it was acknowledged; one of the two texts of an unfinished step is right."""
    found: list[str] = []
    with NoteTool(folder, embedder=None) as tool:
        rows = {row.id for row in tool.list(status=["open", "in_progress", "resolved", "archived"])}
        stored: Texts = {key: tool.read(key).content for key in rows}
        left = [finding for finding in repair(tool.store, check(tool.store)) if finding.kind != "left-over"]
        found += [f"{finding.kind}: {finding.file}: {finding.what}" for finding in left]
    json.loads((folder / "notes_index.json").read_text("utf-8")) if stored else None
    for key in texts.keys() | wanted.keys() | stored.keys():
        allowed = [texts.get(key), wanted[key]] if key in wanted else [texts.get(key)]
        if stored.get(key) not in allowed:
            found.append(f"{key} is {str(stored.get(key))[:40]!r}, not {[str(one)[:40] for one in allowed]}")
    texts.update({key: stored.get(key) for key in wanted})
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    faults: list[str] = []
    kills = trials = acknowledged = 0
    with tempfile.TemporaryDirectory() as place:
        while kills < options.kills:
            folder = Path(place) / str(trials)
            texts, wanted, calls = live(folder, {}, trials, kill_at=0)
            faults += wrong(folder, texts, wanted)
            for _ in range(min(10, options.kills - kills)):
                before = dict(texts)
                texts, wanted, ended = live(folder, texts, chance.getrandbits(32), chance.randint(1, calls))
                kills += not ended
                acknowledged += sum(text != before.get(key) for key, text in texts.items())
                faults += [f"trial {trials}, kill {kills}: {fault}" for fault in wrong(folder, texts, wanted)]
            trials += 1
    print(json.dumps({"kills": kills, "trials": trials, "acknowledged": acknowledged, "wrong": faults}))
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
