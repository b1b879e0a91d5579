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
from ...tools.database import damage_in, opening
from ...tools.files import TEMPORARY_SUFFIX, explained, remove
from .catalogue import SessionRecord
from .history import session_of
from .lock import clear_dead_writer, dead_writer, if_unused, writer_lock
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
    with opening(path):
        if not damage_in(path):
            return "another process has made it anew meanwhile"
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
            sessions.catalogue.read_if_there(path)
        except StoreError as error:
            yield Fault(where=path.name, problem=str(error), mend=partial(_set_aside, sessions, path))


def _set_aside(sessions: Sessions, path: Path) -> str:
    aside = path.with_name(f"{path.name}.damaged")
    with writer_lock(_locks(sessions), path.stem, path.stem, sessions.clock):
        with suppress(StoreError):
            sessions.catalogue.read(path)
            return "another process has written it anew meanwhile"
        with explained("rename", path):
            path.replace(aside)
        return _adopted(sessions, path, aside)


def _adopted(sessions: Sessions, path: Path, aside: Path) -> str:
    adopted = _adopt(sessions, path.stem) if path.stem in sessions.checkpointer.threads() else "it has no checkpoints"
    return f"{path.name} was set aside as {aside.name}; {adopted}"


def _threads_without_record(sessions: Sessions) -> Iterator[Fault]:
    """Yield the threads that were sessions of ours; those Studio names itself are left as they are."""
    for id_ in sessions.checkpointer.threads():
        path = sessions.catalogue.folder / f"{id_}.json"
        name = "" if path.exists() else session_of(sessions.checkpointer, id_)
        if not name or thread_id(name) != id_:
            continue
        with if_unused(_locks(sessions), id_) as unused:  # an import, or the end of a deletion, is no fault
            lost = unused and not path.exists() and session_of(sessions.checkpointer, id_) == name
        if lost:
            yield Fault(where=id_, problem="has checkpoints and no name", mend=partial(_listed_again, sessions, id_))


def _listed_again(sessions: Sessions, id_: str) -> str:
    with writer_lock(_locks(sessions), id_, id_, sessions.clock):
        if (sessions.catalogue.folder / f"{id_}.json").exists():
            return "another process has listed it again meanwhile"
        return _adopt(sessions, id_)


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
    if not _problem_of(sessions, record):
        return
    with if_unused(_locks(sessions), record.thread_id) as unused:  # one that is being deleted or written is no fault
        now = sessions.catalogue.find(record.name) if unused else None
        problem = _problem_of(sessions, now) if now else ""
    if problem:
        yield Fault(where=record.name, problem=problem, mend=partial(_gone_back, sessions, record.name))


def _problem_of(sessions: Sessions, record: SessionRecord) -> str:
    """Return why the newest step of a session cannot be read, or `""`."""
    config: RunnableConfig = {"configurable": {"thread_id": record.thread_id, "checkpoint_ns": ""}}
    try:
        stored = sessions.checkpointer.get_tuple(config)
    except StoreError as error:
        return str(error)
    return "has no checkpoint any more" if stored is None and record.checkpoint_id else ""


def _gone_back(sessions: Sessions, name: str) -> str:
    with sessions.locked(name):
        record = sessions.catalogue.get(name)
        told = last_good(sessions.checkpointer, record)
        newest = next((row.id for row in sessions.checkpointer.rows(record.thread_id)), "")
        sessions.catalogue.touch(record, checkpoint_id=newest)
    return told or f"session {name!r} can be read again"


def _left_overs(sessions: Sessions) -> Iterator[Fault]:
    locks = _locks(sessions)
    for record in _readable_records(sessions):
        if told := dead_writer(locks, record.thread_id):
            yield Fault(where=record.name, problem=told, mend=partial(_clear, locks, record))
    for path in sorted(sessions.catalogue.folder.glob(f".*{TEMPORARY_SUFFIX}")):
        with if_unused(locks, _thread_of(path)) as unused:  # a writer that lives is about to give it its name
            left = unused and path.exists()
        if left:
            yield Fault(
                where=path.name, problem="is the left-over of a killed write", mend=partial(_remove, locks, path)
            )


def _clear(locks: Path, record: SessionRecord) -> str:
    clear_dead_writer(locks, record.thread_id)
    return f"session {record.name!r} is free; `maintainer resume` finishes what is unfinished"


def _remove(locks: Path, path: Path) -> str:
    with if_unused(locks, _thread_of(path)) as unused:
        if not unused:
            raise StoreError(f"{path.name} is left as it is: another process is writing this session")
        remove(path)
    return f"{path.name} was removed"


def _thread_of(temporary: Path) -> str:
    """Return the thread whose record a temporary file was to become."""
    return temporary.name[1:].partition(".")[0]


def _locks(sessions: Sessions) -> Path:
    return sessions.home / "locks"
