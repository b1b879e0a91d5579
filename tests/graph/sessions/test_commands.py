"""`maintainer sessions`, `history`, `fork`, `diff`, `mark`: real commands on a real home folder."""

import json
import shlex
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import typer
from maintainer.graph.cli import Commands
from maintainer.graph.cli.doctor import register as register_doctor
from maintainer.graph.cli.sessions import register
from maintainer.graph.sessions import Sessions, thread_id
from maintainer.state.session import SessionInput
from typer.testing import CliRunner


@pytest.fixture
def command(tmp_path: Path) -> Any:
    """Give a function that runs a command line and returns exit code and output."""
    app = typer.Typer(cls=Commands)
    register(app)
    register_doctor(app)
    repo = tmp_path / "repo"
    repo.mkdir()

    def run(*words: str, where: Path = tmp_path / "home") -> tuple[int, Any]:
        result = CliRunner().invoke(app, [*words, "--repo", str(repo), "--home", str(where)])
        text = result.stdout if result.exit_code == 0 else result.stderr
        return result.exit_code, json.loads(text) if "--json" in words and result.exit_code == 0 else text

    return run


@pytest.fixture
def asked(app: Any, sessions: Sessions, saver: Any, tmp_path: Path) -> None:
    """Two turns in the session `main`, one in `支付 重构`; the store is closed again."""
    for name, requests in {"main": ("one", "two"), "支付 重构": ("三",)}.items():
        with sessions.writing(name, repo=str(tmp_path / "repo")) as session:
            for request in requests:
                session.run(app, SessionInput(request=request, turn_id=uuid4().hex), None)


def test_sessions_are_listed(command: Any, asked: None) -> None:
    code, records = command("sessions", "list", "--json")
    assert code == 0
    assert {record["name"]: (record["turns"], record["status"]) for record in records} == {
        "main": (2, "finished"),
        "支付 重构": (1, "finished"),
    }
    assert "支付 重构" in command("sessions", "list")[1]


def test_a_session_is_shown_with_where_it_stands(command: Any, asked: None) -> None:
    code, facts = command("sessions", "show", "main", "--json")
    assert (code, facts["goal"], facts["waits_at"], facts["turns"]) == (0, "one", [], 2)


def test_the_history_shows_ends_of_turns_and_on_request_every_step(command: Any, asked: None) -> None:
    code, text = command("history", "main")
    assert code == 0
    assert [line.split()[1:3] for line in text.splitlines()] == [["turn", "1"], ["turn", "2"]]
    assert "before think" in command("history", "main", "--all")[1]


def test_a_fork_is_made_and_listed_with_its_origin(command: Any, asked: None) -> None:
    code, record = command("fork", "main", "--at", "t1", "--as", "try", "--json")
    assert (code, record["parent"], record["parent_turn"], record["turns"]) == (0, "main", 1, 1)
    assert "forked from 'main' after turn 1" in command("sessions", "list")[1]


def test_a_point_may_stand_behind_the_name_or_in_an_option(command: Any, asked: None) -> None:
    code, record = command("fork", "main", "t1", "--json")
    assert (code, record["name"], record["parent_turn"]) == (0, "main at t1", 1)


def test_a_name_is_told_as_a_shell_takes_it(command: Any, asked: None) -> None:
    assert "--session=-its new" in shlex.split(command("fork", "main", "t1", "--as", "-its new")[1])


def test_a_refused_replay_leaves_nothing_behind(command: Any, asked: None) -> None:
    for _ in range(2):  # a fork left behind would take the name the second time
        code, text = command("replay", "main", "t1", "--as", "again")
        assert (code, "is the end of a turn" in text) == (1, True)
    assert {record["name"] for record in command("sessions", "list", "--json")[1]} == {"main", "支付 重构"}


def test_a_difference_is_shown_field_by_field(command: Any, asked: None) -> None:
    code, changes = command("diff", "main@t1", "main@t2", "--json")
    assert code == 0
    assert {"field": "answer", "before": "one!", "after": "two!"} in changes
    assert command("diff", "main@t1", "main@t1")[1].strip() == "no difference"


def test_a_marked_point_can_be_named(command: Any, asked: None) -> None:
    assert command("mark", "main", "good", "--at", "t1")[0] == 0
    assert command("diff", "main@good", "main@t1")[1].strip() == "no difference"


