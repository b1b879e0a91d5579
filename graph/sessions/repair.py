"""What is wrong with the stored sessions, and how each fault is mended: for `maintainer doctor --repair`."""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from langchain_core.runnables import RunnableConfig

from ...state.errors import StoreError
from ...tools.archive import Archive
from ...tools.database import damage_in
from ...tools.files import TEMPORARY_SUFFIX, explained, remove
from .catalogue import SessionRecord
from .history import session_of
from .lock import clear_dead_writer, dead_writer
from .names import thread_id
from .recover import last_good
from .sessions import Sessions

_DATABASES = ("*/*.sqlite", "*/*.db", "*/turns/*.sqlite")
"""Where the tools keep theirs, below the home folder."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that is wrong; nothing has been changed yet."""

    where: str
    problem: str
    mend: Callable[[], str]
    """Mends it and returns what was done in one sentence. Raises StoreError where it cannot be mended."""


def faults(sessions: Sessions) -> Iterator[Fault]:
    """Yield what is wrong with the databases, the catalogue, the checkpoints and the locks of a home folder."""
    yield from _damaged_databases(sessions)
    yield from _damaged_archive(sessions)
    yield from _broken_records(sessions)
    yield from _threads_without_record(sessions)
    for record in _readable_records(sessions):
        yield from _unreadable_steps(sessions, record)
    yield from _left_overs(sessions)


def _damaged_databases(sessions: Sessions) -> Iterator[Fault]:
    """Yield the databases beside the checkpoints (which mend themselves) that nothing could open or trust."""
    for path in sorted(each for pattern in _DATABASES for each in sessions.home.glob(pattern)):
        if problem := damage_in(path):
            where = path.relative_to(sessions.home).as_posix()
            yield Fault(where=where, problem=problem, mend=partial(_started_afresh, path))


def _damaged_archive(sessions: Sessions) -> Iterator[Fault]:
    """Yield the records of the archive that can no longer be read. Turns are read past them, so none is removed."""
    folder = sessions.home / "archive"
    if not folder.is_dir():
        return
    with closing(Archive(folder)) as archive:
        for where in archive.damaged():
            yield Fault(where="archive", problem=f"{where} is damaged", mend=partial(_not_mended, folder))


def _not_mended(folder: Path) -> str:
    raise StoreError(f"sessions go on without what stood there; to have it again, restore {folder} from a backup")


def _started_afresh(path: Path) -> str:
    aside = path.with_name(f"{path.name}.damaged")
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            with explained("rename", part):
                part.replace(aside.with_name(aside.name + ending))
    return f"it was set aside as {aside.name}; the next turn starts a new one"


def _readable_records(sessions: Sessions) -> list[SessionRecord]:
    found = []
    for path in sorted(sessions.catalogue.folder.glob("*.json")):
        with suppress(StoreError):
            found.append(sessions.catalogue.read(path))
    return found


def _broken_records(sessions: Sessions) -> Iterator[Fault]:
    for path in sorted(sessions.catalogue.folder.glob("*.json")):
        try:
            sessions.catalogue.read(path)
        except StoreError as error:
            yield Fault(where=path.name, problem=str(error), mend=partial(_set_aside, sessions, path))


def _set_aside(sessions: Sessions, path: Path) -> str:
    aside = path.with_name(f"{path.name}.damaged")
    with explained("rename", path):
        path.replace(aside)
    adopted = _adopt(sessions, path.stem) if path.stem in sessions.checkpointer.threads() else "it has no checkpoints"
    return f"{path.name} was set aside as {aside.name}; {adopted}"


def _threads_without_record(sessions: Sessions) -> Iterator[Fault]:
    """Yield the threads that were sessions of ours; those Studio names itself are left as they are."""
    known = {path.stem for path in sessions.catalogue.folder.glob("*.json")}
    for id_ in sessions.checkpointer.threads():
        name = session_of(sessions.checkpointer, id_) if id_ not in known else ""
        if name and thread_id(name) == id_:
            yield Fault(where=id_, problem="has checkpoints and no name", mend=partial(_adopt, sessions, id_))


def _adopt(sessions: Sessions, id_: str) -> str:
    """Make a record for a thread that has none, under the name its state holds."""
    config: RunnableConfig = {"configurable": {"thread_id": id_, "checkpoint_ns": ""}}
    stored = sessions.checkpointer.get_tuple(config)
    values = stored.checkpoint["channel_values"] if stored else {}
    name = session_of(sessions.checkpointer, id_)
    if stored is None or not name or thread_id(name) != id_:
        return f"thread {id_} was made elsewhere (Studio names threads itself): it is left as it is"
    made = datetime.fromisoformat(stored.checkpoint["ts"])
    sessions.catalogue.save(
        SessionRecord(
            name=name,
            thread_id=id_,
            repo=str(values.get("repo") or ""),
            created_at=made,
            updated_at=made,
            turns=int(values.get("turn") or 0),
            checkpoint_id=stored.checkpoint["id"],
            status="finished",
            detail="listed again by doctor --repair",
        )
    )
    return f"session {name!r} is listed again"


def _unreadable_steps(sessions: Sessions, record: SessionRecord) -> Iterator[Fault]:
    config: RunnableConfig = {"configurable": {"thread_id": record.thread_id, "checkpoint_ns": ""}}
    try:
        stored = sessions.checkpointer.get_tuple(config)
        if stored is not None or not record.checkpoint_id:
            return
        problem = "has no checkpoint any more"
    except StoreError as error:
        problem = str(error)

    def mend() -> str:
        with sessions.locked(record.name):
            told = last_good(sessions.checkpointer, record)
            newest = next((row.id for row in sessions.checkpointer.rows(record.thread_id)), "")
            sessions.catalogue.touch(record, checkpoint_id=newest)
        return told or f"session {record.name!r} can be read again"

    yield Fault(where=record.name, problem=problem, mend=mend)


def _left_overs(sessions: Sessions) -> Iterator[Fault]:
    locks = sessions.home / "locks"
    for record in _readable_records(sessions):
        if told := dead_writer(locks, record.thread_id):
            yield Fault(where=record.name, problem=told, mend=partial(_clear, locks, record))
    for path in sorted(sessions.catalogue.folder.glob(f".*{TEMPORARY_SUFFIX}")):
        yield Fault(where=path.name, problem="is the left-over of a killed write", mend=partial(_remove, path))


def _clear(locks: Path, record: SessionRecord) -> str:
    clear_dead_writer(locks, record.thread_id)
    return f"session {record.name!r} is free; `maintainer resume` finishes what is unfinished"


def _remove(path: Path) -> str:
    remove(path)
    return f"{path.name} was removed"
