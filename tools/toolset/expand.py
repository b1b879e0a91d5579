"""The full text behind a handle, a part at a time."""

from typing import Protocol

from pydantic import Field

from .tool import Arguments, Caller, Outcome, Tool

MOST_LINES = 200


class Part(Protocol):
    """A part of a kept text."""

    @property
    def text(self) -> str:
        """Return its lines."""
        ...

    @property
    def first(self) -> int:
        """Return the number of its first line, from 1."""
        ...

    @property
    def last(self) -> int:
        """Return the number of its last line."""
        ...

    @property
    def total(self) -> int:
        """Return how many lines the whole text has."""
        ...


class Kept(Protocol):
    """Where full texts are kept."""

    def expand(self, handle: str, first: int = 1, lines: int = 200) -> Part:
        """Return up to `lines` lines from line `first` on."""
        ...


class Handle(Arguments):
    """Arguments of `expand`."""

    handle: str
    first: int = Field(1, ge=1)


def expand_tool(kept: Kept) -> Tool:
    """Return the tool over the archive."""

    def run(arguments: Handle, _: Caller) -> Outcome:
        part = kept.expand(arguments.handle, arguments.first, MOST_LINES)
        return Outcome(text=f"[lines {part.first}-{part.last} of {part.total}]\n{part.text}")

    return Tool(
        name="expand",
        description=f"Read {MOST_LINES} lines, from `first` on, of the full text behind a handle.",
        arguments=Handle,
        run=run,
    )
