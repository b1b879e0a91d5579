"""The README is typed in as printed: its commands exist, its Python runs, its links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from maintainer.graph.cli import build_app

ROOT = Path(__file__).parents[2]
READMES = ["README.md", "README.zh-CN.md"]


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / name).read_text("utf-8"), re.DOTALL)


def without_words(block: str) -> str:
    """A block without what is translated: comments, and what stands in quotes."""
    lines = [re.sub(r"\s*#.*|\".*?\"", "", line).split() for line in block.splitlines()]
    return "\n".join(" ".join(line) for line in lines)


def test_both_readmes_show_the_same_code() -> None:
    for language in ("sh", "python"):
        english, chinese = (list(map(without_words, blocks(name, language))) for name in READMES)
        assert english == chinese


@pytest.mark.parametrize("name", READMES)
def test_every_command_exists(name: str) -> None:
    known = set(typer.main.get_command(build_app()).commands)  # type: ignore[attr-defined]
    named = set(re.findall(r"(?m)^(?:\.venv/bin/)?maintainer (\w+)", "\n".join(blocks(name, "sh"))))
    assert {"explore", "analyze", "plan", "auto"} <= named <= known


@pytest.mark.parametrize("name", READMES)
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


@pytest.mark.parametrize("name", READMES)
def test_the_python_runs(name: str, tmp_path: Path) -> None:
    repo = tmp_path / "your" / "repository"
    repo.mkdir(parents=True)
    (repo / "orders.py").write_text("def place():  # TODO: check the stock\n    return 1\n")
    for code in blocks(name, "python"):
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()
