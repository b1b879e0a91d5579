"""What small models write is read as it was meant, and nothing else is taken for a call."""

from typing import Any

import pytest
from maintainer.tools.repair import fenced_calls, first_json, without_thinking

KNOWN = {"terminal", "recall"}


LS = '{"name": "terminal", "arguments": {"command": "ls"}}'
TWO = '[{"name": "recall"}, {"name": "recall", "args": {"a": 1}}]'
AS_TEXT = '{"type": "function", "function": {"name": "recall", "arguments": "{\\"a\\": 1}"}}'


def fenced(text: str) -> str:
    return f"```json\n{text}\n```"


@pytest.mark.parametrize(
    ("text", "rest", "calls"),
    [
        (fenced(LS), "", [("terminal", {"command": "ls"})]),
        (LS, "", [("terminal", {"command": "ls"})]),
        (LS.replace("arguments", "parameters"), "", [("terminal", {"command": "ls"})]),
        (f"I look.\n<tool_call>{LS}</tool_call>", "I look.", [("terminal", {"command": "ls"})]),
        (fenced(TWO), "", [("recall", {}), ("recall", {"a": 1})]),
        (AS_TEXT, "", [("recall", {"a": 1})]),
    ],
)
def test_only_known_tools_are_called(text: str, rest: str, calls: list[tuple[str, Any]]) -> None:
    found_rest, found = fenced_calls(text, KNOWN)
    assert (found_rest, [(call.name, call.arguments) for call in found]) == (rest, calls)


@pytest.mark.parametrize(
    "text",
    [
        fenced('{"name": "rm", "arguments": {}}'),
        fenced('{"name": "recall", "arguments": "ls"}'),
        fenced('{"version": 1}'),
        "```python\nprint(1)\n```",
        "[" * 50_000,
        "",
    ],
)
def test_any_other_json_is_part_of_the_answer(text: str) -> None:
    assert fenced_calls(text, KNOWN) == (text, [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('Sure, {as you like}: ```json\n{"a": {"b": 2}}\n``` and {"c": 3}', '{"a": {"b": 2}}'),
        ('好的:{"答案": "是"}。', '{"答案": "是"}'),
    ],
)
def test_the_first_whole_object_is_found_among_words(text: str, found: str) -> None:
    assert first_json(text) == found


@pytest.mark.parametrize("text", ["", "no", "{", '{"a": ', "{" * 5000])
def test_no_object_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        first_json(text)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>\nhm\n</think>\n\nYes.", "Yes."),
        (" <thinking>hm</thinking>Yes.", "Yes."),
        ("<think>never closed", ""),
        ("Write <think> into the file.", "Write <think> into the file."),
    ],
)
def test_thoughts_at_the_beginning_are_taken_away(text: str, rest: str) -> None:
    assert without_thinking(text) == rest
