"""Done is said easily: without evidence the answer says that nothing shows it."""

import pytest
from maintainer.state.session import Citation, Exchange, ToolCall
from maintainer.tools.claims import unproven, with_doubts


def ran(command: str, *, failed: bool = False) -> Exchange:
    return Exchange(call=ToolCall(id="c", name="terminal", arguments={"command": command}), result="", failed=failed)


@pytest.mark.parametrize(
    "text",
    [
        "All tests pass.",
        "I have fixed the bug.",
        "The build is green.",
        "我已经修复了这个问题。",
        "测试全部通过。",
        "I ran it.",
    ],
)
def test_done_without_evidence_is_doubted(text: str) -> None:
    assert unproven(f"It is simple. {text} Next, look at the cart.", [], []) == [text]


@pytest.mark.parametrize("text", ["All tests pass.", "我已经修复了这个问题。"])
def test_looking_at_code_does_not_show_that_it_was_changed(text: str) -> None:
    assert unproven(text, [ran("ls")], []) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The tests passed in the last run (ci/log.txt:12).",
        "I checked every caller.",
        "I ran `grep -rn TODO`: 12 places.",
        "If the tests pass, merge it.",
        "You should make sure that all tests pass.",
        "测试没有通过。",
        "The function adds prices.",
    ],
)
def test_evidence_or_a_condition_is_no_reason_to_doubt(text: str) -> None:
    assert unproven(text, [ran("grep -rn TODO src")], [Citation(path="ci/log.txt", line=12)]) == []


def test_a_command_that_failed_and_a_citation_that_fails_show_nothing() -> None:
    text = "I ran `pytest` and all tests pass (ci/log.txt:12)."
    bad = Citation(path="ci/log.txt", line=12, valid=False, problem="no such file")
    assert unproven(text, [ran("pytest", failed=True)], [bad]) == [text]


def test_doubts_stand_at_the_end_of_the_answer() -> None:
    assert with_doubts("All good.", [], "en") == "All good."
    assert with_doubts("测试通过。", ["测试通过。"], "zh").endswith("> 以下说法在本轮中没有证据:\n> - 测试通过。")
