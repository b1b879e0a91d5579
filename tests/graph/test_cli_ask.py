"""The ask commands as a user types them: each bad input is one clear line, an exit code, and nothing half-written."""

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from maintainer.graph.cli import build_app
from maintainer.graph.cli.ask import answers_of
from typer.testing import CliRunner

QUIET = {"MAINTAINER_EMBEDDER": "none", "NO_COLOR": "1"}


def maintainer(*arguments: object, cwd: Path | None = None, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "maintainer.graph", *map(str, arguments)],
        cwd=cwd,
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "MAINTAINER_"))},
            **QUIET,
            **environ,
        },
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=120,
    )


def assert_one_line(done: "subprocess.CompletedProcess[str]", *says: str) -> None:
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for part in says:
        assert part in done.stderr


def odd_repository(folder: Path) -> Path:
    """A folder without git, full of what breaks careless readers."""
    folder.mkdir()
    (folder / "main.py").write_text("def orders():\n    return 1\n")
    (folder / "空 格.py").write_text("# 订单\nx = 1\n", "utf-8")
    (folder / "gbk.py").write_bytes("# 价格\ny = 2\n".encode("gbk"))
    (folder / "utf16.txt").write_bytes("orders\n".encode("utf-16"))
    (folder / "line\nbreak.py").write_text("z = 3\n")
    (folder / "image.bin").write_bytes(bytes(range(256)) * 4096)
    (folder / "long.js").write_text("var a=1;" * 100_000)
    (folder / "loop").symlink_to(folder)
    (folder / "nowhere").symlink_to("/nonexistent/place")
    (folder / "empty").mkdir()
    with open(os.path.join(os.fsencode(folder), b"bad\xff.py"), "wb") as odd:
        odd.write(b"w = 4\n")
    os.mkfifo(folder / "pipe")
    return folder


def test_a_first_run_answers_and_says_where_it_stands(shop: Path) -> None:
    done = maintainer("explore", "Where are orders placed?", cwd=shop)
    assert done.returncode == 0, done.stderr
    assert "session main, turn 1, mode explore, model none" in done.stderr
    assert "\x1b[" not in done.stdout + done.stderr
    if "Not looked at" in done.stdout:  # a busy machine says so, and the command ends when the index is whole
        done = maintainer("explore", "Where are orders placed?", cwd=shop)
    assert "shop/api/orders.py" in done.stdout


def test_json_is_for_machines(shop: Path) -> None:
    done = maintainer("auto", "哪里处理订单?", "--repo", shop, "--json")
    answer = json.loads(done.stdout)
    assert answer["mode"] == "explore"
    assert answer["mode_reason"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["explore", "x", "--repo", "/nonexistent"], ["/nonexistent", "does not exist"]),
        (["explore", "x", "--repo", __file__], ["is a file"]),
        (["explore", "  "], ["request", "must say"]),
        (["explore", "x", "--budget", "3"], ["budget", "at least 500"]),
        (["explore", "x", "--model", "openai:gpt-4.1"], ["OPENAI_API_KEY", "export it"]),
        (["explore", "x", "--model", "nobody:x"], ["nobody:x"]),
        (["resume", "nobody"], ["nobody"]),
        (["resume"], ["no session", "start one"]),
        (["explore", "x", "--home", "/proc/nothing"], ["/proc/nothing"]),
    ],
)
def test_a_wrong_word_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: list[str]
) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = CliRunner().invoke(build_app(), arguments, env=QUIET)
    assert done.exit_code == 1, done.output
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert all(part in done.stderr for part in says)


