"""All sessions of one home folder."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from langgraph.checkpoint.base import CheckpointTuple

from ...state.delegation import is_of
from ...state.errors import SessionError
from ...state.session import SessionState
from ...tools.clock import Clock
from ..checkpoints import Checkpointer, KeepPolicy
from .catalogue import SessionCatalogue, SessionRecord
from .deletion import Proof, SessionStore, erase_session
from .history import Step, copy_step, newest_state, session_of, state_of, steps, stored_at
from .lock import writer_lock
from .migrate import CURRENT, Schema, migrate_thread
from .names import thread_id
from .recover import last_good
from .session import Session, prune
from .transfer import Parcel, PortableStore, write_session


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
        self.clock = clock
        self._schema = schema

    @contextmanager
    def writing(self, name: str, *, repo: str) -> Iterator[Session]:
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
            yield Session(record, self.catalogue, self.checkpointer, self.policy, tuple(filter(None, notices)))

    @contextmanager
    def locked(self, name: str) -> Iterator[str]:
        """Hold the writer lock of a session; give a sentence about a writer that died, or ``""``."""
        with writer_lock(self.home / "locks", thread_id(name), name, self.clock) as left_over:
            yield left_over

    def prune(self, name: str, policy: KeepPolicy | None = None) -> int:
        """Remove old checkpoints of a session by policy and return how many went.

        Raises:
            UnknownSession: There is no such session.
            SessionBusy: Another process is writing it.
        """
        with self.locked(name):
            return prune(self.checkpointer, self.catalogue.get(name), policy or self.policy)

    def history(self, name: str) -> list[Step]:
        """Return the stored steps of a session, oldest first."""
        record = self.catalogue.get(name)
        return steps(self.checkpointer, record.thread_id, record.marks)

    def state_at(self, name: str, at: str) -> SessionState:
        """Return the state a session had at a step; `at` as `find` takes it."""
        return state_of(self._stored_at(self.catalogue.get(name), at)[1])

    def newest_state(self, name: str) -> SessionState | None:
        """Return the state a session has now; None before its first step.

        In one look: the newest of the steps that were just listed may be pruned already by the process that writes.
        """
        return newest_state(self.checkpointer, self.catalogue.get(name).thread_id)

    def fork(self, name: str, at: str, new_name: str) -> SessionRecord:
        """Make a new session that starts at a step of another one and shares only the past before it.

        Raises:
            UnknownSession: There is no such session.
            SessionError: The step is not stored, or the new name is taken.
        """
        source = self.catalogue.get(name)
        step, stored = self._stored_at(source, at)
        with self.locked(new_name):
            record = self.catalogue.create(
                new_name,
                source.repo,
                status="forked",
                turns=step.turn if not step.next else max(step.turn - 1, 0),
                checkpoint_id=step.checkpoint_id,
                parent=source.name,
                parent_turn=step.turn,
                forked_at=self.clock.now(),
            )
            try:
                named = {"session": record.name}
                copy_step(self.checkpointer, stored, record.thread_id, named)
            except BaseException:
                self.catalogue.remove(record)
                raise
        return record

    def threads(self, record: SessionRecord) -> Sequence[str]:
        """Return the session's own thread and those of sub-agents that a crash left unfinished."""
        known = {path.stem for path in self.catalogue.folder.glob("*.json")}
        nameless = [id_ for id_ in self.checkpointer.threads() if id_ not in known]
        named = {id_: session_of(self.checkpointer, id_) for id_ in nameless}
        return [record.thread_id, *(id_ for id_, name in named.items() if is_of(name, record.name))]

    def delete(self, name: str, stores: Sequence[SessionStore] = ()) -> Proof:
        """Remove everything of a session from the checkpoints and the given stores, and prove it.

        Raises:
            UnknownSession: There is no such session.
            SessionBusy: Somebody is writing it.
            StoreError: Something could not be removed; the session stays listed, so that it can be deleted again.
        """
        record = self.catalogue.get(name)
        with self.locked(name):
            proof = erase_session(record, (_Steps(self.checkpointer, self.threads(record)), *stores))
            self.catalogue.remove(record)
        return proof

    def export(self, name: str, path: Path, stores: Sequence[PortableStore] = ()) -> int:
        """Write a session into one portable file and return its size in bytes."""
        self.catalogue.get(name)
        with self.locked(name):
            record = self.catalogue.get(name)  # as it is now that nobody writes it
            return write_session(path, record, self.checkpointer, self._schema.version, stores)

    def take(self, path: Path, name: str | None = None, stores: Sequence[PortableStore] = ()) -> SessionRecord:
        """Import a session file, under another name if one is given, and return its record.

        Raises:
            SessionError: The file is damaged or no session file, or the name is taken. Nothing is changed.
            NewerSchema: A newer version wrote it.
        """
        parcel = Parcel(path, self._schema.version)
        new_name = parcel.record.name if name is None else name
        record = replace(parcel.record, name=new_name, thread_id=thread_id(new_name))
        with self.locked(new_name):
            if self.catalogue.find(new_name) or self.checkpointer.count(record.thread_id):
                raise SessionError(f"a session {new_name!r} exists: import it under another name with --as")
            parcel.restore(self.checkpointer, record)
            for store in stores:
                store.take(record, parcel.lines(store.name))
            self.catalogue.save(record)
            migrate_thread(self.checkpointer, record.thread_id, record.name, self._schema)
        return record

    def _stored_at(self, record: SessionRecord, at: str) -> tuple[Step, CheckpointTuple]:
        return stored_at(self.checkpointer, record.thread_id, at, record.marks)


class _Steps:
    """The checkpoints of one session as a store that can be erased."""

    name = "checkpoints"

    def __init__(self, saver: Checkpointer, ids: Sequence[str]) -> None:
        self._saver, self._ids = saver, ids

    def count(self, session: str) -> int:  # noqa: ARG002 - they are of one session
        return sum(map(self._saver.count, self._ids))

    def erase(self, session: str) -> None:  # noqa: ARG002
        for id_ in self._ids:
            self._saver.erase(id_)
