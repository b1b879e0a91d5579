"""The guide to memory runs, and names what exists."""

import re
from pathlib import Path

import pytest
from maintainer.graph.cli import build_app
from typer.testing import CliRunner

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "memory.md"


def test_the_example_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [block] = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    said = re.search(r"content +# '(.*)'", block)
    names: dict[str, object] = {}
    exec(compile(block.replace("memory.search(", "found = memory.search("), str(GUIDE), "exec"), names)
    assert said is not None
    assert names["found"] == said[1]


def test_the_commands_of_the_guide_exist() -> None:
    told = CliRunner().invoke(build_app(), ["--help"]).stdout
    for line in re.findall(r"^maintainer (\w+)", GUIDE.read_text("utf-8"), re.MULTILINE):
        assert line in told
