import subprocess
import sys
from pathlib import Path

from maintainer.tools import MemoryTool

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
