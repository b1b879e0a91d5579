"""`maintainer notes` as people and machines use it."""

import json
from pathlib import Path
from typing import Any

import pytest
from maintainer.graph.cli import build_app
from typer.testing import CliRunner, Result


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAINTAINER_EMBEDDER", "none")
    (tmp_path / "pool.py").write_text("size = 5\n", "utf-8")
    return tmp_path


def run(repo: Path, *arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(build_app(), ["notes", *arguments, "--repo", str(repo)], input=stdin)


def told(repo: Path, *arguments: str, stdin: str | None = None) -> Any:
    result = run(repo, *arguments, "--json", stdin=stdin)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_note_from_its_first_word_to_its_end(repo: Path) -> None:
    args = ["--content", "-", "--type", "blocker", "--tag", "db", "--source", "pool.py:1"]
    note = told(repo, "new", "Pool exhausted", *args, stdin="no places\n")
    key = note["id"]
    assert (note["content"], note["sources"][0]["lines"]) == ("no places\n", "1")
    assert [row["id"] for row in told(repo, "list", "--tag", "db", "--type", "blocker")] == [key]
    assert [found["id"] for found in told(repo, "search", "exhausted pool")] == [key]
    assert told(repo, "show", key)["state"] == "fresh"
    assert told(repo, "update", key, "--title", "Pool is exhausted")["version"] == 2
    assert told(repo, "resolve", key, "raised to 50")["type"] == "conclusion"
    assert [version["version"] for version in told(repo, "history", key)] == [1, 2]
    assert "+title: Pool is exhausted" in told(repo, "diff", key, "1", "2")["diff"]
    assert told(repo, "restore", key, "1")["title"] == "Pool exhausted"
    assert told(repo, "summary")["type_distribution"] == {"blocker": 1}
    assert told(repo, "archive", key)["status"] == "archived"
    assert told(repo, "list") == []
    assert told(repo, "delete", key, "--yes") == {"deleted": key}


def test_the_group_alone_lists_the_notes(repo: Path) -> None:
    told(repo, "new", "Pool exhausted", "--content", "no places")
    assert [row["title"] for row in told(repo)] == ["Pool exhausted"]
    assert "Pool exhausted" in run(repo).stdout


def test_what_is_wrong_is_one_line_and_an_exit_code(repo: Path) -> None:
    assert run(repo, "show", "../x").exit_code == 1
    assert run(repo, "new", "t", "--type", "bug").exit_code == 1
    assert run(repo, "new", "t", "--source", "gone.py").exit_code == 1
    told(repo, "new", "Pool", "--source", "pool.py")
    (repo / "pool.py").write_text("size = 6\n", "utf-8")
    stale = run(repo, "verify")
    assert (stale.exit_code, "1 of them are stale" in stale.stdout) == (1, True)
    (item,) = told(repo, "review")
    assert told(repo, "confirm", item["note_id"])["version"] == 2
    assert run(repo, "verify").exit_code == 0
    (repo / ".maintainer/notes/broken.md").write_text("---\ntitle: a: b\n---\n", "utf-8")
    damaged = run(repo, "check")
    assert (damaged.exit_code, "broken file: broken.md" in damaged.stdout) == (1, True)
    assert run(repo, "check", "--repair").exit_code == 0
    assert "all notes are well" in run(repo, "check").stdout


def test_notes_are_curated_on_request_and_exported(repo: Path) -> None:
    told(repo, "new", "Add tests", "--type", "action", "--tag", "completed", "--tag", "v1.0")
    assert told(repo, "curate") == {
        "applied": 0,
        "steps": [
            {
                "action": "close",
                "note_id": told(repo, "list")[0]["id"],
                "title": "Add tests",
                "version": 1,
                "into": "",
                "reason": "tagged completed, but still open",
            }
        ],
    }
    assert told(repo, "curate", "--apply")["applied"] == 1
    assert run(repo, "export", "--to", "release", "--title", "v1.0").stdout == "# v1.0\n\n## Done\n\n- Add tests\n"
    assert json.loads(run(repo, "export", "--to", "json").stdout)[0]["status"] == "resolved"
    assert run(repo, "export").stdout.startswith("# Notes\n\n## Actions\n\n### Add tests\n")
