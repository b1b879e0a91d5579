import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from maintainer.state.memories import Memory
from maintainer.tools import MemoryTool
from maintainer.tools.memory.shelf import Shelf
from maintainer.tools.memory.store import EmbeddedStore

ADDS_A_FACT = """
import sys
from maintainer.tools import MemoryTool
print(MemoryTool(sys.argv[1]).add("数据库用 SQLite", "semantic", 0.8).id)
"""


def test_memories_outlive_the_process(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-c", ADDS_A_FACT, str(tmp_path)], capture_output=True, text=True, check=True
    )
    memory = MemoryTool(tmp_path)
    assert memory.get(made.stdout.strip()).content == "数据库用 SQLite"
    memory.close()


def test_secrets_never_reach_the_store(tmp_path: Path) -> None:
    memory = MemoryTool(tmp_path)
    kept = memory.add("the token is ghp_" + "a1B2" * 9, "semantic")
    memory.update(kept.id, content="密码是 hunter2")
    memory.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"ghp_" not in stored
    assert b"hunter2" not in stored


def test_processes_that_make_one_store_at_once_wait_for_each_other(tmp_path: Path) -> None:
    """LangGraph makes its tables step by step, and fails where another process has just made the same step."""
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom maintainer.tools import MemoryTool\n"
        "folder, start, me = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]\n"
        "MemoryTool(folder / me).close()\n"  # everything heavy is imported
        "for number in range(20):\n"
        "    time.sleep(max(0.0, start + number * 0.1 - time.time()))\n"
        "    memory = MemoryTool(folder / f'store{number}', session=me)\n"
        "    memory.add(f'said by {me}', 'episodic')\n"
        "    memory.close()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path), str(time.time() + 3)]
    running = [subprocess.Popen([*command, str(me)], stderr=subprocess.PIPE, text=True) for me in range(4)]
    assert [process.communicate(timeout=240)[1] for process in running] == [""] * 4
    for number in range(20):
        with closing(MemoryTool(tmp_path / f"store{number}")) as memory:
            assert memory.stats()["episodic"]["count"] == 4


def test_what_is_added_while_all_are_read_doubles_none(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "memories.sqlite")
    first, other = MemoryTool(store=store), MemoryTool(store=store)
    for number in range(3):
        first.add(f"memory {number}", "episodic")
    reading = Shelf(store, "default").all("episodic")
    read = [next(reading).content]
    other.add("one more, between two pages", "episodic")
    read += [memory.content for memory in reading]
    assert sorted(read) == ["memory 0", "memory 1", "memory 2"]
    store.close()


def test_two_processes_that_change_one_memory_at_once_both_leave_their_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    get, begun, done = Shelf.get, threading.Event(), threading.Event()

    def change_elsewhere() -> None:
        elsewhere.update(kept.id, metadata={"other": 1})
        done.set()

    def read_then_overtaken(shelf: Shelf, memory_id: str) -> Memory | None:
        found = get(shelf, memory_id)
        if not begun.is_set():
            begun.set()
            writer.start()
            done.wait(0.5)  # it may be kept waiting
        return found

    writer = threading.Thread(target=change_elsewhere)
    with closing(MemoryTool(tmp_path)) as memory, closing(MemoryTool(tmp_path)) as elsewhere:
        kept = memory.add("the pool holds ten connections", "semantic")
        monkeypatch.setattr(Shelf, "get", read_then_overtaken)
        memory.update(kept.id, metadata={"mine": 1})
        writer.join(60)
        assert done.is_set()
        assert memory.get(kept.id).metadata == {"mine": 1, "other": 1}
