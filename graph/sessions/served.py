"""The store a server of graphs (Studio) gets: it keeps the rules that the command line keeps by itself.

A server stores a request before any node has run, and knows nothing of our locks. So secrets are masked here on their
way to disk, and each write is made under the session's writer lock: while another process holds it, the server's run
fails with a clear message instead of writing between that process's steps.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.constants import START

from ...tools.clock import Clock
from ...tools.secrets import mask
from ..checkpoints import Checkpointer
from ..checkpoints.retention import Row
from .lock import writer_lock

ASKED = (START, "request")
"""The channels a request is stored in."""


class ServedStore(Checkpointer):
    """A checkpointer that masks requests and writes under the locks of a home folder.

    Args:
        inner: Where the steps are.
        home: The folder the locks are in.
        clock: For the time in a lock.
    """

    def __init__(self, inner: Checkpointer, home: Path, clock: Clock) -> None:
        super().__init__(serde=inner.serde)
        self.findings = inner.findings
        self._inner, self._home, self._clock = inner, home, clock
        self._threads: defaultdict[str, Lock] = defaultdict(Lock)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a step, its request masked.

        Raises:
            SessionBusy: Another process is writing this session.
        """
        values = checkpoint["channel_values"]
        asked = {name: _masked(values[name]) for name in ASKED if name in values}
        with self._writing(config):
            return self._inner.put(
                config, {**checkpoint, "channel_values": {**values, **asked}}, metadata, new_versions
            )

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a node wrote; raises as `put`."""
        hidden = [(name, _masked(value) if name in ASKED else value) for name, value in writes]
        with self._writing(config):
            self._inner.put_writes(config, hidden, task_id, task_path)

    def delete_thread(self, thread_id: str) -> None:
        """Remove a thread; raises as `put`."""
        with self._writing({"configurable": {"thread_id": thread_id}}):
            self._inner.delete_thread(thread_id)

    def drop(self, thread_id: str, ids: Collection[str]) -> None:
        """Remove checkpoints; raises as `put`."""
        with self._writing({"configurable": {"thread_id": thread_id}}):
            self._inner.drop(thread_id, ids)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint with all its values; readers need no lock."""
        return self._inner.get_tuple(config)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints newest first."""
        return self._inner.list(config, filter=filter, before=before, limit=limit)

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Return the version after one."""
        return self._inner.get_next_version(current, channel)

    def threads(self) -> Sequence[str]:
        """Return the ids of all threads that have a checkpoint, sorted."""
        return self._inner.threads()

    def rows(self, thread_id: str) -> Sequence[Row]:
        """Return what retention needs to know of each checkpoint, newest first."""
        return self._inner.rows(thread_id)

    def count(self, thread_id: str) -> int:
        """Return how many rows of any table belong to a thread."""
        return self._inner.count(thread_id)

    def size_bytes(self) -> int:
        """Return the size of the whole store."""
        return self._inner.size_bytes()

    def settle(self) -> None:
        """Force everything to disk."""
        self._inner.settle()

    def close(self) -> None:
        """Close the store."""
        self._inner.close()

    @contextmanager
    def _writing(self, config: RunnableConfig) -> Iterator[None]:
        """Hold the writer lock for one write; the server's own threads wait for each other."""
        thread = str(config.get("configurable", {})["thread_id"])
        with self._threads[thread], writer_lock(self._home / "locks", thread, thread, self._clock):
            yield


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _masked(item) for key, item in value.items()}
    return mask(value) if isinstance(value, str) else value
