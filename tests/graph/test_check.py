"""`maintainer check`: exit codes, baseline and SARIF, as continuous integration sees them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.graph.cli import build_app
from typer.testing import CliRunner, Result

Check = Callable[..., Result]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a.py").write_text("def f(x=[]):\n    x.append(1)\n")
    return folder


@pytest.fixture
def check(repo: Path) -> Check:
    def checking(*args: str) -> Result:
        return CliRunner().invoke(build_app(), ["check", "--repo", str(repo), *args])

    return checking


@pytest.mark.parametrize(
    ("fail_on", "code"), [("critical", 0), ("high", 0), ("medium", 2), ("low", 2), ("info", 2), ("never", 0)]
)
def test_it_fails_from_the_named_severity_on(fail_on: str, code: int, check: Check) -> None:
    done = check("--fail-on", fail_on)
    assert done.exit_code == code
    assert "a.py:1 Probable bug" in done.output


def test_only_what_the_baseline_does_not_have_fails(check: Check, repo: Path) -> None:
    assert check("--save", "--fail-on", "never").exit_code == 0
    assert check("--fail-on", "info", "--new-only").exit_code == 0
    (repo / "b.py").write_text("def g(y={}):\n    y.clear()\n")
    done = check("--fail-on", "info", "--new-only")
    assert done.exit_code == 2
    assert "b.py:1" in done.output
    assert "a.py:1" not in done.output


def test_new_only_without_a_baseline_says_how_to_make_one(check: Check) -> None:
    done = check("--new-only")
    assert done.exit_code == 1
    assert "maintainer check --save" in done.output


def test_sarif_is_written_for_code_review(check: Check, tmp_path: Path) -> None:
    check("--sarif", str(tmp_path / "out.sarif"), "--fail-on", "never")
    told = json.loads((tmp_path / "out.sarif").read_text())
    assert told["version"] == "2.1.0"
    assert [result["ruleId"] for result in told["runs"][0]["results"]] == ["lint", "dead_code"]


def test_json_is_for_machines(check: Check) -> None:
    plain = json.loads(check("--json", "--fail-on", "medium").stdout)
    assert plain["failing"] == [plain["findings"][0]["fingerprint"]]
    assert plain["files"] == 1


def test_chinese_is_spoken(check: Check) -> None:
    assert "可变的默认参数" in check("--language", "zh").output


def test_findings_below_the_asked_confidence_are_left_out(check: Check) -> None:
    assert check("--fail-on", "info", "--confidence", "0.99").exit_code == 0


@pytest.mark.parametrize(
    "args", [["--fail-on", "bad"], ["--language", "fr"], ["--baseline", "gone.json", "--new-only"]]
)
def test_wrong_values_are_one_line_and_exit_code_1(args: list[str], check: Check) -> None:
    done = check(*args)
    assert done.exit_code == 1
    assert "Traceback" not in done.output


def test_a_missing_repository_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(build_app(), ["check", "--repo", str(tmp_path / "gone")])
    assert done.exit_code == 1
    assert "does not exist" in done.output
