"""What a model gets to see of a result: never a flood, never the same thing twice, always a way to the rest."""

import hashlib
from dataclasses import dataclass

from ..tokens import TokenCounter
from .originals import OriginalStore
from .result import CommandResult

HEAD_SHARE = 0.6
"""Of the tokens for a shortened text; the rest is its end."""
MARK_TOKENS = 60
"""Reserved for the line that says what was left out."""
LONGEST_LINE = 2000
"""Characters of a line that are shown; a minified file is one line of megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A result as a model sees it."""

    text: str
    tokens: int
    handle: str = ""
    """Of the full text; empty when nothing was left out."""
    unchanged_since: int | None = None
    """The turn in which the same command gave the same text."""


class Viewer:
    """Shortens results to a number of tokens and remembers what was shown in this session."""

    def __init__(self, counter: TokenCounter, originals: OriginalStore, max_tokens: int) -> None:
        self._counter, self._originals, self._max_tokens = counter, originals, max_tokens
        self._seen: dict[tuple[str, str], tuple[bytes, int]] = {}

    def forget(self) -> None:
        """Forget what was shown: for when it has left the model's window."""
        self._seen.clear()

    def view(self, result: CommandResult, turn: int) -> View:
        """Return the result for a model.

        Args:
            result: What ran.
            turn: Number of the running turn.
        """
        text = result.output
        if result.refused or not text:
            return self._as_is(text or "[no output]")
        if result.binary:
            return self._as_is(f"[binary output, {result.size} bytes; use file, grep -a, or od -c FILE | head]")
        key, digest = (result.command, result.cwd), hashlib.sha256(text.encode("utf-8", "replace")).digest()
        seen = self._seen.get(key)
        self._seen[key] = (digest, seen[1] if seen and seen[0] == digest else turn)
        if seen and seen[0] == digest:
            lines = text.count("\n") + 1
            handle = self._originals.put(text)
            said = f"[unchanged since turn {seen[1]}: the same {lines} lines; show {handle} prints them again]"
            if self._counter.count(said) < self._counter.count(text):
                view = self._as_is(said)
                return View(text=view.text, tokens=view.tokens, handle=handle, unchanged_since=seen[1])
        return self._shortened(text)

    def _as_is(self, text: str) -> View:
        return View(text=text, tokens=self._counter.count(text))

    def _shortened(self, text: str) -> View:
        shown = "\n".join(map(_cut_line, text.split("\n"))) if len(text) > LONGEST_LINE else text
        tokens = self._counter.count(shown) if len(shown) < 40 * self._max_tokens else self._max_tokens + 1
        if shown == text and tokens <= self._max_tokens:
            return View(text=text, tokens=tokens)
        handle = self._originals.put(text)
        room = max(8, self._max_tokens - MARK_TOKENS)
        head_room = int(room * HEAD_SHARE)
        head = self._counter.head(shown[: 40 * room], head_room)
        tail = self._counter.tail(shown[max(len(head), len(shown) - 40 * room) :], room - head_room)
        if len(head) + len(tail) >= len(shown):
            head, tail, left_out = shown, "", len(text) - len(shown)
        else:
            left_out = len(text) - len(head) - len(tail)
        lines = text.count("\n") + 1
        mark = (
            f"[{left_out} of {len(text)} characters left out, {lines} lines in all; "
            f"show {handle} | grep WORD finds the rest]"
        )
        joined = f"{head}\n{mark}\n{tail}".rstrip("\n")
        return View(text=joined, tokens=self._counter.count(joined), handle=handle)


def _cut_line(line: str) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    return f"{line[: LONGEST_LINE // 2]}[... {len(line) - LONGEST_LINE} characters ...]{line[-LONGEST_LINE // 2 :]}"