def test_an_unreachable_endpoint_is_one_line_and_can_be_resumed(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: refused at once
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        model = ["--model", "openai-compatible:any", "--base-url", url]
        (tmp_path / "orders.py").write_text("def place():\n    return 1\n")
        asked = maintainer("explore", "Where are orders placed?", "--quiet", *model, cwd=tmp_path)
        assert_one_line(asked, "cannot be reached")
    done = maintainer("resume", "--model", "none", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "orders.py" in done.stdout


def test_odd_files_and_names_are_no_trouble(tmp_path: Path) -> None:
    repo = odd_repository(tmp_path / "odd repo 中文")
    for mode, request in (("explore", "orders"), ("analyze", "价格"), ("plan", "next")):
        done = maintainer(mode, request, "--repo", repo)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        assert "No model wrote this" in done.stdout or "不是模型写的" in done.stdout


def test_an_empty_folder_says_that_nothing_is_there(tmp_path: Path) -> None:
    done = maintainer("explore", "orders", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "No model wrote this" in done.stdout


def test_a_full_disk_is_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / "orders.py").write_text("def place():\n    return 1\n")
    assert maintainer("explore", "orders", cwd=tmp_path).returncode == 0
    done = subprocess.run(
        [sys.executable, "-m", "maintainer.graph", "explore", "Where are orders placed?"],
        cwd=tmp_path,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
        timeout=120,
    )
    assert_one_line(done)
    after = maintainer("explore", "And now?", cwd=tmp_path)
    assert after.returncode == 0, after.stderr


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root may read and write everything")
def test_an_unwritable_repository_points_to_home(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "a.py").write_text("x = 1\n")
    repo.chmod(0o555)
    if os.geteuid() != 0:
        assert_one_line(maintainer("explore", "x", cwd=repo), "--home")
        assert maintainer("explore", "x", "--home", tmp_path / "home", cwd=repo).returncode == 0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], None),
        (["once"], "once"),
        (["no: x=1 first"], "no: x=1 first"),
        (["c00010000=once", "c00010001=never"], {"c00010000": "once", "c00010001": "never"}),
    ],
)
def test_an_answer_is_for_everything_or_for_one_call(given: list[str], expected: object) -> None:
    assert answers_of(given) == expected


def test_names_in_a_repository_cannot_steer_the_screen(tmp_path: Path) -> None:
    (tmp_path / "esc\x1b[2J\x9b31mred.py").write_text("def red():\n    return {'a:bug:b': 1}\n")
    done = maintainer("explore", "where is red, a:bug:b", "--repo", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "esc\\x1b[2J\\x9b31mred.py" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x9b" not in done.stdout + done.stderr
    bad = maintainer("sessions", "show", "no\x1b[2Jbody", "--repo", tmp_path)
    assert bad.returncode == 1
    assert "\x1b" not in bad.stderr


def test_a_question_before_deleting_is_no_part_of_the_json(shop: Path) -> None:
    assert maintainer("explore", "Where are orders placed?", cwd=shop).returncode == 0
    done = maintainer("sessions", "delete", "main", "--json", cwd=shop)
    assert (done.returncode, done.stdout.strip()) == (1, "")
    assert "for good?" in done.stderr


def test_progress_is_one_plain_line_a_step_and_off_where_it_is_not_wanted(shop: Path) -> None:
    told = maintainer("explore", "Where are orders placed?", cwd=shop)
    lines = told.stderr.splitlines()
    assert {"- gather", "- select", "- structure"} <= set(lines)
    quiet = maintainer("explore", "Where are orders placed?", "--quiet", cwd=shop)
    assert not [line for line in quiet.stderr.splitlines() if line.startswith("- ")]


def test_a_reader_of_the_progress_that_goes_away_does_not_end_the_turn(shop: Path) -> None:
    line = f"exec 3>&1; {sys.executable} -m maintainer.graph explore 'Where are orders?' 2>&1 >&3 | head -1"
    done = subprocess.run(
        ["bash", "-c", line], cwd=shop, env={**os.environ, **QUIET}, capture_output=True, text=True, timeout=120
    )
    assert "shop/api/orders.py" in done.stdout
    assert "finished" in maintainer("sessions", cwd=shop).stdout


def test_an_empty_name_is_refused_and_is_not_the_last_session(shop: Path) -> None:
    maintainer("explore", "Where are orders placed?", cwd=shop)
    assert_one_line(maintainer("explore", "more", "--session", "", cwd=shop), "session name ''")
    assert_one_line(maintainer("resume", "", cwd=shop), "session name ''")
    assert "1 turns" in maintainer("sessions", cwd=shop).stdout
