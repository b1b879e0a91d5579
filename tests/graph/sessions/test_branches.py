"""Notes of a line a fork is not on are marked as such wherever they are shown; other sessions' notes are not."""

import json
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

import pytest
import typer
from maintainer.graph import Maintainer
from maintainer.graph.cli import Commands
from maintainer.graph.cli.sessions import register
from maintainer.state.session import Prompt
from maintainer.tools.fakes import ScriptedModel
from typer.testing import CliRunner

BESIDE = "OTHER BRANCH"


def answers(prompt: Prompt) -> str:
    task = prompt.user.split("[Task]", 1)[1].strip().splitlines()[0]
    return f"{task}: the pool is a bottleneck, see pool.py:1."


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "pool.py").write_text("size = 5\nwait = 1\n", "utf-8")
    return folder


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(repeat(answers))


@pytest.fixture
def maintainer(repo: Path, model: ScriptedModel) -> Iterator[Maintainer]:
    """One turn in `main`; then `main` and its fork `try` go different ways."""
    with Maintainer(repo, model=model, embedder="none") as opened:
        opened.run("how large is the connection pool?", mode="explore", session="main")
        opened.fork("main", "t1", "try")
        opened.run("should the waiting time of the pool be raised?", mode="explore", session="main")
        yield opened


def shown(model: ScriptedModel, title: str) -> list[str]:
    """Return the two lines that head a note in the newest prompt."""
    lines = model.prompts[-1].user.splitlines()
    return next(lines[at : at + 2] for at, line in enumerate(lines) if title in line and "[Note:" in line)


def test_a_fork_is_told_which_notes_were_made_on_the_other_branch(maintainer: Maintainer, model: ScriptedModel) -> None:
    maintainer.run("tell me of waiting and of the size of the connection pool", mode="explore", session="try")
    assert BESIDE in shown(model, "should the waiting time")[1]
    assert BESIDE not in shown(model, "how large is the connection pool")[1]


def test_the_line_a_note_was_made_on_and_foreign_sessions_see_it_unmarked(
    maintainer: Maintainer, model: ScriptedModel
) -> None:
    for session in ("main", "another"):
        maintainer.run("tell me of waiting and of the size of the connection pool", mode="explore", session=session)
        assert "should the waiting time" in model.prompts[-1].user
        assert BESIDE not in model.prompts[-1].user


def test_diff_shows_the_notes_and_the_context_each_line_has_alone(maintainer: Maintainer, repo: Path) -> None:
    fork = maintainer.run("tell me of waiting and of the size of the connection pool", mode="explore", session="try")
    main = maintainer.history("main")[-1]
    app = typer.Typer(cls=Commands)
    register(app)

    done = CliRunner().invoke(
        app, ["diff", f"main@{main.checkpoint_id}", "try@t2", "--json", "--repo", str(repo)], catch_exceptions=False
    )

    changes = {each["field"]: (each["before"], each["after"]) for each in json.loads(done.stdout)}
    (others,), (own,) = changes["notes_of_line"]
    assert own.startswith(f"{fork.notes[0]}: ")
    assert "should the waiting time" in others
    assert "note: pool.py:1" in changes["context"][1]  # one more than the other prompt had
