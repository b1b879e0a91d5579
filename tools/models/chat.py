"""A LangChain chat model behind our protocol: time limit, retries, usage and cost, repaired tool calls."""

import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...state.errors import ModelError
from ...state.session import Prompt, Reply, Usage
from ..repair import fenced_calls, first_json, problems_of, without_thinking
from ..tokens import TokenCounter, open_counter
from .deadline import until
from .faults import BrokenStream, RanOut, Unsupported, retry_wait_s, translated
from .messages import calls_of, finish_of, messages, text_of, thinking_of, usage_of
from .prices import Price, priced
from .protocol import Answer, Definition

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage

AGAIN = "\n[... the connection broke off; once more from the start ...]\n"
"""What a listener hears between a broken answer and its repetition."""
_CUT = frozenset({"length", "max_tokens"})


class ChatModel:
    """Asks a LangChain chat model.

    Args:
        chat: The LangChain model, without retries of its own.
        name: `provider:name`.
        timeout_s: Longest time one call may take, its attempts and waits included, in seconds.
        attempts: Most requests of one call; >= 1.
        price: Of its tokens; None where it is not known.
        wire: Whether `chat` speaks the OpenAI wire format: then answers can be held to a schema, and one without a
            finish reason was broken off.
        limit: The name under which `chat` takes the most tokens of an answer.
        counter: Counts tokens where the provider reports none; by default o200k_base.
        sleep: Waits some seconds.
    """

    def __init__(
        self,
        chat: "BaseChatModel",
        *,
        name: str,
        timeout_s: float = 60.0,
        attempts: int = 3,
        price: Price | None = None,
        wire: bool = True,
        limit: str = "max_tokens",
        counter: TokenCounter | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._chat, self._name, self._timeout_s, self._attempts = chat, name, timeout_s, attempts
        self._price, self._wire, self._limit, self._sleep = price, wire, limit, sleep
        self._counter = counter or open_counter()

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
        message = self._ask(chat, prompt, max_tokens, on_text)
        text, calls = without_thinking(text_of(message)), calls_of(message)
        if definitions and not calls:
            # Small models write the call as fenced JSON instead of using the provider's field.
            text, calls = fenced_calls(text, {str(each["function"]["name"]) for each in definitions})
        cut = finish_of(message) in _CUT
        return Reply(
            text=text,
            calls=calls,
            model=self._name,
            usage=self._usage(message, prompt),
            thinking=thinking_of(message),
            notices=[f"{self._name} was cut off at {max_tokens} tokens (reply_tokens)"] if cut else [],
        )

    def structured(
        self,
        system: str,
        user: str,
        schema: type[Answer],
        *,
        max_tokens: int = 1000,
        on_usage: Callable[[Usage], None] | None = None,
    ) -> Answer:
        """Return an answer that fits `schema`; see `Model.structured`.

        The first attempt is held to the schema by the endpoint where it can do that; in the second the schema stands
        in the text, for endpoints that cannot or only seem to.
        """
        shape = schema.model_json_schema()
        held = {"type": "json_schema", "json_schema": {"name": schema.__name__, "schema": shape}}
        told = f"\n\nAnswer with one JSON object of this schema and nothing else:\n{json.dumps(shape)}"
        problem = ""
        for by_endpoint in (True, False) if self._wire else (False, False):
            prompt = Prompt(system=system, user=user + problem + ("" if by_endpoint else told))
            options = {"extra_body": {"response_format": held}} if by_endpoint else {}
            try:
                message = self._ask(self._chat, prompt, max_tokens, None, **options)
            except Unsupported:
                continue
            if on_usage is not None:
                on_usage(self._usage(message, prompt))
            try:
                return schema.model_validate_json(first_json(without_thinking(text_of(message))))
            except ValueError as error:  # pydantic's ValidationError is one
                problem = f"\n\nYour last answer did not fit the schema: {problems_of(error)[:400]}"
        raise ModelError(f"{self._name} gave no valid {schema.__name__} in two attempts. {problem.strip()[:300]}")

    def _ask(
        self, chat: Any, prompt: Prompt, max_tokens: int, on_text: Callable[[str], None] | None, **options: Any
    ) -> "AIMessage":
        """Return the whole message, streamed; retry what may pass, translate what does not."""
        end = time.monotonic() + self._timeout_s
        heard = _Listener(on_text)
        request = list(messages(prompt, self._name))
        for attempt in range(1, self._attempts + 1):
            try:
                return self._stream(chat, request, end, heard, {self._limit: max_tokens, **options})
            except Exception as error:
                wait_s = retry_wait_s(error, attempt)
                if wait_s is None or attempt == self._attempts:
                    raise translated(error, self._name) from error
                if time.monotonic() + wait_s >= end:
                    rule = (
                        f"the next attempt, in {wait_s:.0f} s, would come after model_timeout_s ({self._timeout_s:g} s)"
                    )
                    raise RanOut(f"{translated(error, self._name)}; {rule}") from error
                heard.broken_off()
                self._sleep(wait_s)
        raise AssertionError("attempts is at least 1")

    def _stream(
        self, chat: Any, request: "list[BaseMessage]", end: float, heard: "_Listener", options: dict[str, Any]
    ) -> "AIMessage":
        whole: Any = None
        try:
            for chunk in until(end, lambda: chat.stream(request, **options)):
                heard(text_of(chunk))
                whole = chunk if whole is None else whole + chunk
        except TimeoutError as error:
            if time.monotonic() < end:
                raise  # a time-out of the connection's own
            rule = f"took longer than model_timeout_s ({self._timeout_s:g} s): raise it, or name a faster model"
            raise RanOut(f"{self._name} {rule}") from error
        if whole is None or (self._wire and not finish_of(whole)):
            raise BrokenStream(f"{self._name} broke off in the middle of its answer: try again, or name another model")
        message: AIMessage = whole
        return message

    def _usage(self, message: "AIMessage", prompt: Prompt) -> Usage:
        """Return what the call used; where the provider is silent, what we count."""
        usage = usage_of(message)
        if not usage.input_tokens and not usage.output_tokens:
            asked = prompt.tokens or self._counter.count(prompt.system) + self._counter.count(prompt.user)
            said = text_of(message) + "".join(json.dumps(call.arguments) for call in calls_of(message))
            usage = Usage(input_tokens=asked, output_tokens=self._counter.count(said))
        return priced(usage, self._price).model_copy(update={"calls": 1})


class _Listener:
    """Passes words on as they come, and says so when they start again."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text, self._spoke = on_text, False

    def __call__(self, words: str) -> None:
        if self._on_text is not None and words:
            self._on_text(words)
            self._spoke = True

    def broken_off(self) -> None:
        if self._on_text is not None and self._spoke:
            self._on_text(AGAIN)
            self._spoke = False
