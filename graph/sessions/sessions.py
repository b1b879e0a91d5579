"""All sessions of one home folder, and one of them opened for writing."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import RunControl
from langgraph.types import Command

from ...state.errors import SessionError
from ...state.session import SessionInput
from ...tools.clock import Clock
from ..checkpoints import Checkpointer, KeepPolicy
from .catalogue import SessionCatalogue, SessionRecord
from .lock import writer_lock
from .migrate import CURRENT, Schema, migrate_thread
from .names import thread_id
from .recover import last_good
from .resume import App, Limits, Turn, stream_thread
from .signals import draining


class Sessions:
    """The sessions of one home folder.

    Args:
        home: The folder the catalogue and the locks are in.
        checkpointer: Where the steps are.
        clock: For times in records and locks.
        policy: How much of the past is kept.
        schema: What this version reads and writes.
    """

    def __init__(
        self,
        home: Path,
        checkpointer: Checkpointer,
        *,
        clock: Clock,
        policy: KeepPolicy | None = None,
        schema: Schema = CURRENT,
    ) -> None:
        self.home = home
        self.checkpointer = checkpointer
        self.catalogue = SessionCatalogue(home / "sessions", clock)
        self.policy = policy or KeepPolicy()
        self._clock = clock
        self._schema = schema

    @contextmanager
    def writing(self, name: str, *, repo: str) -> Iterator["Session"]:
        """Open a session for writing, made where it is new; nobody else can write it meanwhile.

        Raises:
            SessionBusy: Another process is writing it.
            NewerSchema: A newer version wrote it; nothing is touched.
            SessionError: The name cannot be used, or the session belongs to another repository.
        """
        with self.locked(name) as left_over:
            record = self.catalogue.find(name)
            if record is not None and record.repo and repo and Path(record.repo) != Path(repo):
                if Path(record.repo).exists():
                    raise SessionError(
                        f"session {name!r} belongs to the repository {record.repo}, not {repo}: choose another name"
                    )
                record = self.catalogue.touch(record, repo=repo)  # the repository was moved; drift tells the model
            record = record or self.catalogue.create(name, repo)
            notices = [
                *self.checkpointer.findings,
                left_over,
                last_good(self.checkpointer, record),
                migrate_thread(self.checkpointer, record.thread_id, record.name, self._schema),
            ]
            yield Session(self, record, tuple(filter(None, notices)))

    @contextmanager
    def locked(self, name: str) -> Iterator[str]:
        """Hold the writer lock of a session; give a sentence about a writer that died, or ``""``."""
        with writer_lock(self.home / "locks", thread_id(name), name, self._clock) as left_over:
            yield left_over

    def prune(self, record: SessionRecord, policy: KeepPolicy | None = None) -> int:
        """Remove old checkpoints of a session by policy and return how many went."""
        marks = [*record.marks.values(), record.checkpoint_id]
        return self.checkpointer.prune_thread(record.thread_id, policy or self.policy, marks)


class Session:
    """One session, open for writing."""

    def __init__(self, sessions: Sessions, record: SessionRecord, notices: tuple[str, ...]) -> None:
        self._sessions = sessions
        self.record = record
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
            stack.callback(self._sessions.checkpointer.settle)
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

    def mark(self, label: str, checkpoint_id: str) -> SessionRecord:
        """Keep a checkpoint for ever under a label; return the record."""
        marks = {**self.record.marks, label: checkpoint_id}
        self.record = self._sessions.catalogue.touch(self.record, marks=marks)
        return self.record

    def _acknowledge(self, status: str, detail: str, turn: int | None = None) -> None:
        newest = next((row.id for row in self._sessions.checkpointer.rows(self.record.thread_id)), "")
        self.record = self._sessions.catalogue.touch(
            self.record,
            status=status,
            detail=detail,
            turns=self.record.turns if turn is None else turn,
            checkpoint_id=newest,
        )
        self._sessions.prune(self.record)
