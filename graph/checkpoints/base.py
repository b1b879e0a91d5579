"""What months of use need of a checkpointer beyond LangGraph's own interface."""

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)

from .retention import KeepPolicy, Row, kept


class Checkpointer(BaseCheckpointSaver[str]):
    """A LangGraph saver that serves sync and async callers, prunes, erases with proof and can be closed."""

    findings: Sequence[str] = ()
    """Damage found and repaired when the store was opened, one sentence each: to be shown once."""

    @abstractmethod
    def threads(self) -> Sequence[str]:
        """Return the ids of all threads that have a checkpoint, sorted."""

    @abstractmethod
    def rows(self, thread_id: str) -> Sequence[Row]:
        """Return what retention needs to know of each checkpoint, newest first, without reading its values."""

    @abstractmethod
    def drop(self, thread_id: str, ids: Collection[str]) -> None:
        """Remove checkpoints with everything that hangs on them, in one transaction."""

    @abstractmethod
    def count(self, thread_id: str) -> int:
        """Return how many rows of any table belong to a thread: 0 once it is deleted."""

    @abstractmethod
    def size_bytes(self) -> int:
        """Return the size of the whole store, 0 where nothing is on disk."""

    def erase(self, thread_id: str) -> None:
        """Remove a thread so that nothing of it is left on disk, where the store can promise that."""
        self.delete_thread(thread_id)

    def settle(self) -> None:
        """Force everything acknowledged so far to disk; called at the end of a turn."""

    def close(self) -> None:
        """Close the connection; the checkpointer cannot be used afterwards."""

    def prune_thread(self, thread_id: str, policy: KeepPolicy, marks: Collection[str] = ()) -> int:
        """Remove the checkpoints a policy lets go of and return how many went.

        Args:
            thread_id: The session's thread.
            policy: How many steps and turns stay.
            marks: Checkpoint ids that stay for ever.
        """
        rows = self.rows(thread_id)
        keep = kept(rows, policy, marks)
        gone = [row.id for row in rows if row.id not in keep]
        if gone:
            self.drop(thread_id, gone)
        return len(gone)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return what `get_tuple` returns, from a thread of its own: the event loop is never blocked."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield what `list` yields, newest first."""
        found = await asyncio.to_thread(lambda: [*self.list(config, filter=filter, before=before, limit=limit)])
        for item in found:
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint as `put` does and return its config."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a finished node wrote, as `put_writes` does."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Remove a thread, as `delete_thread` does."""
        await asyncio.to_thread(self.delete_thread, thread_id)
