"""What small models write instead of what was asked for, read as it was meant."""

import json
import re
from collections.abc import Iterator, Set
from typing import Any

from ..state.session import ToolCall

_FENCE = re.compile(r"```(?:json|tool_call|tool)?\s*\n(.*?)```|<tool_call>(.*?)</tool_call>", re.DOTALL)


def fenced_calls(text: str, known: Set[str]) -> tuple[str, list[ToolCall]]:
    """Return the text without, and the calls from, fenced JSON of the form `{"name": ..., "arguments": {...}}`.

    Only names in `known` count: any other JSON is part of the answer.
    """
    calls: list[ToolCall] = []

    def take(match: re.Match[str]) -> str:
        found = [call for call in _calls(match[1] or match[2] or "") if call[0] in known]
        if not found:
            return match[0]
        for number, (name, arguments) in enumerate(found, start=len(calls)):
            calls.append(ToolCall(id=f"fenced_{number}", name=name, arguments=arguments))
        return ""

    rest = _FENCE.sub(take, text).strip()
    if not calls and (whole := [call for call in _calls(text) if call[0] in known]):
        return "", [ToolCall(id=f"fenced_{n}", name=name, arguments=a) for n, (name, a) in enumerate(whole)]
    return rest, calls


def _calls(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        value = json.loads(text)
    except ValueError:
        return
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            continue
        inner = item.get("function")
        call: dict[str, Any] = inner if isinstance(inner, dict) else item
        arguments = call.get("arguments", call.get("parameters", {}))
        if isinstance(call.get("name"), str) and isinstance(arguments, dict):
            yield call["name"], arguments


def first_json(text: str) -> str:
    """Return the first JSON object in a text that may have words or a fence around it.

    Raises:
        ValueError: There is none.
    """
    start = text.find("{")
    if start < 0:
        raise ValueError("no JSON object in the answer")
    _, end = json.JSONDecoder().raw_decode(text[start:])
    return text[start : start + end]
