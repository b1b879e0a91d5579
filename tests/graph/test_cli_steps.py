"""`maintainer steps`: the plan step by step on the command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.graph.cli import build_app
from typer.testing import CliRunner, Result

Cli = Callable[..., Result]
BUG = "def f(x=[]):\n    x.append(1)\n    return x\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "cart.py").write_text(BUG)
    (folder / "main.py").write_text("from cart import f\nfrom pay import g\n\nf()\ng()\n")
    (folder / "pay.py").write_text("def g(y={}):\n    y.clear()\n    return y\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


@pytest.fixture
def cli(repo: Path) -> Cli:
    return lambda *args, **kwargs: CliRunner().invoke(build_app(), [*args, "--repo", str(repo)], **kwargs)


def test_what_a_request_is_about_becomes_steps_and_nothing_else(cli: Cli) -> None:
    kept = cli("check", "--to-plan", "--about", "fix cart.py")
    assert kept.exit_code == 0
    shown = cli("steps").output
    assert "1. [ ] cart.py:1 Probable bug" in shown
    assert "pay.py" not in shown
    assert "Can start now: 1" in shown
    assert "计划:0/1 步完成" in cli("steps", "--language", "zh").output


def test_a_step_goes_from_shown_to_started_to_verified(cli: Cli, repo: Path) -> None:
    cli("check", "--to-plan", "--about", "cart.py")
    assert "def f(x=[]):" in cli("steps", "show", "1").output
    assert "is in progress" in cli("steps", "start", "1").output
    early = cli("steps", "verify", "1", "--tests", "passed")
    assert early.exit_code == 2
    assert "still there: [medium] cart.py:1" in early.output
    (repo / "cart.py").write_text(BUG.replace("x=[]", "x"))
    unproven = cli("steps", "verify", "1")
    assert unproven.exit_code == 2
    assert "maintainer steps verify 1 --tests passed" in unproven.output
    done = cli("steps", "verify", "1", "--tests", "passed", "--said", "pytest: 4 passed", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["outcome"] == "done"
    assert "1 of 1 steps done" in cli("steps").output
    assert "is open again" in cli("steps", "reopen", "1", "--reason", "fails on Windows").output


@pytest.mark.parametrize(("answer", "code", "ran"), [("n\n", 1, False), ("", 1, False), ("y\n", 2, True)])
def test_tests_are_run_here_only_after_a_yes(answer: str, code: int, ran: bool, cli: Cli, repo: Path) -> None:
    cli("steps", "add", "Write a guide", "--done-when", "it reads well")
    done = cli("steps", "verify", "1", "--run", "touch ran; false", input=answer)
    assert "to be run in the repository: touch ran; false" in done.output
    assert (repo / "ran").exists() is ran
    assert done.exit_code == code


def test_steps_wait_and_circles_are_refused(cli: Cli) -> None:
    cli("steps", "add", "Write tests", "--estimate", "2h")
    cli("steps", "add", "Split it", "--after", "1")
    assert "2. [ ] Split it (action, waits for 1)" in cli("steps").output
    refused = cli("steps", "order", "1", "--after", "2")
    assert refused.exit_code == 1
    assert "the plan has a circle" in refused.output
    assert "Can start now: 1" in cli("steps").output


def test_a_plan_is_changed_with_a_reason_and_what_was_before_is_readable(cli: Cli) -> None:
    cli("check", "--to-plan")
    assert "a change of plan needs one" in cli("steps", "replan").output
    changed = json.loads(cli("steps", "replan", "--about", "pay.py", "--reason", "the cart goes", "--json").stdout)
    assert len(changed["dropped"]) == 1
    assert "pay.py:1" in cli("steps").output
    assert "cart.py" not in cli("steps").output
    assert "cart.py:1 Probable bug" in cli("notes", "show", changed["record"]).output
    assert cli("steps", "drop", "1", "--reason", "nobody pays").exit_code == 0
    assert "There is no plan yet" in cli("steps").output


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["steps", "show", "9"], "`maintainer steps` lists them"),
        (["steps", "verify", "1", "--tests", "maybe"], "must be passed or failed"),
        (["steps", "--language", "fr"], "must be en or zh"),
        (["steps", "replan", "--reason", "x", "--about", "src/nothing.py"], "nothing was found on that"),
        (["check", "--about", "cart.py"], "is for --to-plan"),
    ],
)
def test_wrong_values_are_one_line_and_exit_code_1(args: list[str], says: str, cli: Cli) -> None:
    cli("steps", "add", "a")
    done = cli(*args)
    assert done.exit_code == 1
    assert says in done.output
