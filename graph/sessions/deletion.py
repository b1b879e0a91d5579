"""Deleting a session from every store, and proving that nothing of it is left."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from ...state.errors import StoreError
from .catalogue import SessionRecord


class SessionStore(Protocol):
    """A store that keeps something of sessions: archive, receipts, vectors, memory."""

    @property
    def name(self) -> str:
        """Return what the proof calls this store."""
        ...

    def count(self, session: str) -> int:
        """Return how many entries belong to a session, by its name."""
        ...

    def erase(self, session: str) -> None:
        """Remove all of them for good."""
        ...


@dataclass(frozen=True, kw_only=True)
class Erased:
    """What one store held of a session, and holds now."""

    store: str
    before: int
    after: int


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What was removed of a session, store by store, counted again afterwards."""

    session: str
    thread_id: str
    stores: tuple[Erased, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the proof as plain JSON values."""
        return asdict(self)


def erase_session(record: SessionRecord, stores: Sequence[SessionStore]) -> Proof:
    """Remove a session from each store, count again, and return the proof.

    Raises:
        StoreError: Something is left; names the store. The other stores are done by then.
    """
    results = []
    for store in stores:
        before = store.count(record.name)
        store.erase(record.name)
        results.append(Erased(store=store.name, before=before, after=store.count(record.name)))
    left = [result for result in results if result.after]
    if left:
        names = ", ".join(f"{result.after} entries in {result.store}" for result in left)
        raise StoreError(f"session {record.name!r} is not wholly deleted: {names} are left; delete it again")
    return Proof(session=record.name, thread_id=record.thread_id, stores=tuple(results))
