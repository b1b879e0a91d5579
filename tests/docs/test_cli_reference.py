import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_says_what_the_commands_say() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import cli_reference; print(cli_reference.render(), end='')"],
        cwd=ROOT / "docs",
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (ROOT / "docs" / "guide" / "cli.md").read_text("utf-8"), "run: make docs"


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['maintainer', '--help']\n"
        "from maintainer.graph.cli import main\n"
        "assert main() == 0\n"
        "heavy = {'chromadb', 'langgraph', 'langchain_core', 'langchain_openai', 'numpy', 'tree_sitter', 'tiktoken'}\n"
        "found = heavy & {name.partition('.')[0] for name in sys.modules}\n"
        "assert not found, found\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "explore" in done.stdout
