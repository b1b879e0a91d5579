"""A session whose newest checkpoint cannot be read goes on from the newest one that can, and says what was lost."""

from langchain_core.runnables import RunnableConfig

from ...state.errors import StoreError
from ..checkpoints import Checkpointer
from .catalogue import SessionRecord
from .history import Step, as_step


def last_good(saver: Checkpointer, record: SessionRecord) -> str:
    """Make the newest readable checkpoint the session's newest; return what was lost in one sentence, or ``""``.

    Raises:
        StoreError: No checkpoint of the session can be read; nothing is removed.
    """
    rows = [row for row in saver.rows(record.thread_id) if not row.namespace]
    broken: list[str] = []
    first: StoreError | None = None
    for row in rows:
        config: RunnableConfig = {
            "configurable": {"thread_id": record.thread_id, "checkpoint_ns": "", "checkpoint_id": row.id}
        }
        try:
            stored = saver.get_tuple(config)
        except StoreError as error:
            broken.append(row.id)
            first = first or error
            continue
        if broken:
            saver.drop(record.thread_id, broken)
        return _lost(record, as_step(stored, {}) if stored else None, len(broken))
    if first:
        raise StoreError(
            f"none of the {len(broken)} checkpoints of session {record.name!r} can be read: {first}"
        ) from first
    return _lost(record, None, 0)


def _lost(record: SessionRecord, good: Step | None, broken: int) -> str:
    """Compare what is left with what was acknowledged to the user."""
    if good is not None and good.checkpoint_id >= record.checkpoint_id:
        told = f"{broken} damaged steps after turn {record.turns} were removed; nothing acknowledged is lost"
        return told if broken else ""
    if not record.checkpoint_id:
        return ""
    turn = good.turn if good else 0
    if good is not None and good.next and turn >= record.turns:
        return f"the last steps of turn {turn} of session {record.name!r} were damaged: they are done again"
    first = min(turn + 1, record.turns)
    turns = f"turn {first}" if first == record.turns else f"turns {first} to {record.turns}"
    return (
        f"{turns} of session {record.name!r} can no longer be read from its checkpoints; it goes on after turn {turn}; "
        "what was said is still in the archive"
    )
