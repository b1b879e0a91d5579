"""The guide to the context engine runs."""

import re
from pathlib import Path

import pytest
from maintainer.nodes.prompts import fence, skeleton

GUIDE = Path(__file__).parent.parent.parent / "docs" / "guide" / "context.md"


def test_the_examples_of_the_guide_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) >= 3
    exec(compile("\n".join(blocks), str(GUIDE), "exec"), {"__name__": "guide"})
    assert "Bananas are yellow. - relevance 0.00 is below 0.1" in capsys.readouterr().out


def test_the_guide_names_the_sections_and_places_that_exist() -> None:
    text = GUIDE.read_text("utf-8")
    assert all(f"`[{name}]`" in text for name in fence.HEADERS)
    assert fence.QUOTING
    assert skeleton.SECTION_OF_TYPE
    for kind in re.findall(r"`(\w+)`", "\n".join(line for line in text.splitlines() if line.startswith("| types"))):
        assert kind in skeleton.SECTION_OF_TYPE


def test_a_new_section_is_one_name_and_a_line_for_its_types(monkeypatch: pytest.MonkeyPatch) -> None:
    from maintainer.nodes.prompts.skeleton import Request, sections
    from maintainer.state import ContextPacket

    monkeypatch.setattr(skeleton, "QUOTING", (*fence.QUOTING, "Tests"))
    monkeypatch.setattr(skeleton, "SECTION_OF_TYPE", {**skeleton.SECTION_OF_TYPE, "test_result": "Tests"})
    made = sections(Request(query="why?"), [ContextPacket("1 failed", metadata={"type": "test_result"})])
    assert list(made) == ["Role & Policies", "Task", "State", "Evidence", "Context", "Tests", "Output"]
    assert made["Tests"].endswith("<<test_result>>\n1 failed")
