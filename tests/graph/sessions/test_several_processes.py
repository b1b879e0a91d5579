"""What only goes wrong where others write, delete or look at the sessions of one home at the same moment."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import typer
from langgraph.types import Command
from maintainer.graph.checkpoints import Checkpointer, KeepPolicy, open_checkpointer
from maintainer.graph.checkpoints.sqlite import SqliteCheckpointer
from maintainer.graph.cli import Commands
from maintainer.graph.cli.sessions import register
from maintainer.graph.sessions import SessionCatalogue, SessionRecord, Sessions, thread_id
from maintainer.graph.sessions.lock import if_unused
from maintainer.graph.sessions.repair import faults
from maintainer.state.errors import StoreError
from maintainer.state.session import SessionInput
from typer.testing import CliRunner

MAIN = thread_id("main")


@pytest.fixture
def asked(app: Any, sessions: Sessions) -> Any:
    """Give a function that asks a session; `main` has been asked three times."""

    def ask(request: str, name: str = "main") -> None:
        with sessions.writing(name, repo="/repo") as session:
            session.run(app, SessionInput(request=request, turn_id=uuid4().hex), None)

    for request in ("one", "two", "three"):
        ask(request)
    return ask


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Checkpointer]:
    """The same checkpoints, as another process has them open."""
    opened = open_checkpointer(tmp_path / "home" / "checkpoints.sqlite")
    yield opened
    opened.close()


def test_a_session_that_is_deleted_while_all_are_listed_is_left_out(
    asked: Any, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked("one", "other")
    read = SessionCatalogue.read

    def deleted_meanwhile(self: SessionCatalogue, path: Path) -> SessionRecord:
        for other in {*self.folder.glob("*.json")} - {path}:
            other.unlink()
        return read(self, path)

    monkeypatch.setattr(SessionCatalogue, "read", deleted_meanwhile)
    assert len(sessions.catalogue.list()) == 1


@pytest.mark.parametrize("step", ["_whole", "_read_known"])
def test_who_reads_the_past_while_it_is_pruned_sees_it_as_it_was(
    asked: Any, saver: Checkpointer, elsewhere: Checkpointer, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    whole = getattr(SqliteCheckpointer, step)

    def pruned_meanwhile(self: SqliteCheckpointer, *given: Any) -> Any:
        monkeypatch.setattr(SqliteCheckpointer, step, whole)
        assert elsewhere.prune_thread(MAIN, KeepPolicy(steps=1, turns=1))
        return whole(self, *given)

    assert isinstance(saver, SqliteCheckpointer)
    saver._known.clear()
    many = len(elsewhere.rows(MAIN))
    monkeypatch.setattr(SqliteCheckpointer, step, pruned_meanwhile)
    reading = saver.rows(MAIN) if step == "_read_known" else [*saver.list({"configurable": {"thread_id": MAIN}})]
    assert len(reading) == many


def test_a_step_that_is_pruned_while_it_is_forked_is_forked(
    asked: Any, sessions: Sessions, elsewhere: Checkpointer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the writer does it at the end of each turn."""
    create = SessionCatalogue.create

    def pruned_meanwhile(self: SessionCatalogue, *given: Any, **more: Any) -> SessionRecord:
        assert elsewhere.prune_thread(MAIN, KeepPolicy(steps=1, turns=1))
        return create(self, *given, **more)

    monkeypatch.setattr(SessionCatalogue, "create", pruned_meanwhile)
    sessions.fork("main", "t1", "try")
    assert sessions.state_at("try", "t1").answer == "one!"


def test_where_a_session_stands_is_told_while_it_goes_on(
    asked: Any, app: Any, sessions: Sessions, elsewhere: Checkpointer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked("ask me")
    listed = Sessions.history

    def gone_on_meanwhile(self: Sessions, name: str) -> Any:
        found = listed(self, name)
        with sessions.writing("main", repo="/repo") as session:
            session.run(app, Command(resume="yes"), None)
        elsewhere.prune_thread(MAIN, KeepPolicy(steps=1, turns=1))
        return found

    monkeypatch.setattr(Sessions, "history", gone_on_meanwhile)
    cli = typer.Typer(cls=Commands)
    register(cli)
    words = ["sessions", "show", "main", "--repo", str(tmp_path), "--home", str(tmp_path / "home")]
    result = CliRunner().invoke(cli, words)
    assert (result.exit_code, result.stderr) == (0, "")


def test_what_a_living_writer_is_about_to_rename_is_no_left_over(asked: Any, sessions: Sessions) -> None:
    temporary = sessions.catalogue.folder / f".{MAIN}.json.0123456789ab.tmp"
    temporary.write_text("{}")
    (fault,) = faults(sessions)
    with sessions.locked("main"):
        assert [*faults(sessions)] == []
        with pytest.raises(StoreError, match="another process is writing"):
            fault.mend()
        assert temporary.exists()
    assert "was removed" in fault.mend()
    assert not temporary.exists()


def test_a_session_that_is_being_deleted_or_imported_is_no_fault(
    asked: Any, sessions: Sessions, saver: Checkpointer
) -> None:
    record = sessions.catalogue.get("main")
    with sessions.locked("main"):
        saver.delete_thread(MAIN)
        assert [*faults(sessions)] == []
    assert [fault.problem for fault in faults(sessions)] == ["has no checkpoint any more"]
    asked("again", "other")
    sessions.catalogue.remove(record)
    sessions.catalogue.remove(sessions.catalogue.get("other"))
    with sessions.locked("other"):
        assert [*faults(sessions)] == []
    assert [fault.problem for fault in faults(sessions)] == ["has checkpoints and no name"]


def test_a_mended_session_keeps_what_was_written_since_the_fault_was_found(
    asked: Any, sessions: Sessions, saver: Checkpointer
) -> None:
    saver.delete_thread(MAIN)
    (fault,) = faults(sessions)
    with sessions.writing("main", repo="/repo") as session:
        session.mark("release", "some checkpoint")
    fault.mend()
    assert sessions.catalogue.get("main").marks == {"release": "some checkpoint"}


def test_a_session_that_was_listed_again_meanwhile_is_not_listed_twice(asked: Any, sessions: Sessions) -> None:
    record = sessions.catalogue.get("main")
    sessions.catalogue.remove(record)
    (fault,) = faults(sessions)
    sessions.catalogue.save(record)
    fault.mend()
    assert sessions.catalogue.get("main") == record


def test_a_database_another_process_has_made_anew_is_not_set_aside(asked: Any, sessions: Sessions) -> None:
    path = sessions.home / "receipts" / "receipts.db"
    path.parent.mkdir()
    path.write_bytes(b"no database" * 100)
    (fault,) = faults(sessions)
    path.unlink()
    sqlite3.connect(path).close()
    fault.mend()
    assert [each.name for each in path.parent.glob("receipts*")] == ["receipts.db"]


def test_a_writer_waits_for_who_only_looks_whether_somebody_writes(sessions: Sessions) -> None:
    looking, seen = threading.Event(), threading.Event()

    def look() -> None:
        with if_unused(sessions.home / "locks", MAIN) as unused:
            assert unused
            looking.set()
            seen.wait(0.1)

    thread = threading.Thread(target=look)
    thread.start()
    assert looking.wait(60)
    with sessions.writing("main", repo="/repo") as session:
        assert session.record.name == "main"
    thread.join()
