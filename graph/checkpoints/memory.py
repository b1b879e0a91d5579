"""Checkpoints that live as long as the process: for tests, notebooks and one-shot questions."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.base import SerializerProtocol

from .base import Checkpointer
from .retention import Row


class MemoryCheckpointer(Checkpointer, InMemorySaver):
    """LangGraph's in-memory saver behind our interface."""

    def __init__(self, serializer: SerializerProtocol) -> None:
        InMemorySaver.__init__(self, serde=serializer)

    def threads(self) -> Sequence[str]:
        """Return the ids of all threads that have a checkpoint, sorted."""
        return sorted(thread for thread, spaces in self.storage.items() if any(spaces.values()))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints newest first; the store may be written to while they are read."""
        return iter([*super().list(config, filter=filter, before=before, limit=limit)])

    def rows(self, thread_id: str) -> Sequence[Row]:
        """Return what retention needs to know of each checkpoint, newest first."""
        found = [
            _row(space, id_, parent or "", cast("dict[str, Any]", self.serde.loads_typed(metadata)))
            for space, entries in self.storage.get(thread_id, {}).items()
            for id_, (_, metadata, parent) in entries.items()
        ]
        return sorted(found, key=lambda row: row.id, reverse=True)

    def drop(self, thread_id: str, ids: Collection[str]) -> None:
        """Remove checkpoints with the writes and the values only they use."""
        for space, entries in self.storage.get(thread_id, {}).items():
            for id_ in set(ids) & entries.keys():
                del entries[id_]
                self.writes.pop((thread_id, space, id_), None)
            used = {
                (thread_id, space, channel, version)
                for packed, _, _ in entries.values()
                for channel, version in self.serde.loads_typed(packed)["channel_versions"].items()
            }
            for blob in [key for key in self.blobs if key[:2] == (thread_id, space) and key not in used]:
                del self.blobs[blob]

    def count(self, thread_id: str) -> int:
        """Return how many entries of any kind belong to a thread."""
        checkpoints = sum(len(entries) for entries in self.storage.get(thread_id, {}).values())
        return checkpoints + sum(key[0] == thread_id for store in (self.writes, self.blobs) for key in store)

    def size_bytes(self) -> int:
        """Return 0: nothing is on disk."""
        return 0


def _row(namespace: str, id_: str, parent: str, metadata: dict[str, Any]) -> Row:
    return Row(
        id=id_,
        parent=parent,
        source=metadata.get("source", ""),
        step=metadata.get("step", 0),
        namespace=namespace,
        root=metadata.get("parents", {}).get("", ""),
    )
