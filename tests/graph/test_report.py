"""`maintainer report`: one real session, told in every form; its numbers come from the tools and add up."""

import json
import shutil
from pathlib import Path

import pytest
from maintainer.graph import Maintainer
from maintainer.graph.cli import build_app
from maintainer.tools.clock import SystemClock
from maintainer.tools.notes import NoteTool
from typer.testing import CliRunner

SHOP = Path(__file__).parents[2] / "examples" / "shop"


@pytest.fixture(scope="module")
def looked_after(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the shop with one session of two turns and a plan of two steps."""
    repo = tmp_path_factory.mktemp("report") / "shop"
    shutil.copytree(SHOP, repo)
    with Maintainer(repo, model="none", embedder="none") as maintainer:
        maintainer.run("where is the shipping price calculated?", mode="explore", session="monday")
        maintainer.run("what are the worst problems?", mode="analyze", session="monday")
    with NoteTool(repo / ".maintainer" / "notes", clock=SystemClock()) as notes:
        first = notes.create("Take the key out", "payments.py", "action")
        notes.create("Revoke the key", "at Paylane", "action", links={"depends_on": [first.id]})
    return repo


def report(repo: Path, *args: str) -> str:
    done = CliRunner().invoke(build_app(), ["report", "--repo", str(repo), *args])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_numbers_add_up_over_the_turns(looked_after: Path) -> None:
    plain = json.loads(report(looked_after, "--json"))
    assert plain["session"] == "monday"
    assert plain["statistics"]["turns"] == len(plain["turns"]) == 2
    assert plain["statistics"]["issues_found"] == len(plain["quality"]["findings"]) > 40
    assert [turn["mode"] for turn in plain["turns"]] == ["explore", "analyze"]
    for turn in plain["turns"]:
        assert turn["receipt"]
        assert 0 < turn["tokens"] <= turn["budget"]
        assert sum(turn["sections"].values()) >= 0.9 * turn["tokens"]
    assert plain["problems"] == []


def test_findings_found_in_every_turn_are_counted_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(x=[]):\n    x.append(1)\n")
    with Maintainer(tmp_path, model="none", embedder="none") as maintainer:
        for _ in range(3):
            maintainer.run("what are the worst problems?", mode="analyze")
    now = json.loads(report(tmp_path, "--json"))
    assert now["statistics"]["issues_found"] == len(now["quality"]["findings"]) > 0
    without = json.loads(report(tmp_path, "--json", "--no-analyze"))
    assert without["statistics"]["issues_found"] == now["statistics"]["issues_found"]


def test_a_turn_tells_what_was_in_its_prompt_and_what_was_not(looked_after: Path) -> None:
    first = json.loads(report(looked_after, "--json", "--no-analyze"))["turns"][0]
    assert any("shipping.py" in each["title"] for each in first["chosen"])
    assert all(each["tokens"] > 0 for each in first["chosen"])
    assert first["reserve"] > 0
    assert "\n" in first["answer"], "an answer keeps its lines"


def test_the_plan_is_in_order(looked_after: Path) -> None:
    steps = [
        step for step in json.loads(report(looked_after, "--json", "--no-analyze"))["plan"] if "key" in step["title"]
    ]
    assert [(step["title"], step["ready"]) for step in steps] == [("Take the key out", True), ("Revoke the key", False)]


def test_the_page_and_the_markdown_are_written(looked_after: Path, tmp_path: Path) -> None:
    report(looked_after, "-o", str(tmp_path / "r.html"), "--language", "zh")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "维护报告" in page
    assert "shop/services/<wbr>payments.py:12" in page.replace("shop/<wbr>", "shop/")
    assert "# Maintainer report" in report(looked_after, "--no-analyze")


def test_the_secret_of_the_code_is_not_in_the_report(looked_after: Path) -> None:
    key = (SHOP / "shop/services/payments.py").read_text().split('API_KEY = "')[1].split('"')[0]
    assert key not in report(looked_after, "--json")


def test_an_unknown_session_is_one_line(looked_after: Path) -> None:
    done = CliRunner().invoke(build_app(), ["report", "never", "--repo", str(looked_after)])
    assert done.exit_code == 1
    assert "never" in done.output


def test_a_repository_without_sessions_is_reported_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("# TODO: one\n")
    plain = json.loads(report(tmp_path, "--json"))
    assert (plain["session"], plain["turns"], len(plain["quality"]["findings"])) == ("", [], 1)
