"""A time limit on a stream: servers under load send keep-alive signs for minutes, which no socket time-out sees."""

from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class _Over:
    """The last thing heard from a stream."""

    error: BaseException | None = None


def until(end: float, start: Callable[[], Iterable[Item]]) -> Iterator[Item]:
    """Yield the items of `start()` as they come, and raise what it raises.

    The stream is read in a thread of its own. When the limit passes, or the caller stops listening, that thread ends
    with the next item or with the socket's own time-out, and nobody waits for it.

    Args:
        end: The moment, on the `time.monotonic` scale, after which nobody waits any longer.
        start: Opens the stream.

    Raises:
        TimeoutError: The stream was not over in time.
    """
    heard: SimpleQueue[Item | _Over] = SimpleQueue()
    deserted = Event()

    def listen() -> None:
        try:
            for item in start():
                heard.put(item)
                if deserted.is_set():
                    return
            heard.put(_Over())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            heard.put(_Over(error))

    Thread(target=copy_context().run, args=(listen,), daemon=True, name="model-stream").start()
    try:
        while True:
            try:
                item = heard.get(timeout=max(end - monotonic(), 0.0))
            except Empty:
                raise TimeoutError("the time limit has passed") from None
            if not isinstance(item, _Over):
                yield item
            elif item.error is not None:
                raise item.error
            else:
                return
    finally:
        deserted.set()
