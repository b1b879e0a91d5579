"""The guide to the notes runs, and names what exists."""

import re
from pathlib import Path

import pytest
from maintainer.state.notes import NoteStatus, NoteType, Relation, SourceState
from maintainer.tools.notes.markdown import parse

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "notes.md"
TEXT = GUIDE.read_text("utf-8")


def test_the_example_of_the_guide_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(compile(block, str(GUIDE), "exec"), {"__name__": "guide"})
    out = capsys.readouterr().out
    assert out.startswith("['Pool exhausted']\n--- note_")
    assert "+type: conclusion" in out
    assert "{'conclusion': 1} True" in out


def test_the_note_of_the_guide_is_a_note() -> None:
    (block,) = re.findall(r"```markdown\n(.*?)```", TEXT, re.DOTALL)
    from datetime import UTC, datetime

    parsed = parse(block.encode(), stem="x", modified=datetime(2026, 1, 1, tzinfo=UTC))
    assert parsed.problems == ()
    assert (parsed.note.title, parsed.note.sources[0].lines) == ("Pool exhausted", "12-40")


def test_every_type_status_relation_and_state_is_named() -> None:
    for name in (*NoteType, *NoteStatus, *Relation):
        assert f"`{name}`" in TEXT
    for state in SourceState:
        assert f"| {state.upper()} |" in TEXT
