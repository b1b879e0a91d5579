"""The OpenAI wire format, spoken by OpenAI and by most local servers: the one door to langchain-openai."""

from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from .messages import REASONING

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


def open_wire(
    name: str, *, base_url: str = "", api_key: str = "", timeout_s: float = 60.0, compatible: bool = False
) -> "BaseChatModel":
    """Return a chat model that speaks the OpenAI wire format; nothing is sent yet.

    Args:
        name: As the endpoint knows it.
        base_url: Empty means OpenAI's own.
        api_key: Empty is fine for local servers.
        timeout_s: Longest silence on the line, in seconds.
        compatible: Whether the endpoint is not OpenAI's: older fields are used, and reasoning is handed back.
    """
    chat: BaseChatModel = _wire_class()(
        model=name,
        base_url=base_url or None,
        api_key=SecretStr(api_key or "unused"),  # construction fails without one
        timeout=timeout_s,
        max_retries=0,
        stream_usage=True,
        compatible=compatible,
        use_responses_api=False if compatible else None,
    )
    return chat


@cache
def _wire_class() -> Any:
    """Return the class, made on first use because importing langchain-openai takes more than a second."""
    from langchain_openai import ChatOpenAI

    class WireChat(ChatOpenAI):
        """ChatOpenAI that also reads, and hands back, what OpenAI-compatible servers add."""

        compatible: bool = False

        def _convert_chunk_to_generation_chunk(self, chunk: Any, *rest: Any, **named: Any) -> Any:
            generation = super()._convert_chunk_to_generation_chunk(chunk, *rest, **named)
            choices = chunk.get("choices") or []
            delta = (choices[0].get("delta") or {}) if choices else {}
            thought = delta.get(REASONING) or delta.get("reasoning")
            if generation is not None and isinstance(thought, str) and thought:
                generation.message.additional_kwargs[REASONING] = thought
            return generation

        def _get_request_payload(self, input_: Any, *, stop: list[str] | None = None, **named: Any) -> Any:
            payload = super()._get_request_payload(input_, stop=stop, **named)
            if not self.compatible:
                return payload
            for message, sent in zip(self._convert_input(input_).to_messages(), payload["messages"], strict=True):
                if thought := message.additional_kwargs.get(REASONING):
                    sent[REASONING] = thought
            if "max_completion_tokens" in payload:  # unknown to many servers, and then there is no limit at all
                payload["max_tokens"] = payload.pop("max_completion_tokens")
            return payload

    return WireChat
