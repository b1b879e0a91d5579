"""Compact: make room in the history window, what needs no model first; nothing is forgotten, all is in the archive."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol, TypedDict

from ..state.compaction import KEPT_COMPACTIONS, Compaction, Layer
from ..state.errors import ModelError
from ..state.session import Failure, Message, SessionState, Usage
from ..tools.clock import Clock
from ..tools.compaction import LEAST_SAVING, cleared, digest_line, droppable, rendered, shortened, summarise
from ..tools.models import Model
from ..tools.tokens import TokenCounter

TRIGGER = 0.85
"""Compaction starts when history takes this share of its window (80 to 90% is the usual range)."""
TARGET = 0.5
"""... and stops as soon as it takes no more than this."""
DIGEST_TOKENS = 600
"""Most tokens of the lines that stand for turns which left the window; older lines leave first."""
MOST_FAILURES = 3
"""Summaries that may fail in a row before no more are tried in this session."""


class Originals(Protocol):
    """Where full texts are kept."""

    def put(self, text: str) -> str:
        """Keep a text and return its handle; a text that is there already is not kept twice."""
        ...


class CompactUpdate(TypedDict, total=False):
    """What `compact` writes."""

    history: list[Message]
    digest: str
    compactions: list[Compaction]
    summary_failures: int
    spent: Usage
    failures: list[Failure]


@dataclass(frozen=True, slots=True)
class Window:
    """The history window with its digest, and what was done to it so far."""

    history: list[Message]
    digest: str
    left: list[Message] = field(default_factory=list)
    """Messages that left the window in this compaction."""
    records: tuple[Compaction, ...] = ()

    def tokens(self, counter: TokenCounter) -> int:
        """Return the length of history and digest."""
        return counter.count(self.digest) + sum(counter.count(each.content) for each in self.history)


def is_full(history: Sequence[Message], counter: TokenCounter, *, most_messages: int, most_tokens: int) -> bool:
    """Return whether history should be compacted: too many messages, or 85% of its window of tokens."""
    return len(history) > most_messages or sum(counter.count(each.content) for each in history) > TRIGGER * most_tokens


def compact(
    state: SessionState,
    *,
    archive: Originals,
    counter: TokenCounter,
    clock: Clock,
    most_messages: int,
    most_tokens: int,
    model: Model | None = None,
) -> CompactUpdate:
    """Read `history`, `digest` and `compactions`; write them anew, the audit of what was done included.

    Args:
        archive: Keeps what is cleared, so that it can be read again.
        counter: Counts tokens.
        clock: Stamps the records.
        most_messages: Of the window; compaction goes down to half of it.
        most_tokens: Of the window; compaction goes down to half of it.
        model: Writes the summary when the digest runs over; None: the oldest lines leave the digest instead.
    """
    now = clock.now()
    goal_messages, goal_tokens = most_messages * TARGET, int(most_tokens * TARGET)
    window = Window(list(state.history), state.digest)

    def fits(each: Window) -> bool:
        return len(each.history) <= goal_messages and each.tokens(counter) <= goal_tokens

    window = _step(window, "clear", replace(window, history=cleared(window.history, archive.put)), state, counter, now)
    if not fits(window):
        window = _step(window, "drop", _dropped(window, archive, fits), state, counter, now)
    if not fits(window):
        shorter = shortened(window.history, counter, goal_tokens - counter.count(window.digest), archive.put)
        window = _step(window, "digest", replace(window, history=shorter), state, counter, now)
    spent: list[Usage] = []
    failures = state.summary_failures
    if counter.count(window.digest) > DIGEST_TOKENS:
        window, failures = _with_short_digest(window, state, counter, now, model, spent)
    update: CompactUpdate = {
        "history": window.history,
        "digest": window.digest,
        "compactions": [*state.compactions, *window.records][-KEPT_COMPACTIONS:],
        "summary_failures": failures,
        "failures": [Failure(where="compact", reason=each.failure) for each in window.records if each.failure],
    }
    for usage in spent:
        update["spent"] = usage
    return update


def _step(
    before: Window, layer: Layer, after: Window, state: SessionState, counter: TokenCounter, now: datetime
) -> Window:
    """Return the window after a layer, with its record; the window before where the layer changed nothing."""
    if after.history == before.history and after.digest == before.digest:
        return before
    gone = sorted({each.turn for each in before.history} - {each.turn for each in after.history})
    record = Compaction(
        turn=state.turn,
        at=now,
        layer=layer,
        tokens_before=before.tokens(counter),
        tokens_after=after.tokens(counter),
        gone=[f"turn {turn}" for turn in gone],
    )
    return replace(after, records=(*before.records, record))


def _dropped(window: Window, archive: Originals, fits: Callable[[Window], bool]) -> Window:
    """Return the window without closed turns, oldest first, until it fits; a line of digest stands for each."""
    for turn in droppable(window.history):
        if fits(window):
            break
        line = digest_line(window.history, turn, archive.put)
        window = replace(
            window,
            history=[each for each in window.history if each.turn != turn],
            digest=f"{window.digest}\n{line}".strip("\n"),
            left=[*window.left, *(each for each in window.history if each.turn == turn)],
        )
    return window


def _with_short_digest(
    window: Window,
    state: SessionState,
    counter: TokenCounter,
    now: datetime,
    model: Model | None,
    spent: list[Usage],
) -> tuple[Window, int]:
    """Return the window with a digest of at most `DIGEST_TOKENS`, and the number of summaries failed in a row.

    A model that fails, leaves out a field or saves less than 10% changes nothing; then the oldest lines leave.
    """
    failures = state.summary_failures
    if model is not None and failures < MOST_FAILURES:
        started, before = time.perf_counter(), window.tokens(counter)
        failure, text = "", ""
        try:
            summary = summarise(model, _to_summarise(window, state), state.goal, counter, on_usage=spent.append)
            text = rendered(summary)
            if counter.count(text) > (1 - LEAST_SAVING) * counter.count(window.digest):
                failure = f"the summary is not {LEAST_SAVING:.0%} smaller than what it replaces"
        except ModelError as error:
            failure = str(error)
        after = window if failure else replace(window, digest=text)
        record = Compaction(
            turn=state.turn,
            at=now,
            layer="summary",
            tokens_before=before,
            tokens_after=after.tokens(counter),
            model=model.name,
            seconds=round(time.perf_counter() - started, 3),
            failure=failure,
        )
        window = replace(after, records=(*window.records, record))
        failures = failures + 1 if failure else 0
    lines = window.digest.splitlines()
    while len(lines) > 1 and counter.count("\n".join(lines)) > DIGEST_TOKENS:
        del lines[0]
    return replace(window, digest="\n".join(lines)), failures


def _to_summarise(window: Window, state: SessionState) -> list[Message]:
    """Return what a summary is made from: older lines of the digest, then the messages that left just now, whole."""
    gone = {each.turn for each in window.left}
    older = [
        Message(role="assistant", content=line, turn=0, timestamp=state.history[0].timestamp)
        for line in window.digest.splitlines()
        if not any(line.startswith(f"turn {turn}:") for turn in gone)
    ]
    return [*older, *window.left]
