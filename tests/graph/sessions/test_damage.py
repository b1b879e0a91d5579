"""Torn, truncated, overwritten, full, read-only: noticed, told exactly, and gone on from the last good state."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from maintainer.graph.checkpoints import KeepPolicy, open_checkpointer, sqlite_file
from maintainer.graph.sessions import Sessions, thread_id
from maintainer.graph.sessions.repair import faults
from maintainer.state.errors import ConfigError, SessionError, StoreError
from maintainer.state.session import SessionInput
from maintainer.tools.archive import Archive
from maintainer.tools.fakes import FixedClock


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def database(home: Path) -> Path:
    return home / "checkpoints.sqlite"


def ask(app: Any, sessions: Sessions, *requests: str, name: str = "main") -> Any:
    with sessions.writing(name, repo="/repo") as session:
        return [session.run(app, SessionInput(request=request, turn_id=uuid4().hex), None) for request in requests][-1]


def again(home: Path, rebuild: Callable[..., Any], journal: Any) -> tuple[Sessions, Any]:
    """Open the home folder as the next process would."""
    saver = open_checkpointer(home / "checkpoints.sqlite")
    return Sessions(home, saver, clock=FixedClock()), rebuild(saver, journal)


def test_a_torn_write_ahead_log_costs_nothing_acknowledged(
    app: Any, sessions: Sessions, home: Path, database: Path, rebuild: Any, journal: Any
) -> None:
    ask(app, sessions, "one", "two")
    log = database.with_name("checkpoints.sqlite-wal")
    crashed = home / "crashed"
    crashed.mkdir()
    (crashed / database.name).write_bytes(database.read_bytes())
    (crashed / log.name).write_bytes(log.read_bytes()[:-1000] + os.urandom(500))

    saver = open_checkpointer(crashed / database.name)
    state = rebuild(saver, journal).get_state({"configurable": {"thread_id": thread_id("main")}})

    assert saver.findings == ()
    assert (state.values["answer"], state.values["turn"]) == ("two!", 2)
    saver.close()


def test_a_damaged_file_is_set_aside_and_what_is_readable_is_saved(
    app: Any, sessions: Sessions, home: Path, database: Path, rebuild: Any, journal: Any, saver: Any
) -> None:
    for number in range(12):
        ask(app, sessions, f"request {number} " + "x" * 3000, name=f"session {number}")
    saver.close()
    data = bytearray(database.read_bytes())
    page = 4096
    for start in range(20 * page, 26 * page):  # six pages in the middle
        data[start] ^= 0xFF
    database.write_bytes(data)

    found, app = again(home, rebuild, journal)

    (finding,) = found.checkpointer.findings
    assert "checkpoints.sqlite was damaged" in finding
    aside = next(path for path in home.iterdir() if "damaged" in path.name)
    assert aside.read_bytes() == bytes(data)
    turns = [ask(app, found, "more", name=f"session {number}") for number in range(12)]
    assert all(turn.status == "finished" for turn in turns)
    told = [any("session '" in notice for notice in turn.notices) for turn in turns]
    assert all(turn.state.turn == 2 or was_told for turn, was_told in zip(turns, told, strict=True))
    assert 1 <= sum(told) <= 6
    found.checkpointer.close()


def test_a_file_that_is_no_database_is_set_aside_and_the_loss_is_told(
    app: Any, sessions: Sessions, home: Path, database: Path, rebuild: Any, journal: Any, saver: Any
) -> None:
    ask(app, sessions, "one", "two")
    saver.close()
    database.write_bytes(b"\0" * 5000)

    found, app = again(home, rebuild, journal)
    turn = ask(app, found, "three")

    assert (turn.status, turn.state.turn) == ("finished", 1)
    assert any("turns 1 to 2 of session 'main' can no longer be read" in notice for notice in turn.notices)
    found.checkpointer.close()


def test_nothing_is_acknowledged_that_went_into_a_file_another_process_has_set_aside(
    app: Any, sessions: Sessions, home: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(app, sessions, "one")
    with monkeypatch.context() as damaged:
        damaged.setattr(sqlite_file, "is_damaged", lambda _: True)
        elsewhere = open_checkpointer(database)
    with pytest.raises(StoreError, match="set it aside"):
        ask(app, sessions, "two")
    assert sessions.catalogue.get("main").turns == 1
    assert Sessions(home, elsewhere, clock=FixedClock()).state_at("main", "t1").answer == "one!"
    elsewhere.close()


def spoil(database: Path, checkpoint_id: str) -> None:
    """Zero bytes inside one stored step, as a torn page does; SQLite itself does not notice."""
    with sqlite3.connect(database) as connection:
        (blob,) = connection.execute(
            "SELECT checkpoint FROM checkpoints WHERE checkpoint_id = ?", [checkpoint_id]
        ).fetchone()
        torn = blob[: len(blob) // 2] + b"\0" * 20 + blob[len(blob) // 2 + 20 :]
        connection.execute("UPDATE checkpoints SET checkpoint = ? WHERE checkpoint_id = ?", [torn, checkpoint_id])
    connection.close()


def test_a_step_whose_bytes_changed_is_noticed_and_the_one_before_is_taken(
    app: Any, sessions: Sessions, database: Path
) -> None:
    ask(app, sessions, "one", "two")
    spoil(database, sessions.history("main")[-1].checkpoint_id)

    turn = ask(app, sessions, "three")

    (notice,) = turn.notices
    assert notice == "the last steps of turn 2 of session 'main' were damaged: they are done again"
    assert [message.content for message in turn.state.history] == ["one", "two", "three"]


def test_a_session_of_which_nothing_can_be_read_is_not_overwritten(
    app: Any, sessions: Sessions, database: Path
) -> None:
    ask(app, sessions, "one")
    steps = sessions.history("main")
    for step in steps:
        spoil(database, step.checkpoint_id)

    with pytest.raises(StoreError, match=f"none of the {len(steps)} checkpoints"):
        ask(app, sessions, "two")

    assert len(sessions.checkpointer.rows(thread_id("main"))) == len(steps)


def test_a_full_disk_stores_nothing_of_the_step_and_says_so(app: Any, sessions: Sessions, saver: Any) -> None:
    ask(app, sessions, "one")
    (pages,) = saver.conn.execute("PRAGMA page_count").fetchone()
    saver.conn.execute(f"PRAGMA max_page_count = {pages + 1}")

    with pytest.raises(StoreError, match="the disk is full"):
        ask(app, sessions, "x" * 50_000)

    saver.conn.execute("PRAGMA max_page_count = 1000000")
    turn = ask(app, sessions, "two")
    assert (turn.state.answer, turn.state.turn) == ("two!", 2)
    assert [message.content for message in turn.state.history] == ["one", "two"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with pytest.raises(StoreError, match=str(folder)):
        open_checkpointer(folder / "checkpoints.sqlite")


def test_a_path_through_a_file_or_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot make the folder"):
        open_checkpointer(tmp_path / "file" / "checkpoints.sqlite")
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "elsewhere.sqlite")
    with pytest.raises(StoreError, match="symbolic link"):
        open_checkpointer(tmp_path / "link.sqlite")


@pytest.mark.parametrize("url", ["", "mysql://x", "sessions.txt", "redis://localhost"])
def test_a_url_that_names_no_store_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="must be memory"):
        open_checkpointer(url)


@pytest.mark.parametrize("key", [b"", b"short", b"x" * 33])
def test_a_key_of_the_wrong_length_is_refused(key: bytes) -> None:
    with pytest.raises(ConfigError, match="16, 24 or 32"):
        open_checkpointer("memory", key=key)


def test_a_server_that_is_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    from maintainer.graph.checkpoints import postgres

    monkeypatch.setattr(postgres, "CONNECT_TIMEOUT_S", 0.2)
    with pytest.raises(StoreError, match="cannot connect to PostgreSQL"):
        open_checkpointer("postgresql://nobody@127.0.0.1:1/none")


@pytest.mark.parametrize("wrong", [{"steps": 0}, {"turns": 0}, {"steps": True}, {"turns": 1.5}])
def test_a_policy_that_would_keep_nothing_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        KeepPolicy(**wrong)


def test_the_doctor_finds_nothing_wrong_with_sound_sessions(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one")
    assert list(faults(sessions)) == []


def test_the_doctor_lists_a_session_again_whose_record_is_damaged_or_gone(
    app: Any, sessions: Sessions, home: Path
) -> None:
    ask(app, sessions, "one")
    ask(app, sessions, "two", name="other")
    (home / "sessions" / f"{thread_id('main')}.json").write_text('{"name": ')
    (home / "sessions" / f"{thread_id('other')}.json").unlink()
    with pytest.raises(StoreError, match="doctor --repair"):
        sessions.catalogue.get("main")

    done = [fault.mend() for fault in faults(sessions)]

    assert len(done) == 2
    assert {record.name: record.turns for record in sessions.catalogue.list()} == {"main": 1, "other": 1}
    assert list(faults(sessions)) == []
    assert ask(app, sessions, "three").state.turn == 2


def test_the_doctor_names_a_damaged_record_of_the_archive_and_takes_nothing_away(sessions: Sessions) -> None:
    folder = sessions.home / "archive"
    with closing(Archive(folder)) as archive:
        handles = [archive.put(text) for text in ("first", "second", "third")]
    log = folder / "log" / "000000.log"
    log.write_bytes(log.read_bytes().replace(b"second", b"Second"))

    (fault,) = faults(sessions)

    assert "000000.log at byte" in fault.problem
    with pytest.raises(StoreError, match="restore"):
        fault.mend()
    with closing(Archive(folder)) as archive:
        assert [archive.get(handle) for handle in (handles[0], handles[2])] == ["first", "third"]


def test_the_doctor_leaves_threads_of_studio_alone(app: Any, sessions: Sessions) -> None:
    app.invoke({"request": "hi"}, {"configurable": {"thread_id": str(uuid4())}}, durability="sync")
    assert list(faults(sessions)) == []


def test_the_doctor_clears_what_a_killed_writer_left(app: Any, sessions: Sessions, home: Path) -> None:
    ask(app, sessions, "one")
    holder = {"pid": 1, "host": "h", "user": "u", "since": "2026-01-01T00:00:00+00:00"}
    (home / "locks" / f"{thread_id('main')}.holder").write_text(json.dumps(holder))
    (home / "sessions" / ".x.json.abc.tmp").write_text("{")

    done = [fault.mend() for fault in faults(sessions)]

    assert any("is free" in told for told in done)
    assert list(faults(sessions)) == []


def test_the_doctor_does_not_touch_a_writer_that_lives(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one")
    with sessions.writing("main", repo="/repo"):
        assert list(faults(sessions)) == []


def test_an_export_of_which_one_byte_changed_is_refused_and_nothing_is_imported(
    app: Any, sessions: Sessions, tmp_path: Path
) -> None:
    ask(app, sessions, "one")
    path = tmp_path / "s.zip"
    sessions.export("main", path)
    whole = path.read_bytes()
    for place in range(40, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            record = sessions.take(path, "copy")
        except SessionError:
            pass
        else:  # a byte of the zip's own dates or names of systems: what counts is whole
            assert sessions.state_at("copy", "t1") == sessions.state_at("main", "t1").model_copy(
                update={"session": sessions.state_at("copy", "t1").session}
            )
            sessions.delete(record.name)
        assert [record.name for record in sessions.catalogue.list()] == ["main"]
        assert sessions.checkpointer.threads() == [thread_id("main")]


@pytest.mark.parametrize("data", [b"", b"PK", b"hello", b"\0" * 100])
def test_a_file_that_is_no_export_is_refused(sessions: Sessions, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "s.zip").write_bytes(data)
    with pytest.raises(SessionError, match="no session file"):
        sessions.take(tmp_path / "s.zip")


def test_an_export_never_overwrites_a_session(app: Any, sessions: Sessions, tmp_path: Path) -> None:
    ask(app, sessions, "one")
    sessions.export("main", tmp_path / "s.zip")
    with pytest.raises(SessionError, match="--as"):
        sessions.take(tmp_path / "s.zip")


def test_deleting_leaves_no_byte_of_what_was_said(app: Any, sessions: Sessions, home: Path) -> None:
    ask(app, sessions, "keep this")
    ask(app, sessions, *(f"swordfish {number} " * 50 for number in range(5)), name="secret")

    sessions.delete("secret")

    left = [path for path in home.rglob("*") if path.is_file() and b"swordfish" in path.read_bytes()]
    assert left == []
    assert sessions.state_at("main", "t1").answer == "keep this!"
