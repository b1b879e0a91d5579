"""A prompt as LangChain messages, and a LangChain message as a reply."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...state.session import Exchange, Prompt, ToolCall, Usage
from ..repair import INVALID_JSON

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

REASONING = "reasoning_content"
"""Field of OpenAI-compatible servers (DeepSeek, Qwen, vLLM, llama.cpp) for what the model thought."""
_SIGNED = frozenset({"thinking", "redacted_thinking"})
"""Content blocks that Anthropic wants back unchanged while tools are used."""


CACHE_MARKED = frozenset({"anthropic"})
"""Providers that cache a prefix only where it is marked; the others find equal beginnings by themselves."""


def messages(prompt: Prompt, model: str = "") -> "Iterator[BaseMessage]":
    """Yield the prompt as LangChain messages; every tool call is followed by its result.

    Reasoning goes back only to the `model` it came from: others refuse it.
    """
    from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage

    yield SystemMessage(_prefix(prompt.system) if model.partition(":")[0] in CACHE_MARKED else prompt.system)
    yield HumanMessage(prompt.user)
    for _, group in groupby(prompt.exchanges, key=lambda exchange: exchange.step):
        pairs = list(group)
        yield _asking(pairs, model)
        for pair in pairs:
            yield ToolMessage(pair.result, tool_call_id=pair.call.id, status="error" if pair.failed else "success")


def _prefix(system: str) -> list[str | dict[str, Any]]:
    """Return the part that is the same in every call, marked so that the provider keeps it, and the tools before it."""
    return [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]


def _asking(pairs: Sequence[Exchange], model: str) -> "AIMessage":
    """Return the message with which the model made these calls."""
    from langchain_core.messages import AIMessage

    first = pairs[0]
    calls = [{"id": pair.call.id, "name": _sendable(pair.call.name), "args": pair.call.arguments} for pair in pairs]
    thinking = first.thinking if first.model == model else []
    signed = [block for block in thinking if block.get("type") in _SIGNED]
    thought = "".join(block[REASONING] for block in thinking if block.get("type") == REASONING)
    words = [{"type": "text", "text": first.reasoning}] if first.reasoning else []
    return AIMessage(
        content=[*signed, *words] if signed else first.reasoning,
        tool_calls=calls,
        additional_kwargs={REASONING: thought} if thought else {},
    )


def _sendable(name: str) -> str:
    """Return a tool name that providers accept: an invented one must not make the next request fail."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"


def text_of(message: Any) -> str:
    """Return the words of a message, whichever form its content has."""
    content = message.content
    if isinstance(content, str):
        return content
    return "".join(part if isinstance(part, str) else str(part.get("text") or "") for part in content)


def thinking_of(message: "AIMessage") -> list[dict[str, Any]]:
    """Return what the provider wants back of the model's reasoning."""
    content = message.content if isinstance(message.content, list) else []
    signed = [block for block in content if isinstance(block, dict) and block.get("type") in _SIGNED]
    thought = message.additional_kwargs.get(REASONING)
    return [*signed, *([{"type": REASONING, REASONING: thought}] if thought else [])]


def calls_of(message: "AIMessage") -> list[ToolCall]:
    """Return the tool calls; arguments that are no complete JSON object are kept as text, never guessed at.

    LangChain completes JSON that was cut off: half a command would be run as if it were the whole.
    """
    chunks = getattr(message, "tool_call_chunks", None)
    read = [(each, _read(each["args"])) for each in chunks] if chunks else _read_by_langchain(message)
    return [ToolCall(id=each["id"] or "", name=each["name"] or "?", arguments=arguments) for each, arguments in read]


def _read_by_langchain(message: "AIMessage") -> list[tuple[Any, dict[str, Any]]]:
    good = [(each, each["args"]) for each in message.tool_calls]
    return [*good, *((each, {INVALID_JSON: each["args"]}) for each in message.invalid_tool_calls)]


def _read(arguments: str | None) -> dict[str, Any]:
    try:
        value = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {INVALID_JSON: arguments}


def usage_of(message: "AIMessage") -> Usage:
    """Return the reported tokens; all 0 where the provider reports none."""
    reported = message.usage_metadata
    if not reported:
        return Usage()
    cached = (reported.get("input_token_details") or {}).get("cache_read") or 0
    return Usage(input_tokens=reported["input_tokens"], output_tokens=reported["output_tokens"], cached_tokens=cached)


def finish_of(message: "AIMessage") -> str:
    """Return why the model stopped, in the provider's word; `""` where it did not say."""
    said = message.response_metadata
    return str(said.get("finish_reason") or said.get("stop_reason") or said.get("done_reason") or "")
