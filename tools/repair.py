"""What small models write instead of what was asked for, read as it was meant."""

import json
import re
from collections.abc import Iterator, Set
from typing import Any

from pydantic import ValidationError

from ..state.session import ToolCall

INVALID_JSON = "invalid_json"
"""Argument under which arguments travel that are no JSON object, so that the tool can answer with its schema."""

_FENCE = re.compile(r"```(?:json|tool_call|tool)?\s*\n(.*?)```|<tool_call>(.*?)</tool_call>", re.DOTALL)
_THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>\s*|\Z)", re.DOTALL)


def fenced_calls(text: str, known: Set[str]) -> tuple[str, list[ToolCall]]:
    """Return the text without, and the calls from, fenced JSON of the form `{"name": ..., "arguments": {...}}`.

    Only names in `known` count: any other JSON is part of the answer. The calls have no ids yet.
    """
    calls: list[ToolCall] = []

    def take(match: re.Match[str]) -> str:
        found = [call for call in _calls(match[1] or match[2] or "") if call.name in known]
        calls.extend(found)
        return "" if found else match[0]

    rest = _FENCE.sub(take, text).strip()
    if not calls and (whole := [call for call in _calls(text) if call.name in known]):
        return "", whole
    return rest, calls


def _calls(text: str) -> Iterator[ToolCall]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            continue
        inner = item.get("function")
        call: dict[str, Any] = inner if isinstance(inner, dict) else item
        arguments = _arguments(call)
        if isinstance(call.get("name"), str) and arguments is not None:
            yield ToolCall(id="", name=call["name"], arguments=arguments)


def _arguments(call: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments under whichever name they stand, also when they are JSON inside a string."""
    value: Any = next((call[key] for key in ("arguments", "parameters", "args", "input") if key in call), {})
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def first_json(text: str) -> str:
    """Return the first JSON object in a text that may have words or a fence around it.

    Raises:
        ValueError: There is none.
    """
    decoder = json.JSONDecoder()
    for match in re.finditer(r"\{", text):
        try:
            _, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        return text[match.start() : end]
    raise ValueError("no JSON object in the answer")


def problems_of(error: Exception) -> str:
    """Return in one line what a schema check or a parser found wrong."""
    if not isinstance(error, ValidationError):
        return str(error)
    return "; ".join(f"{'.'.join(map(str, each['loc'])) or 'all'}: {each['msg']}" for each in error.errors())


def without_thinking(text: str) -> str:
    """Return the text without the `<think>` block some models begin with, which is not meant for the reader."""
    return _THINKING.sub("", text, count=1)
