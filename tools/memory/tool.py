"""MemoryTool: working, episodic and semantic memory that outlives sessions and processes."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...state.errors import MemoryProblem, UnknownMemory
from ...state.memories import Memory, MemoryType
from ..clock import Clock, SystemClock
from ..secrets import mask
from .forgetting import FORGETTING, Forgetting, forgettable
from .overview import stats_of, summary_of
from .recall import Recall
from .records import checked, plain
from .shelf import Shelf

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

    from .store import EmbeddedStore

MEMORIES = "memories.sqlite"
"""Name of the embedded store's file."""


class MemoryTool:
    """Memories in a store, found by words and meaning.

    Args:
        workspace: Folder of the embedded store; made when missing.
        store: Another LangGraph store to use instead: the Agent Server's, PostgreSQL.
        session: Whose working memory this is.
        clock: Tells the time memories are made.

    Raises:
        StoreError: The folder or its database cannot be used.
    """

    _embedded: "EmbeddedStore | None" = None

    def __init__(
        self,
        workspace: Path | str = ".maintainer/memory",
        *,
        store: "BaseStore | None" = None,
        session: str = "default",
        clock: Clock | None = None,
    ) -> None:
        if store is None:
            from .store import EmbeddedStore  # heavy: only who remembers pays for it

            store = self._embedded = EmbeddedStore(Path(workspace) / MEMORIES)
        self._shelf = Shelf(store, session)
        self._session = session
        self._clock = clock or SystemClock()
        self._recall = Recall()

    def add(
        self,
        content: str,
        memory_type: MemoryType = "working",
        importance: float = 0.5,
        metadata: Mapping[str, Any] | None = None,
        *,
        session: str = "",
    ) -> Memory:
        """Keep something and return it; the same content of the same type is strengthened, not kept twice.

        `session` says whose it is where that is not this tool's own session.

        Raises:
            MemoryProblem: The content is empty, the type unknown or the importance outside [0, 1].
        """
        content = mask(checked(content, memory_type, importance))
        now, session = self._clock.now(), session or self._session
        key = f"{memory_type}:{session if memory_type == 'working' else ''}:{' '.join(content.split())}"
        id_ = f"mem_{uuid.uuid5(uuid.NAMESPACE_OID, key).hex}"
        with self._shelf.changing():
            known = self._shelf.get(id_)
            if known is not None and known.content.split() != content.split():
                # it was changed by update since: leave it alone
                id_, known = f"mem_{uuid.uuid4().hex}", None
            memory = Memory(
                id=id_,
                type=memory_type,
                content=content,
                importance=max(importance, known.importance) if known else importance,
                created_at=known.created_at if known else now,
                updated_at=now,
                session=session,
                metadata={**(known.metadata if known else {}), **(metadata or {})},
            )
            self._shelf.put(memory)
        return memory

    def add_exchange(
        self, question: str, answer: str, metadata: Mapping[str, Any] | None = None, *, session: str = ""
    ) -> Memory:
        """Keep a question with the beginning of its answer as an event (classic: 200 characters, importance 0.6)."""
        return self.add(f"Q: {question}\nA: {answer[:200]}", "episodic", 0.6, metadata, session=session)

    def search(
        self,
        query: str,
        memory_type: MemoryType | None = None,
        limit: int = 5,
        min_importance: float = 0.0,
    ) -> list[Memory]:
        """Return what fits, best first: closeness counts most, importance and freshness break near-ties."""
        candidates = {each.id: each for each in self._shelf.all(memory_type) if each.importance >= min_importance}
        return self._recall.rank(query, candidates, self._clock.now())[: max(limit, 0)]

    def get(self, memory_id: str) -> Memory:
        """Return one memory.

        Raises:
            UnknownMemory: None has this id.
        """
        found = self._shelf.get(memory_id)
        if found is None:
            raise UnknownMemory(memory_id)
        return found

    def update(
        self,
        memory_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Memory:
        """Change the given fields of a memory and return it; its id stays.

        Raises:
            UnknownMemory: None has this id.
            MemoryProblem: A new value is out of range.
        """
        with self._shelf.changing():
            old = self.get(memory_id)
            content = old.content if content is None else mask(content)
            importance = old.importance if importance is None else importance
            checked(content, old.type, importance)
            new = replace(
                old,
                content=content,
                importance=importance,
                updated_at=self._clock.now(),
                metadata={**old.metadata, **(metadata or {})},
            )
            self._shelf.put(new)
        return new

    def remove(self, memory_id: str) -> Memory:
        """Remove a memory and return what it was.

        Raises:
            UnknownMemory: None has this id.
        """
        found = self.get(memory_id)
        self._shelf.remove(found)
        return found

    def forget(
        self,
        strategy: Forgetting = "importance",
        threshold: float = 0.1,
        max_age_days: float = 30.0,
        capacity: int = 1000,
        memory_type: MemoryType | None = None,
    ) -> list[Memory]:
        """Remove what a strategy calls forgettable and return it.

        Args:
            strategy: `importance`: below `threshold`, in [0, 1]. `age`: not touched for `max_age_days`.
                `capacity`: all but the `capacity` strongest.
            threshold: For `importance`.
            max_age_days: For `age`; > 0.
            capacity: For `capacity`; >= 0.
            memory_type: Only memories of this type; None: of all.

        Raises:
            MemoryProblem: The strategy is unknown.
        """
        if strategy not in FORGETTING:
            raise MemoryProblem("strategy", strategy, f"must be one of {', '.join(FORGETTING)}")
        memories = list(self._shelf.all(memory_type))
        gone = forgettable(memories, strategy, self._clock.now(), threshold, max_age_days, capacity)
        for memory in gone:
            self._shelf.remove(memory)
        return gone

    def consolidate(
        self, source: MemoryType = "working", target: MemoryType = "episodic", threshold: float = 0.7
    ) -> list[Memory]:
        """Move what is important enough to a longer-lived type and return the new memories.

        The classic move is working to episodic at importance >= 0.7, which then counts 1.1 times as much.

        Raises:
            MemoryProblem: Source and target are the same or unknown.
        """
        if source == target:
            raise MemoryProblem("target", target, "must differ from the source")
        moved = []
        for memory in list(self._shelf.all(source)):
            if memory.importance >= threshold:
                stronger = min(1.0, memory.importance * 1.1)
                origin = {"consolidated_from": memory.id}
                moved.append(self.add(memory.content, target, stronger, {**memory.metadata, **origin}))
                self._shelf.remove(memory)
        return moved

    def summary(self, limit: int = 5) -> dict[str, Any]:
        """Return counts by type and the `limit` strongest and newest memories, as plain data."""
        return summary_of(list(self._shelf.all()), limit)

    def stats(self) -> dict[str, Any]:
        """Return how many memories there are, their mean importance and age range, by type."""
        return stats_of(list(self._shelf.all()))

    def clear(self, memory_type: MemoryType | None = None, *, confirm: bool = False) -> int:
        """Remove everything, or one type, and return how many there were.

        Raises:
            MemoryProblem: `confirm` is not True.
        """
        if confirm is not True:
            raise MemoryProblem("confirm", confirm, "must be True: clearing cannot be undone")
        memories = list(self._shelf.all(memory_type))
        for memory in memories:
            self._shelf.remove(memory)
        return len(memories)

    def count(self, session: str) -> int:
        """Return how many memories of any type came from a session."""
        return len(self._shelf.of(session))

    def erase(self, session: str) -> None:
        """Remove every memory that came from a session, so that nothing of it is left in the file."""
        for memory in self._shelf.of(session):
            self._shelf.remove(memory)
        if self._embedded is not None:
            self._embedded.shrink()

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the one-dictionary form, for example ``{"action": "search", "query": "…", "limit": 3}``.

        Returns plain data: ``{"memory": …}``, ``{"memories": […]}``, ``{"removed": n}``, or the summary itself.

        Raises:
            MemoryProblem: The action or one of its arguments is unknown or has a wrong value.
        """
        arguments = dict(request)
        action = arguments.pop("action", None)
        actions: dict[str, Callable[..., Any]] = {
            "add": self.add, "get": self.get, "search": self.search, "summary": self.summary, "stats": self.stats,
            "update": self.update, "remove": self.remove, "forget": self.forget, "consolidate": self.consolidate,
            "clear": self.clear,
        }  # fmt: skip
        if action not in actions:
            raise MemoryProblem("action", action, f"must be one of {', '.join(actions)}")
        try:
            result = actions[action](**arguments)
        except TypeError as error:
            raise MemoryProblem("arguments", arguments, f"do not fit {action}: {error}") from error
        if isinstance(result, Memory):
            return {"memory": plain(result)}
        if isinstance(result, list):
            return {"memories": [plain(each) for each in result], "count": len(result)}
        return {"removed": result} if isinstance(result, int) else result

    def close(self) -> None:
        """Close the embedded store's file; a store that was handed in stays open."""
        if self._embedded is not None:
            self._embedded.close()
