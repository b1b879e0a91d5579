"""What the nodes know of a model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from ...state.errors import ModelError
from ...state.session import Prompt, Reply, Usage

Answer = TypeVar("Answer", bound=BaseModel)
Definition = Mapping[str, Any]
"""A tool as the provider sees it: `{"type": "function", "function": {"name", "description", "parameters"}}`."""


class ContextTooLong(ModelError):
    """The provider says that the request is longer than the model's window."""


class Model(Protocol):
    """Something that answers a prompt."""

    @property
    def name(self) -> str:
        """Return the name shown in answers and receipts."""
        ...

    def reply(
        self,
        prompt: Prompt,
        definitions: Sequence[Definition] = (),
        *,
        max_tokens: int = 1000,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the answer, never longer than `max_tokens`; `on_text` gets the words as they come.

        Raises:
            ContextTooLong: The request is longer than the model's window.
            ModelError: The endpoint cannot be reached, refuses, breaks off or takes too long.
        """
        ...

    def structured(
        self,
        system: str,
        user: str,
        schema: type[Answer],
        *,
        max_tokens: int = 1000,
        on_usage: Callable[[Usage], None] | None = None,
    ) -> Answer:
        """Return an answer that fits `schema`; `on_usage` gets what each attempt used, to be added to the session.

        Raises:
            ModelError: As for `reply`, or no valid answer came in two attempts.
        """
        ...
