"""How commands end that cannot do their work: one line, an exit code, the details of a bug in a file."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from maintainer.graph.cli import failure
from maintainer.graph.cli.options import console
from maintainer.state.errors import ConfigError, SessionBusy

ENVIRON = {**os.environ, "MAINTAINER_EMBEDDER": "none", "NO_COLOR": "1", "COLUMNS": "100"}


def shell(line: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line of bash in which $M is the program; its exit code is that of the last command that failed."""
    program = f"{sys.executable} -m maintainer.graph"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=cwd,
        env={**ENVIRON, "M": program},
        capture_output=True,
        text=True,
        timeout=120,
    )


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:  # noqa: BLE001 - whatever it is, with where it was raised
        return caught


def test_a_foreseen_error_is_its_own_line() -> None:
    assert failure.told(ConfigError("budget", 5, "is too small"), ()) == ("budget is 5: is too small", 1)
    assert failure.told(SessionBusy("busy"), ()) == ("busy", 75)


@pytest.mark.parametrize("form", [["--home", "HOME"], ["--home=HOME"], ["explore", "x", "--home", "HOME", "--json"]])
def test_a_bug_is_one_line_and_its_details_are_a_private_file_in_the_home_folder(
    tmp_path: Path, form: list[str]
) -> None:
    key = "ghp_" + "a1B2" * 9
    arguments = [each.replace("HOME", str(tmp_path)) for each in form]
    line, code = failure.told(raised(ValueError(f"first\nsecond {key}")), arguments)
    assert code == 70
    assert "\n" not in line
    assert "ValueError: first" in line
    (kept,) = (tmp_path / "crashes").iterdir()
    assert str(kept) in line
    assert kept.stat().st_mode & 0o077 == 0
    text = kept.read_text("utf-8")
    assert "Traceback" in text
    assert "second" in text
    assert key not in text


def test_a_bug_of_a_command_without_a_home_folder_makes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    line, _ = failure.told(raised(ValueError("odd")), ["map", f"--repo={tmp_path}"])
    assert not (tmp_path / ".maintainer").exists()
    (kept,) = (tmp_path / "temporary").iterdir()
    assert str(kept) in line


def test_where_nothing_can_be_written_the_line_says_how_to_see_the_details(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    line, _ = failure.told(raised(ValueError("odd")), ["--home", str(tmp_path / "file")])
    assert "maintainer --debug" in line


def test_output_that_a_reader_leaves_early_is_no_error(tmp_path: Path) -> None:
    done = shell("$M --help | head -1; $M doctor 2>/dev/null --repo . | true; exit ${PIPESTATUS[0]}", tmp_path)
    assert done.stderr == ""
    assert done.returncode in (0, 1)  # what doctor finds on this machine


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_answer_that_a_full_disk_kept_back_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    done = shell("$M notes --repo . > /dev/full", tmp_path)
    assert done.returncode == 1
    assert re.fullmatch(r"maintainer: no space is left to write: .*\n", done.stderr)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(tmp_path: Path, closed: str) -> None:
    done = shell(f"$M notes new One --content text --repo . {closed} && $M notes --repo .", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "One" in done.stdout
    assert done.stderr == ""


def test_a_text_that_is_no_utf8_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    done = shell(r"printf 'a\xff' | $M notes new One --content - --repo .", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "maintainer: standard input is 'byte 1': must be UTF-8: convert it first\n"
    assert "no such notes" in shell("$M notes --repo .", tmp_path).stdout


@pytest.mark.parametrize("columns", ["0", "1", "abc", "20"])
def test_an_odd_width_of_the_screen_loses_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Any, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    console().print("one line of text that is rather long", markup=False)
    assert capsys.readouterr().out == "one line of text that is rather long\n"
