"""The one gate every tool result passes before a model may see it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ..tokens import TokenCounter


class Originals(Protocol):
    """Where full texts are kept so that a shortened one can be opened again."""

    def put(self, text: str) -> str:
        """Keep a text and return its handle."""
        ...


@dataclass(frozen=True, slots=True)
class Gate:
    """Masks secrets, caps the length, keeps the original."""

    counter: TokenCounter
    originals: Originals
    mask: Callable[[str], str]
    max_tokens: int = 1000
    """Most tokens of one result; >= 100."""

    def admit(self, text: str) -> tuple[str, str]:
        """Return what the model may see and the handle of the full text (`""` where nothing was left out)."""
        text = self.mask(text) or "[no output]"
        if len(text) <= 40 * self.max_tokens and self.counter.count(text) <= self.max_tokens:
            return text, ""
        handle = self.originals.put(text)
        mark = f"\n[... {len(text):,} characters in all; expand(handle={handle!r}) reads the rest ...]\n"
        room = self.max_tokens - self.counter.count(mark) - 2
        head = self.counter.head(text, room * 2 // 3)
        tail = self.counter.tail(text[len(head) :], room - room * 2 // 3)
        return head + mark + tail, handle
