"""Attacks achieve nothing, and what an explorer needs gives what bash gives.

The normal suite runs a fixed sample; `make security` runs all.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from maintainer.tools.terminal import TerminalTool
from maintainer.tools.terminal.policy.check import installed
from maintainer.tools.terminal.sandbox.level import best_level

Case = Mapping[str, Any]
HERE = Path(__file__).parent
BASH = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "TERM": "dumb",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}

pytestmark = pytest.mark.skipif(not best_level().full, reason="this kernel has no Landlock or no seccomp")


def cases(name: str, every: int = 1) -> list[Any]:
    """Return each `every`-th case of a file."""
    with (HERE / name).open(encoding="utf-8") as file:
        wanted = [case for case in map(json.loads, file) if not case.get("advisory") and not case.get("stretch")]
    return [pytest.param(case, id=case["id"]) for case in wanted[::every]]


@pytest.mark.parametrize("case", cases("attacks.jsonl", 40) + cases("more_attacks.jsonl", 40))
def test_an_attack_of_the_sample_achieves_nothing(case: Case, attack: Callable[[Case], list[str]]) -> None:
    assert attack(case) == []


@pytest.mark.security
@pytest.mark.parametrize("case", cases("attacks.jsonl") + cases("more_attacks.jsonl"))
def test_an_attack_achieves_nothing(case: Case, attack: Callable[[Case], list[str]]) -> None:
    assert attack(case) == []


@pytest.mark.parametrize("case", cases("legit.jsonl", 20))
def test_a_command_of_the_sample_gives_what_bash_gives(case: Case, template: Path, tmp_path: Path) -> None:
    compare(case, template, tmp_path)


@pytest.mark.security
@pytest.mark.parametrize("case", cases("legit.jsonl"))
def test_a_legitimate_command_gives_what_bash_gives(case: Case, template: Path, tmp_path: Path) -> None:
    compare(case, template, tmp_path)


def compare(case: Case, template: Path, folder: Path) -> None:
    """Run the commands of a case in the terminal and in bash, each in a copy of its own."""
    missing = [name for name in case.get("needs", ()) if installed(name) is None]
    if missing:
        pytest.skip(f"{missing} is not installed")
    ours = copy(template, folder / "ours", case)
    commands = [command.replace("@@WS@@", str(ours)) for command in case["commands"]]
    with TerminalTool(ours) as terminal:
        results = [terminal.run(command) for command in commands]
    assert [result.reason for result in results] == [""] * len(results)
    expected = case.get("expect", {"mode": "bash"})
    if expected["mode"] == "match":
        text = "\n".join(result.output for result in results)
        for pattern in expected.get("all", ()):
            assert re.search(pattern, text, re.MULTILINE), text
        return
    theirs = copy(template, folder / "theirs", case)
    order = sorted if case.get("unordered") else list
    for command, result, (out, code) in zip(commands, results, bash(theirs, commands, str(ours)), strict=True):
        if not re.fullmatch(r"cd( \S+)?", command):
            assert order(lines(result.stdout, ours)) == order(lines(out, theirs))
        assert (result.exit_code == 0) == (code == 0)


def lines(text: str, folder: Path) -> list[str]:
    return [line.rstrip() for line in text.replace(str(folder), "WS").strip("\n").split("\n")]


def copy(template: Path, target: Path, case: Case) -> Path:
    shutil.copytree(template, target / "shop", symlinks=True)
    for step in case.get("setup", ()):
        path = target / "shop" / step["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if step["op"] == "file":
            path.write_text(step["content"], "utf-8")
        else:
            path.symlink_to(step["target"])
    return target / "shop"


def bash(folder: Path, commands: list[str], ours: str) -> list[tuple[str, int]]:
    """Return what bash prints for each command, run one after the other in one shell, and its exit codes."""
    mark = "==== a line no file has ===="
    script = "".join(f"{command}\nprintf '\\n{mark} %s\\n' $?\n" for command in commands).replace(ours, str(folder))
    run = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", script],
        cwd=folder,
        env=BASH,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    parts = re.split(rf"\n{re.escape(mark)} (\d+)\n", run.stdout.decode("utf-8", "replace"))
    return [(parts[2 * place], int(parts[2 * place + 1])) for place in range(len(commands))]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become nobody")
def test_an_ordinary_user_is_confined_as_well() -> None:
    """Root is confined in all the tests above; here a child becomes nobody before it opens the terminal."""
    script = (
        "import sys; from maintainer.tools import TerminalTool\n"
        "result = TerminalTool(sys.argv[1], require_sandbox=True).run('ls; cat README.md')\n"
        "print(result.confinement, result.stdout)"
    )
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are closed to others
    folder.chmod(0o755)
    (folder / "README.md").write_text("hello\n")
    argv = [sys.executable, "-c", script, str(folder)]
    try:
        run = subprocess.run(argv, user="nobody", cwd="/", capture_output=True, text=True)
    except PermissionError:
        pytest.skip("nobody may not start this interpreter")
    finally:
        shutil.rmtree(folder)
    if "ModuleNotFoundError" in run.stderr:
        pytest.skip("nobody may not read this installation")
    assert "landlock" in run.stdout, run.stderr
    assert "hello" in run.stdout
