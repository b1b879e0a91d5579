"""Language models: any OpenAI-compatible endpoint through langchain-openai, others through LangChain's own table.

A model is named by one string, `provider:name`: `openai:gpt-4.1`, `openai-compatible:qwen3` (with a base URL, for
Ollama, vLLM, llama.cpp, DeepSeek ...), or any provider LangChain knows when its package is installed.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from ..state.errors import ConfigError, ModelError
from ..state.session import Exchange, Prompt, Reply, ToolCall, Usage
from .repair import fenced_calls, first_json

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage

Answer = TypeVar("Answer", bound=BaseModel)
Definition = Mapping[str, Any]
"""A tool as the provider sees it: `{"type": "function", "function": {"name", "description", "parameters"}}`."""

RETRIED_STATUS = frozenset({408, 429, 500, 502, 503, 504})
LONGEST_WAIT_S = 60.0


class ContextTooLong(ModelError):
    """The provider says that the request is longer than the model's window."""


class Model(Protocol):
    """Something that answers a prompt."""

    @property
    def name(self) -> str:
        """Return the name shown in answers and receipts."""

    def reply(
        self,
        prompt: Prompt,
        definitions: Sequence[Definition] = (),
        *,
        max_tokens: int = 1000,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the answer; `on_text` gets the words as they come.

        Raises:
            ContextTooLong: The request is longer than the model's window.
            ModelError: The endpoint cannot be reached, refuses, or breaks off.
        """

    def structured(self, system: str, user: str, schema: type[Answer], *, max_tokens: int = 1000) -> Answer:
        """Return an answer that fits `schema`.

        Raises:
            ModelError: As for `reply`, or no valid answer came in two attempts.
        """


def open_model(
    spec: str, *, base_url: str = "", api_key: str = "", timeout_s: float = 60.0, attempts: int = 3
) -> Model:
    """Return the model named by `provider:name`; nothing is sent yet.

    Raises:
        ConfigError: The provider is unknown, its package is missing, or the key is.
    """
    provider, _, name = spec.partition(":")
    if not name:
        provider, name = ("openai-compatible" if base_url else "openai"), spec
    if provider == "openai" and not api_key:
        raise ConfigError("OPENAI_API_KEY", "", f"is needed for {spec}; export it, or name another model")
    if provider == "openai-compatible" and not base_url:
        raise ConfigError("base_url", "", f"is needed for {spec}, for example http://localhost:11434/v1")
    if provider in ("openai", "openai-compatible"):
        from langchain_openai import ChatOpenAI

        chat: BaseChatModel = ChatOpenAI(
            model=name,
            base_url=base_url or None,
            api_key=_secret(api_key or "unused"),  # construction fails without one, though local servers need none
            timeout=timeout_s,
            max_retries=0,
            stream_usage=True,
        )
    else:
        chat = _by_langchain(provider, name, timeout_s)
    return ChatModel(chat, name=f"{provider}:{name}", attempts=attempts)


def _secret(key: str) -> Any:
    from pydantic import SecretStr

    return SecretStr(key)


def _by_langchain(provider: str, name: str, timeout_s: float) -> "BaseChatModel":
    """Return a model of another provider through LangChain's table of integrations."""
    rule = f"needs the packages langchain and langchain-{provider}; install them, or use openai-compatible:{name}"
    try:
        from langchain.chat_models import init_chat_model  # type: ignore[import-not-found, unused-ignore]

        chat: BaseChatModel = init_chat_model(name, model_provider=provider, timeout=timeout_s, max_retries=0)
    except (ImportError, ValueError) as error:
        raise ConfigError("model", f"{provider}:{name}", rule) from error
    return chat


class ChatModel:
    """A LangChain chat model, with our errors, our retries and repaired tool calls."""

    def __init__(
        self, chat: "BaseChatModel", *, name: str, attempts: int = 3, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._chat, self._name, self._attempts, self._sleep = chat, name, attempts, sleep

    @property
    def name(self) -> str:
        """Return `provider:name`."""
        return self._name

    def reply(
        self,
        prompt: Prompt,
        definitions: Sequence[Definition] = (),
        *,
        max_tokens: int = 1000,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the answer; see `Model.reply`."""
        chat: Any = self._chat.bind_tools([dict(each) for each in definitions]) if definitions else self._chat
        message = self._ask(chat, list(messages(prompt)), max_tokens, on_text)
        text = _text(message)
        calls = [
            ToolCall(id=call["id"] or f"call_{number}", name=call["name"], arguments=call["args"])
            for number, call in enumerate(message.tool_calls)
        ]
        for number, bad in enumerate(message.invalid_tool_calls):
            arguments = {"invalid_json": bad["args"]}
            calls.append(ToolCall(id=bad["id"] or f"bad_{number}", name=bad["name"] or "?", arguments=arguments))
        if definitions and not calls:
            # Small models write the call as fenced JSON instead of using the provider's field.
            text, calls = fenced_calls(text, {str(each["function"]["name"]) for each in definitions})
        return Reply(text=text, calls=calls, model=self._name, usage=_usage(message))

    def structured(self, system: str, user: str, schema: type[Answer], *, max_tokens: int = 1000) -> Answer:
        """Return an answer that fits `schema`; see `Model.structured`."""
        shape = {"name": schema.__name__, "schema": schema.model_json_schema()}
        chat: Any = self._chat.bind(response_format={"type": "json_schema", "json_schema": shape})
        problem = ""
        for _ in range(2):
            prompt = Prompt(system=system, user=user + problem)
            text = _text(self._ask(chat, list(messages(prompt)), max_tokens, None))
            try:
                return schema.model_validate_json(first_json(text))
            except (ValidationError, ValueError) as error:
                problem = f"\n\nYour last answer did not fit the schema: {str(error)[:400]}\nAnswer with JSON only."
        raise ModelError(f"{self._name} gave no valid {schema.__name__} in two attempts: {problem.strip()[:300]}")

    def _ask(
        self, chat: Any, request: "list[BaseMessage]", max_tokens: int, on_text: Callable[[str], None] | None
    ) -> "AIMessage":
        """Return the whole message, streamed; retry what may pass, translate what does not."""
        for attempt in range(1, self._attempts + 1):
            try:
                return self._stream(chat, request, max_tokens, on_text)
            except Exception as error:  # every provider has its own tree: translated, never swallowed
                wait = retry_wait_s(error, attempt)
                if wait is None or attempt == self._attempts:
                    raise translated(error, self._name) from error
                self._sleep(wait)
        raise AssertionError("attempts is at least 1")

    def _stream(
        self, chat: Any, request: "list[BaseMessage]", max_tokens: int, on_text: Callable[[str], None] | None
    ) -> "AIMessage":
        whole: Any = None
        for chunk in chat.stream(request, max_tokens=max_tokens):
            if on_text is not None and (text := _text(chunk)):
                on_text(text)
            whole = chunk if whole is None else whole + chunk
        if whole is None:
            raise ModelError(f"{self._name} closed the stream without a word; try again or name another model")
        message: AIMessage = whole
        return message


def messages(prompt: Prompt) -> "Iterator[BaseMessage]":
    """Yield the prompt as LangChain messages; every tool call is followed by its result."""
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

    yield SystemMessage(prompt.system)
    yield HumanMessage(prompt.user)
    for _, group in groupby(prompt.exchanges, key=lambda exchange: exchange.step):
        pairs: list[Exchange] = list(group)
        yield AIMessage(
            content=pairs[0].reasoning,
            tool_calls=[{"id": pair.call.id, "name": pair.call.name, "args": pair.call.arguments} for pair in pairs],
        )
        for pair in pairs:
            yield ToolMessage(pair.result, tool_call_id=pair.call.id, status="error" if pair.failed else "success")


def retry_wait_s(error: Exception, attempt: int) -> float | None:
    """Return how long to wait before the next attempt, in seconds, or None when another would be in vain.

    A `Retry-After` header is honoured up to a minute; else the wait doubles from half a second, with jitter.
    """
    status = getattr(error, "status_code", None)
    if status is None and not _is_connection(error):
        return None
    if status is not None and status not in RETRIED_STATUS:
        return None
    response = getattr(error, "response", None)
    asked = response.headers.get("retry-after") if response is not None else None
    try:
        return min(float(asked), LONGEST_WAIT_S) if asked is not None else _backoff_s(attempt)
    except ValueError:  # an HTTP date: rare, and a plain wait does no harm
        return _backoff_s(attempt)


def _backoff_s(attempt: int) -> float:
    return float(0.5 * 2 ** (attempt - 1) * random.uniform(0.8, 1.2))  # noqa: S311 - jitter, no secret


def _is_connection(error: Exception) -> bool:
    """Return whether the connection failed or broke off, by the names that httpx and openai use."""
    return type(error).__name__ in {
        "APIConnectionError",
        "APITimeoutError",
        "ConnectError",
        "ReadError",
        "ReadTimeout",
        "RemoteProtocolError",
    }


def translated(error: Exception, name: str) -> ModelError:
    """Return a foreign error as one of ours: what happened and what to do."""
    if isinstance(error, ModelError):
        return error
    status, text = getattr(error, "status_code", None), " ".join(str(error).split())[:300]
    code = str(getattr(error, "code", "") or "")
    if status in (400, 413) and ("context_length" in code + text or "context length" in text or "exceed" in text):
        return ContextTooLong(f"{name} says the request is too long: {text}")
    if status in (401, 403):
        return ModelError(f"{name} refused the key (HTTP {status}): check OPENAI_API_KEY and its rights")
    if status == 404:
        return ModelError(f"{name} is not known at the endpoint (HTTP 404): check the model's name and the base URL")
    if status == 429:
        return ModelError(f"{name} limits the rate (HTTP 429) and went on doing so: wait, or name another model")
    if status is not None:
        return ModelError(f"{name} answered HTTP {status}: {text}")
    if _is_connection(error):
        return ModelError(f"{name} cannot be reached ({text}): check the base URL and that the server runs")
    return ModelError(f"{name} failed with {type(error).__name__}: {text}")


def _text(message: Any) -> str:
    content = message.content
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content if isinstance(part, dict))


def _usage(message: "AIMessage") -> Usage:
    reported = message.usage_metadata
    if not reported:
        return Usage()
    cached = (reported.get("input_token_details") or {}).get("cache_read") or 0
    return Usage(input_tokens=reported["input_tokens"], output_tokens=reported["output_tokens"], cached_tokens=cached)
