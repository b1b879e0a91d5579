"""One writer per session, across processes; a killed writer leaves no lock behind."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from maintainer.graph.sessions import Sessions, thread_id
from maintainer.state.errors import SessionBusy, SessionError
from maintainer.tools.fakes import FixedClock

HOLDER = """
    import sys
    from pathlib import Path
    from maintainer.graph.checkpoints import open_checkpointer
    from maintainer.graph.sessions import Sessions
    from maintainer.tools.clock import SystemClock

    home = Path(sys.argv[1])
    sessions = Sessions(home, open_checkpointer("memory"), clock=SystemClock())
    with sessions.writing("main", repo="/repo"):
        print("held", flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Any:
    """Start another process that writes the session `main`, until its stdin is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOLDER), str(tmp_path / "home")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_writer_is_told_who_writes_and_since_when(sessions: Sessions, holder: Any) -> None:
    with (
        pytest.raises(
            SessionBusy, match=rf"'main' is being written by process {holder.pid} of \w+ on .+ since \d{{4}}-"
        ),
        sessions.writing("main", repo="/repo"),
    ):
        raise AssertionError("two writers")


def test_readers_and_other_sessions_are_not_blocked(sessions: Sessions, holder: Any) -> None:
    assert sessions.catalogue.get("main").status == "new"
    with sessions.writing("other", repo="/repo") as session:
        assert session.record.name == "other"


def test_a_killed_writer_frees_the_session_and_is_told_of(sessions: Sessions, holder: Any) -> None:
    holder.kill()
    holder.wait()
    with sessions.writing("main", repo="/repo") as session:
        assert any(f"process {holder.pid}" in notice and "without finishing" in notice for notice in session.notices)


def test_a_writer_that_ends_in_order_leaves_nothing_to_tell(sessions: Sessions, holder: Any) -> None:
    holder.communicate("")
    with sessions.writing("main", repo="/repo") as session:
        assert session.notices == ()


def test_an_error_inside_frees_the_session(sessions: Sessions) -> None:
    with pytest.raises(ZeroDivisionError), sessions.writing("main", repo="/repo"):
        raise ZeroDivisionError
    with sessions.writing("main", repo="/repo") as session:
        assert session.notices == ()


def test_a_damaged_holder_note_does_not_hide_that_the_session_is_busy(
    sessions: Sessions, holder: Any, tmp_path: Path
) -> None:
    (tmp_path / "home" / "locks" / f"{thread_id('main')}.holder").write_text("{")
    with pytest.raises(SessionBusy, match="another process"), sessions.writing("main", repo="/repo"):
        pass


def test_a_session_belongs_to_one_repository(sessions: Sessions, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    with sessions.writing("main", repo=str(here)):
        pass
    with pytest.raises(SessionError, match="belongs to the repository"), sessions.writing("main", repo="/elsewhere"):
        pass


def test_a_session_follows_its_repository_when_it_is_moved(sessions: Sessions, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    with sessions.writing("main", repo=str(old)):
        pass
    old.rename(new)
    with sessions.writing("main", repo=str(new)) as session:
        assert session.record.repo == str(new)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101, "bell\x07"])
def test_a_name_that_cannot_be_shown_is_refused(sessions: Sessions, name: str) -> None:
    with pytest.raises(SessionError, match="printable"), sessions.writing(name, repo="/repo"):
        pass


@pytest.mark.parametrize("name", ["../../etc/passwd", "重构 计划", "a/b\\c", "CON", "-rf"])
def test_any_printable_name_is_safe(sessions: Sessions, tmp_path: Path, name: str) -> None:
    with sessions.writing(name, repo="/repo"):
        pass
    assert sessions.catalogue.get(name).name == name
    assert {path.parent for path in (tmp_path / "home").rglob("*.json")} == {tmp_path / "home" / "sessions"}


def test_the_thread_id_of_a_name_never_changes() -> None:
    assert thread_id("main") == "3f836cc8-4b97-5962-b892-ca8a6e1e2955"


def test_the_session_used_last_comes_first(sessions: Sessions, clock: FixedClock) -> None:
    for name in ("a", "b", "a"):
        clock.advance(minutes=1)
        with sessions.writing(name, repo="/repo") as session:
            session.mark("here", "x")
    assert [record.name for record in sessions.catalogue.list()] == ["a", "b"]
