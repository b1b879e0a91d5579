"""`maintainer check`: exit codes, baseline and SARIF, as continuous integration sees them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from maintainer.graph.cli import build_app
from maintainer.tools.quality.engine import Quality
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


_TEXT = {
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
    "properties": {"text": {"type": "string"}},
}
_LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["physicalLocation"],
    "properties": {
        "physicalLocation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "uri": {"type": "string", "pattern": "^[^ \\\\]+$"},
                        "uriBaseId": {"type": "string"},
                    },
                },
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {name: {"type": "integer", "minimum": 1} for name in ("startLine", "endLine")},
                },
            },
        }
    },
}
_RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["message", "ruleId", "locations"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": _TEXT,
        "locations": {"type": "array", "items": _LOCATION, "minItems": 1},
        "relatedLocations": {"type": "array", "items": _LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
        "properties": {"type": "object"},
    },
}
_RULE = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "shortDescription": _TEXT}}
_DRIVER = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "version": {"type": "string"},
        "rules": {"type": "array", "items": _RULE, "uniqueItems": True},
    },
}
SARIF = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "pattern": "sarif-2.1.0"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["tool"],
                "properties": {
                    "tool": {"type": "object", "required": ["driver"], "properties": {"driver": _DRIVER}},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": _RESULT},
                },
            },
        },
    },
}
"""The part of the standard (OASIS, SARIF 2.1.0) that is written here; a property it does not know is refused."""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_sarif_has_the_shape_of_the_standard(language: str, check: Check, repo: Path, tmp_path: Path) -> None:
    copied = "".join(f"    if x == {number}:\n        return x.price_{number} * {number}\n" for number in range(15))
    (repo / "名 字.py").write_text(f"def one(x):\n{copied}\n\ndef two(x):\n{copied}", "utf-8")
    check("--sarif", str(tmp_path / "out.sarif"), "--fail-on", "never", "--language", language)
    told = json.loads((tmp_path / "out.sarif").read_text("utf-8"))
    jsonschema.validate(told, SARIF)
    [run] = told["runs"]
    assert any("relatedLocations" in result for result in run["results"])
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**told, "version": "2.0.0"}, SARIF)


def test_the_baseline_follows_a_file_that_was_renamed(check: Check, repo: Path) -> None:
    def git(*args: str) -> None:
        told = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", repo, *told, *args], check=True, capture_output=True)

    git("init", "-q")
    git("add", "a.py")
    git("commit", "-qm", "first")
    check("--save", "--fail-on", "never")
    git("mv", "a.py", "moved.py")
    git("commit", "-qm", "moved")
    assert check("--new-only", "--fail-on", "info").exit_code == 0


def test_ctrl_c_ends_with_130_and_one_line(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Quality, "analyze", interrupted)
    done = check()
    assert done.exit_code == 130
    assert "what was read is kept" in done.output


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
