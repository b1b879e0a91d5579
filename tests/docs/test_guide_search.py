"""The guide to search runs, and says what is so."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from maintainer.tools.code_index.ranking import Weights

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "search.md"


def test_the_examples_of_the_guide_run(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    exec(compile(block, str(GUIDE), "exec"), {"__name__": "guide"})
    assert "def total(prices)" in capsys.readouterr().out


def test_the_guide_names_signals_that_exist() -> None:
    rows = re.findall(
        r"^\| (\w[\w, ]*) \| (?:the five|how many|what the|files|closeness|paths)", GUIDE.read_text("utf-8"), re.M
    )
    named = {name for row in rows for name in row.split(", ")}
    known = {field.name for field in fields(Weights)} | {"names"}
    assert len(named) >= 8
    assert named <= known
