"""`maintainer memory`, and the commands about what a session knows."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from maintainer.graph import Maintainer
from maintainer.graph.cli import build_app
from maintainer.tools.fakes import ScriptedModel
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.sources import Sources
from typer.testing import CliRunner, Result


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAINTAINER_EMBEDDER", "none")
    (tmp_path / "pool.py").write_text("size = 5\n", "utf-8")
    return tmp_path


@pytest.fixture
def talked(repo: Path) -> Path:
    """A repository with a session of three turns."""
    plan = "The plan: 1) read the pool; 2) enlarge it. Starting with step 1: read the pool."
    model = ScriptedModel([plan, "Noted.", "Step 1 is done. Now on step 2: enlarge it."])
    with Maintainer(repo, model=model) as maintainer:
        for request in ("Enlarge the pool.", "Never touch the table KEEP_7 in `pool.py`.", "How far are we?"):
            maintainer.run(request, mode="explore", session="main")
    return repo


def run(repo: Path, *arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(build_app(), [*arguments, "--repo", str(repo)], input=stdin)


def told(repo: Path, *arguments: str) -> Any:
    result = run(repo, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_memory_from_its_first_word_to_its_end(repo: Path) -> None:
    kept = told(repo, "memory", "add", "缓存的上限是 512")["memory"]
    told(repo, "memory", "add", "the pool was drained", "--type", "episodic", "--importance", "0.05")
    assert [each["id"] for each in told(repo, "memory", "search", "缓存上限")["memories"]] == [kept["id"]]
    assert told(repo, "memory", "summary")["by_type"] == {"semantic": 1, "episodic": 1}
    assert told(repo, "memory", "forget")["count"] == 1
    assert told(repo, "memory", "stats")["semantic"]["count"] == 1
    assert told(repo, "memory", "remove", kept["id"])["memory"]["content"] == "缓存的上限是 512"
    assert told(repo, "memory", "consolidate") == {"memories": [], "count": 0}
    assert told(repo, "memory", "clear", "--yes") == {"removed": 0}


def test_a_wrong_request_is_one_line_and_an_exit_code(repo: Path) -> None:
    assert run(repo, "memory", "remove", "mem_1").exit_code == 1
    assert run(repo, "memory", "add", "x", "--type", "long").exit_code == 1
    assert run(repo, "memory", "clear", stdin="n\n").exit_code == 1
    assert run(repo, "where", "main").exit_code == 1


def test_what_a_session_knows_can_be_looked_at(talked: Path) -> None:
    known = told(talked, "facts", "main")
    assert [fact["text"] for fact in known["facts"]] == ["Never touch the table KEEP_7 in `pool.py`."]
    assert [step["status"] for step in known["plans"][0]["steps"]] == ["done", "doing"]
    card = told(talked, "where", "main")
    assert (card["goal"], card["next_action"]) == ("Enlarge the pool.", "step 2: enlarge it")
    found = told(talked, "recall", "main", "table KEEP_7")
    assert (found[0]["turn"], found[0]["role"]) == (2, "user")
    assert told(talked, "compactions", "main") == []


def test_people_read_lines(talked: Path) -> None:
    assert "Rule (turn 2): Never touch the table KEEP_7" in run(talked, "facts", "main").stdout
    assert "Goal: Enlarge the pool." in run(talked, "where", "main").stdout
    assert "turn    2  user" in run(talked, "recall", "main", "KEEP_7").stdout
    assert run(talked, "compactions", "main").stdout == "nothing was compacted yet\n"


def test_what_compaction_did_is_told(repo: Path) -> None:
    model = ScriptedModel([f"Answer {n} about the pool. " + "It is small. " * 20 for n in range(11)])
    with Maintainer(repo, model=model) as maintainer:
        for n in range(11):
            maintainer.run(f"Question {n}?", mode="explore", session="long")
    [record] = told(repo, "compactions", "long")
    assert (record["layer"], record["turn"], record["failure"]) == ("drop", 11, "")
    assert record["gone"] == [f"turn {n}" for n in range(1, 7)]
    assert record["tokens_after"] < record["tokens_before"]
    line = " ".join(run(repo, "compactions", "long").stdout.split())
    assert f"{record['tokens_before']} -> {record['tokens_after']} tokens gone: turn 1, turn 2" in line


def commit(repo: Path) -> None:
    author = ("-c", "user.name=Ann", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "pool.py"), (*author, "commit", "-qm", "a step")):
        subprocess.run(["git", "-C", repo, *command], check=True, capture_output=True)


def test_the_card_tells_files_touched_and_what_changed_since_in_git_and_in_the_notes(repo: Path) -> None:
    commit(repo)
    with Maintainer(repo, model=ScriptedModel(["I raised the size in `pool.py` to 5."])) as maintainer:
        maintainer.run("Enlarge the pool.", mode="explore", session="main")
    with NoteTool(repo / ".maintainer" / "notes") as notes:
        notes.create("The pool is small", "It has five.", "conclusion", sources=[Sources(repo).bind("pool.py")])
    card = told(repo, "where", "main")
    assert (card["files"], card["changed"], card["stale_notes"]) == (["pool.py"], [], [])
    (repo / "pool.py").write_text("size = 50\n", "utf-8")
    commit(repo)
    card = told(repo, "where", "main")
    assert card["changed"] == ["pool.py"]
    assert "The pool is small" in card["stale_notes"]


def test_the_next_session_starts_from_the_report_of_the_phase(talked: Path) -> None:
    told(talked, "phase", "main", "Reading")
    model = ScriptedModel(["Ready."])
    with Maintainer(talked, model=model) as maintainer:
        maintainer.run("Go on.", mode="explore", session="next")
    assert "[Note: Phase: Reading]" in model.prompts[0].user
    assert "Next: step 2: enlarge it" in model.prompts[0].user


def test_a_phase_ends_with_a_note(talked: Path) -> None:
    ended = told(talked, "phase", "main", "Reading")
    assert ended["title"] == "Phase: Reading"
    assert "- Never touch the table KEEP_7 in `pool.py`. (turn 2)" in ended["content"]
    assert "Next: step 2: enlarge it" in ended["content"]
