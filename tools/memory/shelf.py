"""Where memories stand: any of LangGraph's stores, seen by one session."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...state.errors import MemoryProblem
from ...state.memories import MEMORY_TYPES, Memory, MemoryType
from .records import memory_of, namespace, plain

if TYPE_CHECKING:
    from langgraph.store.base import BaseStore

_PAGE = 1000


class Shelf:
    """The memories a session may see in a store: its own working memory, and everything longer-lived."""

    def __init__(self, store: "BaseStore", session: str) -> None:
        self._store, self._session = store, session

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Keep what the block reads as it is until the block has written, where the store can promise that."""
        exclusive = getattr(self._store, "exclusive", None)  # LangGraph's own stores have no such promise
        if exclusive is None:
            yield
            return
        with exclusive():
            yield

    def put(self, memory: Memory) -> None:
        """Keep a memory, in the place of the one with its id."""
        value = plain(memory)
        del value["score"]
        self._store.put(namespace(memory.type, memory.session), memory.id, value, index=False)

    def get(self, memory_id: str) -> Memory | None:
        """Return a memory; None where no visible one has this id."""
        for memory_type in MEMORY_TYPES:
            item = self._store.get(namespace(memory_type, self._session), memory_id)
            if item is not None:
                return memory_of(item.value)
        return None

    def remove(self, memory: Memory) -> None:
        """Remove a memory."""
        self._store.delete(namespace(memory.type, memory.session), memory.id)

    def all(self, memory_type: MemoryType | None = None) -> Iterator[Memory]:
        """Yield the visible memories, of one type or of all.

        Raises:
            MemoryProblem: The type is unknown.
        """
        if memory_type is not None and memory_type not in MEMORY_TYPES:
            raise MemoryProblem("memory_type", memory_type, f"must be one of {', '.join(MEMORY_TYPES)}")
        for each in (memory_type,) if memory_type else MEMORY_TYPES:
            offset, known, more = 0, set[str](), True
            while more:
                page = self._store.search(namespace(each, self._session), limit=_PAGE, offset=offset)
                # what another process writes between two pages pushes a memory from the one onto the other
                yield from (memory_of(item.value) for item in page if item.key not in known)
                known.update(item.key for item in page)
                offset, more = offset + len(page), len(page) == _PAGE

    def of(self, session: str) -> list[Memory]:
        """Return every memory that came from a session."""
        return [memory for memory in Shelf(self._store, session).all() if memory.session == session]