def test_a_session_goes_out_and_comes_in_again(command: Any, asked: None, tmp_path: Path) -> None:
    file = str(tmp_path / "main.session")
    assert command("sessions", "export", "main", file)[0] == 0
    code, record = command("sessions", "import", file, "--json", where=tmp_path / "other")
    assert (code, record["name"], record["turns"]) == (0, "main", 2)
    assert "turn 2" in command("history", "main", where=tmp_path / "other")[1]
    assert command("sessions", "import", file)[0] == 1
    assert "session name ''" in command("sessions", "import", file, "--as", "", where=tmp_path / "third")[1]


def test_deleting_proves_what_it_did(command: Any, asked: None) -> None:
    code, proof = command("sessions", "delete", "main", "--yes", "--json")
    assert code == 0
    (store,) = [store for store in proof["stores"] if store["store"] == "checkpoints"]
    assert (store["before"] > 0, store["after"]) == (True, 0)
    assert [record["name"] for record in command("sessions", "list", "--json")[1]] == ["支付 重构"]


def test_pruning_says_how_much_went(command: Any, asked: None) -> None:
    code, result = command("sessions", "prune", "--steps", "1", "--turns", "1", "--json")
    assert code == 0
    assert result["steps_removed"]["main"] > 0
    assert len(command("history", "main", "--all", "--json")[1]) == 1


def test_sessions_nobody_has_used_for_long_are_deleted(command: Any, asked: None) -> None:
    code, result = command("sessions", "prune", "--unused-days", "1", "--yes", "--json")
    assert code == 0  # the test's clock stands in the past
    assert {proof["session"] for proof in result["deleted"]} == {"main", "支付 重构"}
    assert command("sessions", "list", "--json")[1] == []


def test_pruning_passes_over_a_session_in_use_and_says_so(command: Any, asked: None, sessions: Sessions) -> None:
    with sessions.locked("main"):
        code, result = command("sessions", "prune", "--steps", "1", "--turns", "1", "--json")
        assert (code, [*result["steps_removed"]], result["in_use"]) == (0, ["支付 重构"], ["main"])
        assert command("sessions", "prune", "main")[0] == 75
        deleted = command("sessions", "prune", "--unused-days", "1", "--yes", "--json")[1]
        assert [proof["session"] for proof in deleted["deleted"]] == ["支付 重构"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["history", "nobody"], "no session 'nobody': there are"),
        (["fork", "main", "--at", "t9"], "no stored step 't9'"),
        (["fork", "main"], "needs one point of 'main'"),
        (["fork", "main", "t1", "--at", "t1"], "needs one point of 'main'"),
        (["replay", "main", "t1"], "is the end of a turn"),
        (["fork", "main", "t1", "--as", ""], "session name ''"),
        (["diff", "main", "main@t1"], "names no point"),
        (["sessions", "delete", "nobody", "--yes"], "no session 'nobody'"),
        (["sessions", "import", "/nowhere.session"], "cannot read /nowhere.session"),
        (["sessions", "import", "/dev/zero"], "/dev/zero is no regular file"),
        (["sessions", "import", "/"], "/ is no regular file"),
        (["sessions", "prune", "--unused-days", "-1", "--yes"], "--unused-days is -1.0: must be"),
        (["sessions", "prune", "--unused-days", "nan", "--yes"], "--unused-days is nan: must be"),
        (["fork", "main", "²"], "no stored step '²'"),
        (["fork", "main", "t²"], "no stored step 't²'"),
        (["fork", "main", "9" * 5000], "no stored step"),
        (["mark", "main", ""], "mark ''"),
        (["mark", "main", "a\nb"], "mark 'a\\nb'"),
        (["mark", "main", "t3"], "be no number or turn"),
        (["sessions", "prune", "--steps", "0"], "keep steps is 0"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_one(command: Any, asked: None, words: list[str], expected: str) -> None:
    code, text = command(*words)
    assert code == 1
    assert expected in text
    assert len(text.strip().splitlines()) == 1


def test_the_doctor_names_a_damaged_record_and_mends_it_when_asked(command: Any, asked: None, tmp_path: Path) -> None:
    record = tmp_path / "home" / "sessions" / f"{thread_id('main')}.json"
    record.write_text("{")

    assert "is damaged" in str(command("doctor", "--json"))
    command("doctor", "--repair", "--json")

    assert record.with_name(f"{record.name}.damaged").read_text() == "{"
    assert "all sound" in str(command("doctor", "--json")[1])


def test_looking_where_there_is_nothing_makes_nothing(command: Any, tmp_path: Path) -> None:
    code, text = command("sessions", "list", where=tmp_path / "absent")
    assert (code, "start one with" in text) == (1, True)
    assert not (tmp_path / "absent").exists()
