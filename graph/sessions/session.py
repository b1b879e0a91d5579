"""One session, open for writing: run on, acknowledged, pruned."""

from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import RunControl
from langgraph.types import Command

from ...state.session import SessionInput
from ..checkpoints import Checkpointer, KeepPolicy
from .catalogue import SessionCatalogue, SessionRecord
from .names import label
from .resume import App, Limits, Turn, stream_thread
from .signals import draining


class Session:
    """One session, open for writing."""

    def __init__(
        self,
        record: SessionRecord,
        catalogue: SessionCatalogue,
        checkpointer: Checkpointer,
        policy: KeepPolicy,
        notices: tuple[str, ...],
    ) -> None:
        self.record = record
        self._catalogue, self._checkpointer, self._policy = catalogue, checkpointer, policy
        self.notices = notices
        """What the user must be told once: damage, a writer that died, an upgrade."""

    @property
    def config(self) -> RunnableConfig:
        """Return what names this session's thread to LangGraph."""
        record = self.record
        return {"configurable": {"thread_id": record.thread_id, "session": record.name, "repo": record.repo}}

    def stream(
        self,
        app: App,
        new_input: SessionInput | Command[Any] | None,
        context: Any,
        *,
        limits: Limits | None = None,
        control: RunControl | None = None,
    ) -> Generator[Any, None, Turn]:
        """Yield what happens while the session runs on, and return how far it came, acknowledged.

        Acknowledged means: on disk, safe from a power cut, and in the catalogue. Ctrl-C and SIGTERM stop at the next
        step border. See `stream_thread` for what runs and what is raised.
        """
        control = control or RunControl()
        notices, self.notices = self.notices, ()
        with ExitStack() as stack:
            stack.enter_context(draining(control))
            stack.callback(self._checkpointer.settle)
            try:
                turn = yield from stream_thread(app, self.config, new_input, context, limits=limits, control=control)
            except Exception as error:
                self._acknowledge("failed", f"{type(error).__name__}: {error}"[:500])
                raise
        self._acknowledge(turn.status, turn.detail, turn.state.turn)
        return replace(turn, notices=notices)

    def run(
        self,
        app: App,
        new_input: SessionInput | Command[Any] | None,
        context: Any,
        *,
        limits: Limits | None = None,
        control: RunControl | None = None,
    ) -> Turn:
        """Run the session on and return how far it came, acknowledged; as `stream`, without the parts."""
        parts = self.stream(app, new_input, context, limits=limits, control=control)
        while True:
            try:
                next(parts)
            except StopIteration as stop:
                turn: Turn = stop.value
                return turn

    def mark(self, text: str, checkpoint_id: str) -> SessionRecord:
        """Keep a checkpoint for ever under a label; return the record. Raises as `names.label`."""
        marks = {**self.record.marks, label(text): checkpoint_id}
        self.record = self._catalogue.touch(self.record, marks=marks)
        return self.record

    def _acknowledge(self, status: str, detail: str, turn: int | None = None) -> None:
        newest = next((row.id for row in self._checkpointer.rows(self.record.thread_id)), "")
        self.record = self._catalogue.touch(
            self.record,
            status=status,
            detail=detail,
            turns=self.record.turns if turn is None else turn,
            checkpoint_id=newest,
        )
        prune(self._checkpointer, self.record, self._policy)


def prune(checkpointer: Checkpointer, record: SessionRecord, policy: KeepPolicy) -> int:
    """Remove old checkpoints of a session, never a marked or acknowledged one; return how many went."""
    return checkpointer.prune_thread(record.thread_id, policy, [*record.marks.values(), record.checkpoint_id])
