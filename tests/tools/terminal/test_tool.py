"""The terminal from outside: sessions, pipelines, limits, what is refused, what is said."""

import gc
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from maintainer.state.errors import ConfigError
from maintainer.tools import TerminalTool
from maintainer.tools.terminal import Progress
from maintainer.tools.terminal.sandbox.level import Level, best_level


def test_a_command_gives_output_errors_and_an_exit_code(terminal: TerminalTool) -> None:
    result = terminal.run("cat README.md nope")
    assert result.stdout == "# Shop\n\nTODO: describe\n"
    assert "nope" in result.stderr
    assert (result.exit_code, result.refused, result.ok) == (1, False, False)
    assert result.confinement == str(best_level())
    assert "[exit code 1]" in result.output


def test_the_one_dictionary_form_is_the_same(terminal: TerminalTool) -> None:
    assert terminal.run({"command": "ls"}).stdout == terminal.run("ls").stdout
    assert terminal.run({"cmd": "ls"}).refused


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ls | wc -l", "8\n"),
        ("cut -d, -f2 data.csv | sort | head -1", "ada\n"),
        ("sort docs/notes.txt | uniq -c | sort -rn | head -1 | tr -s ' '", " 2 b\n"),
        ("echo a b | cut -d' ' -f2", "b\n"),
        ("cat < data.csv | tail -1", "2,lin\n"),
        ("ls nope 2>/dev/null || echo none", "none\n"),
        ("ls README.md && echo yes", "README.md\nyes\n"),
        ("true && echo a || echo b; false && echo c || echo d", "a\nd\n"),
        ("ls nope 2>&1 | wc -l", "1\n"),
        ("echo x >/dev/null; echo y", "y\n"),
        ("cat 'my docs/a b.txt' my\\ docs/a\\ b.txt", "spaces\nspaces\n"),
        ("grep 待办 中文/*", "待办: 部署\n"),
        ("cat src/{app,util}.py | grep -c def", "2\n"),
        ("git log --format=%s", "first: a shop\n"),
        ("git show HEAD:docs/guide.md", "guide\n"),
        ("jq .port config.json", "8080\n"),
        ("awk -F, 'NR>1{print $2}' data.csv | paste -sd+", "ada+lin\n"),
        ("sed -n '2,$p' data.csv | sort -r", "2,lin\n1,ada\n"),
        ("find src -name '*.py' | sort", "src/app.py\nsrc/util.py\n"),
        ("echo -n a; echo -e 'b\\tc'; echo -E 'd\\n'", "ab\tc\nd\\n\n"),
        ("less README.md | head -1; more README.md | head -1", "# Shop\n# Shop\n"),
        ("basename src/app.py .py; dirname src/app.py", "app\nsrc\n"),
        ("which cat | wc -l; which rm; whereis nope", "1\nnope:\n"),
        ("cat", ""),
        (
            "test -f README.md && echo yes; [ -d nope ] || echo no; [ ! -e README.md ]; test a = a && echo same",
            "yes\nno\nsame\n",
        ),
        ("[ 3 -gt 2 ] && [ -s README.md ] && test -n x && test -z '' && echo all", "all\n"),
        (" # nothing but a comment\npwd | wc -l", "1\n"),
    ],
)
def test_lines_give_what_bash_gives(terminal: TerminalTool, line: str, expected: str) -> None:
    result = terminal.run(line)
    assert not result.refused, result.reason
    assert result.stdout == expected


def test_cd_is_kept_between_calls(terminal: TerminalTool, repo: Path) -> None:
    assert terminal.run("cd src").cwd == "src"
    assert terminal.run("ls").stdout == "app.py\nutil.py\n"
    assert terminal.run("cd ..").cwd == "."
    assert terminal.run("cd -").stdout == f"{repo}/src\n"
    assert terminal.run("cd").cwd == "."
    assert terminal.run("cd 'my docs' && ls").stdout == "a b.txt\n"
    assert terminal.run("cd ~/src; pwd").stdout == f"{repo}/src\n"
    assert terminal.run(f"cd {repo}/docs").cwd == "docs"


def test_cd_that_fails_moves_nothing(terminal: TerminalTool) -> None:
    result = terminal.run("cd nope && ls")
    assert (result.exit_code, result.cwd, result.stdout) == (1, ".", "")
    assert "No such file" in result.stderr
    assert "Not a directory" in terminal.run("cd README.md").stderr
    assert terminal.run("cd ..").refused
    assert terminal.run("cd src && cd ../..").refused
    assert terminal.run("ls | cd src").refused
    assert terminal.run("pwd; cd a b").refused
    assert terminal.run("ls").cwd == "."


def test_what_follows_a_cd_that_was_skipped_is_checked_again(terminal: TerminalTool, secret: str) -> None:
    result = terminal.run("ls nope && cd src; cat ../outside/secret.txt")
    assert secret not in result.output
    assert terminal.run("ls nope 2>/dev/null && cd src; cat app.py").exit_code == 1
    result = terminal.run("false && cd src/; cat ../README.md")
    assert "outside the workspace" in result.reason
    assert "# Shop" not in result.output


def test_cd_can_be_switched_off(repo: Path) -> None:
    with TerminalTool(repo, allow_cd=False) as terminal:
        assert "switched off" in terminal.run("cd src").reason


def test_a_deleted_current_directory_is_left(terminal: TerminalTool, repo: Path) -> None:
    (repo / "deep" / "er").mkdir(parents=True)
    terminal.run("cd deep/er")
    (repo / "deep" / "er").rmdir()
    (repo / "deep").rmdir()
    result = terminal.run("ls README.md")
    assert result.stdout == "README.md\n"
    assert "gone" in result.notices[0]


def test_a_current_directory_that_became_a_link_outside_is_left(terminal: TerminalTool, repo: Path) -> None:
    (repo / "sub").mkdir()
    terminal.run("cd sub")
    (repo / "sub").rmdir()
    (repo / "sub").symlink_to(repo.parent / "outside")
    assert "secret" not in terminal.run("ls").stdout
    assert terminal.run("pwd").stdout == f"{repo}\n"


@pytest.mark.parametrize(
    "line",
    [
        "cat ../outside/secret.txt",
        "cat ../shop-evil/secret.txt",
        "cat {root}-evil/secret.txt",
        "cat src/../../outside/secret.txt",
        "head -1 link",
        "cat < link",
        "cat folder/secret.txt",
        "ls folder/",
        "grep -r sesame folder",
        "cd folder && cat secret.txt",
        "git -C folder log",
        "git diff README.md ../outside/secret.txt",
        "cat proc/environ",
        "cat /proc/self/environ",
        "stat ../outside/secret.txt",
        "wc -c < ../outside/secret.txt",
        "awk 1 ../outside/secret.txt",
        "sort -m README.md ../outside/secret.txt",
        "ls README.md; cat ../outside/secret.txt",
        "ls README.md && cat ../outside/secret.txt",
        "cat README.md | cat - ../outside/secret.txt",
        "grep -f ../outside/secret.txt README.md",
        "diff README.md ../outside/secret.txt",
        "du -a ../outside",
        "df ../outside",
        "test -f ../outside/secret.txt",
        "[ -e link ]",
    ],
)
def test_outside_is_refused_before_anything_starts(terminal: TerminalTool, repo: Path, line: str, secret: str) -> None:
    (repo / "link").symlink_to("../outside/secret.txt")
    (repo / "folder").symlink_to("../outside")
    (repo / "proc").symlink_to("/proc/self")
    result = terminal.run(line.replace("{root}", str(repo)))
    assert result.refused
    assert result.stdout == ""
    assert secret not in result.output
    assert "outside the workspace" in result.reason


SEARCHES = """
    grep -r sesame .
    grep -rR sesame
    rg --no-ignore sesame
    find . -type f
    ls -laR
    tree
    du -a
    cat *
    sed -n 'r ../outside/secret.txt' README.md
    sed '1e cat ../outside/secret.txt' README.md
    file *
    wc -c *
    git status
    git ls-files -o
    git grep --untracked sesame
    sort *
"""


@pytest.mark.parametrize("line", SEARCHES.strip().splitlines())
def test_links_in_the_tree_are_not_followed(terminal: TerminalTool, repo: Path, line: str, secret: str) -> None:
    (repo / "zlink").symlink_to("../outside/secret.txt")
    (repo / "zfolder").symlink_to("../outside")
    os.mkfifo(repo / "zpipe")
    result = terminal.run(line)
    assert secret not in result.output
    assert not result.timed_out


def test_nothing_of_the_environment_is_seen(terminal: TerminalTool, secret: str) -> None:
    for line in (
        "awk 'BEGIN{for(k in ENVIRON) print k}'",
        "jq -n env",
        "jq -n '$ENV'",
        "git var -l",
        "echo $SECRET_API_KEY",
    ):
        assert secret not in terminal.run(line).output


def test_a_hostile_repository_runs_nothing(
    terminal: TerminalTool, repo: Path, tmp_path: Path, git: Callable[..., str]
) -> None:
    mark = tmp_path / "ran"
    evil = repo / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n", "utf-8")
    evil.chmod(0o755)
    settings = {
        "core.fsmonitor": str(evil), "core.pager": str(evil), "diff.external": str(evil), "diff.ev.textconv": str(evil),
        "diff.ev.command": str(evil), "filter.ev.clean": str(evil), "filter.ev.process": str(evil),
        "gpg.program": str(evil), "log.showSignature": "true", "core.hooksPath": str(repo), "alias.log": f"!{evil}",
        "core.sshCommand": str(evil), "core.editor": str(evil), "credential.helper": str(evil),
        "merge.ev.driver": str(evil),
        "interactive.diffFilter": str(evil), "blame.ignoreRevsFile": "../outside/secret.txt", "alias.st": f"!{evil}",
    }  # fmt: skip
    (repo / ".gitattributes").write_text("* filter=ev diff=ev merge=ev\n", "utf-8")
    for name in ("post-index-change", "pre-commit", "post-checkout"):
        (repo / name).write_bytes(evil.read_bytes())
        (repo / name).chmod(0o755)
    for key, value in settings.items():
        git("config", key, value)
    (repo / "README.md").write_text("changed\n", "utf-8")
    for line in (
        "git status", "git diff", "git log -p", "git show HEAD", "git blame src/app.py", "git ls-files -m", "git st",
        "git describe --always --dirty", "git grep -n def", "git stash list", "git log -G def", "git diff --stat",
        "git log --format=%G?", "git -p log", "git cat-file -p HEAD", "git diff-index HEAD", "git reflog",
    ):  # fmt: skip
        terminal.run(line)
        assert not mark.exists(), line


def test_git_reads_nothing_outside(terminal: TerminalTool, repo: Path, git: Callable[..., str], secret: str) -> None:
    with (repo / ".git" / "config").open("a") as file:
        file.write("[core]\n\tworktree = ../../outside\n[mailmap]\n\tfile = ../outside/secret.txt\n")
    for line in (
        "git status",
        "git diff",
        "git grep sesame",
        "git config --list",
        "git shortlog -s",
        "git ls-files -o",
    ):
        assert secret not in terminal.run(line).output


def test_control_and_direction_characters_are_made_visible(terminal: TerminalTool, repo: Path) -> None:
    (repo / "esc").write_bytes(b"a\x1b[31mred\x07\x08b\rc\r\n\xe2\x80\xaetxt\xef\xbb\xbf\xf3\xa0\x81\x81\n")
    result = terminal.run("cat esc")
    assert result.stdout == "a\\x1b[31mred\\x07\\x08b\\x0dc\r\n\\u202etxt\\ufeff\\U000e0041\n"
    (repo / "esc\x1b[31m").touch()
    assert "\x1b" not in terminal.run("ls; ls nope*; echo -e '\\e[0m'").output


def test_a_slow_command_is_stopped_and_leaves_nothing(repo: Path) -> None:
    with TerminalTool(repo, timeout=0.4) as terminal:
        result = terminal.run("awk 'BEGIN{while(1) x++}' | cat")
        assert (result.timed_out, result.exit_code) == (True, 124)
        assert "0.4 s" in result.reason
        assert result.seconds < 3
        assert terminal.run("ls README.md").stdout == "README.md\n"


def test_a_flood_is_stopped_at_the_limit(repo: Path) -> None:
    with TerminalTool(repo, max_output_size=100_000) as terminal:
        result = terminal.run("awk 'BEGIN{while(1) print \"xxxxxxxxxxxxxxxxxxxxxxxxxxx\"}'")
        assert result.truncated
        assert not result.timed_out
        assert len(result.stdout) == 100_000
        assert "100000 bytes" in result.reason
        zeros = terminal.run("head -c 90K /dev/null; head -c 60000 big")
        assert zeros.exit_code == 126


def test_cleaning_cannot_grow_output_over_the_limit(repo: Path) -> None:
    (repo / "zeros").write_bytes(b"\0" * 50_000)
    with TerminalTool(repo, max_output_size=100_000) as terminal:
        result = terminal.run("cat zeros")
        assert result.truncated
        assert len(result.stdout) == 100_000


def test_cancel_works_at_once_from_another_thread(repo: Path) -> None:
    with TerminalTool(repo, timeout=30) as terminal:
        terminal.run("ls")
        timer = threading.Timer(0.3, terminal.cancel)
        timer.start()
        begun = time.monotonic()
        result = terminal.run("awk 'BEGIN{while(1) x++}'; awk 'BEGIN{while(1) x++}' && ls")
        timer.join()
        assert result.cancelled
        assert (result.exit_code, result.reason) == (130, "cancelled")
        assert time.monotonic() - begun < 5
        assert terminal.run("ls README.md").exit_code == 0


def test_a_running_command_gives_signs_of_life(repo: Path) -> None:
    seen: list[Progress] = []
    with TerminalTool(repo, timeout=1.5, on_progress=seen.append) as terminal:
        terminal.run("awk 'BEGIN{print \"x\"; while(1) x++}'")
    assert seen
    assert seen[0].limit_s == 1.5
    assert 0.5 < seen[0].seconds < 1.5


def test_the_limit_grows_for_commands_known_to_be_slow(repo: Path) -> None:
    with TerminalTool(repo, timeout=0.3, max_timeout=1.2) as terminal:
        first = terminal.run("awk 'BEGIN{while(1) x++}'")
        assert "0.3 s" in first.reason
        assert 0.6 <= first.seconds < 1.2  # doubled once
        second = terminal.run("awk 'BEGIN{while(1) x++}'")
        assert "1.2 s" in second.reason


def test_independent_commands_run_side_by_side_and_print_in_order(repo: Path) -> None:
    (repo / "big").write_text("x\n" * 200_000, "utf-8")
    with TerminalTool(repo) as terminal:
        result = terminal.run("sort big | tail -1; echo two; wc -l < big; cd src; ls; ls nope 2>/dev/null")
    assert result.stdout == "x\ntwo\n200000\napp.py\nutil.py\n"
    assert (result.exit_code, result.cwd) == (2, "src")


def test_several_threads_may_use_one_terminal(terminal: TerminalTool) -> None:
    results: list[str] = []
    threads = [threading.Thread(target=lambda: results.append(terminal.run("ls | wc -l").stdout)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["8\n"] * 8
    assert terminal.commands_executed == 8


def test_nothing_found_is_no_error(terminal: TerminalTool) -> None:
    for line in ("grep zzz README.md", "rg zzz", "git grep zzz", "cat README.md | grep zzz"):
        result = terminal.run(line)
        assert (result.exit_code, result.no_match, result.ok, result.output) == (1, True, True, "[no match]")
    assert not terminal.run("grep zzz nope").no_match
    assert not terminal.run("ls nope").no_match


def test_names_passed_over_are_said(terminal: TerminalTool, repo: Path) -> None:
    (repo / "docs" / "zlink.md").symlink_to("../../outside/secret.txt")
    result = terminal.run("cat docs/*.md")
    assert result.stdout == "guide\n"
    assert "zlink.md" in result.notices[0]


def test_the_level_stands_in_the_description_and_in_every_result(repo: Path) -> None:
    for level, text in (
        (Level(), "policy only"),
        (Level(seccomp=True), "seccomp"),
        (Level(processes=False), "built-ins only"),
    ):
        with TerminalTool(repo, level=level) as terminal:
            assert text in terminal.description
            assert terminal.run("pwd").confinement == text
            assert terminal.run("rm x").confinement == text


def test_with_less_confinement_the_riskier_programs_are_off(repo: Path, git: Callable[..., str]) -> None:
    with TerminalTool(repo, level=Level()) as terminal:
        assert terminal.run("cat README.md | head -1").stdout == "# Shop\n"
        assert terminal.run("git log --format=%s").stdout == "first: a shop\n"
        git("config", "core.fsmonitor", "x")
        assert terminal.run("git log --format=%s").stdout == "first: a shop\n"  # outranked by our settings
        git("config", "filter.ev.clean", "x")
        assert "filter" in terminal.run("git status").reason
        assert terminal.run("sed -n '1w x' README.md").exit_code != 0
        assert not (repo / "x").exists()


def test_a_required_sandbox_that_is_not_there_is_an_error(repo: Path) -> None:
    with pytest.raises(ConfigError, match="require_sandbox"):
        TerminalTool(repo, require_sandbox=True, level=Level(seccomp=True))


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0}, {"timeout": -1}, {"timeout": float("nan")}, {"timeout": True}, {"timeout": "3"},
        {"timeout": float("inf")}, {"max_output_size": 0}, {"max_output_size": 1.5}, {"max_tokens": 0},
        {"max_timeout": 1}, {"max_output_size": True}, {"workspace": "/nonexistent/x"},
    ],
)  # fmt: skip
def test_a_wrong_setting_names_field_value_and_rule(repo: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as error:
        TerminalTool(**{"workspace": repo, **wrong})
    assert next(iter(wrong)) in str(error.value)


def test_nothing_is_left_behind(repo: Path, descriptors: Callable[[], int]) -> None:
    def children() -> set[str]:
        return set(Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split())

    with TerminalTool(repo) as first:
        first.run("ls")
    gc.collect()
    processes, opened = children(), descriptors()
    terminal = TerminalTool(repo)
    for line in ("ls | head -1", "echo x | cat", "rm x", "awk 'BEGIN{exit 3}'", "cat nope"):
        terminal.run(line)
    assert len(children()) == len(processes) + 1
    del terminal  # no close: what is dropped cleans up after itself
    assert children() == processes
    assert descriptors() == opened


def test_the_helper_process_goes_when_idle_and_comes_back(repo: Path) -> None:
    with TerminalTool(repo) as terminal:
        terminal.run("ls")
        broker = terminal._broker._process  # the process is what is tested
        assert broker is not None
        broker.wait(10)
        assert terminal.run("ls README.md").stdout == "README.md\n"
        terminal._broker._process.kill()
        assert terminal.run("ls README.md").stdout == "README.md\n"


def test_what_a_person_allowed_runs_and_nothing_else(repo: Path) -> None:
    with TerminalTool(repo, approvals=True) as terminal:
        refused = terminal.run("touch new.txt")
        assert refused.refused
        assert refused.proposal is not None
        assert (refused.proposal.command, "touch" in refused.proposal.reason) == ("touch new.txt", True)
        assert "sandbox" in refused.proposal.risk
        terminal.decide("touch new.txt", "once")
        allowed = terminal.run("touch new.txt")
        assert (allowed.exit_code, allowed.confinement) == (0, "none: approved")
        assert (repo / "new.txt").exists()
        assert terminal.run("touch new.txt").refused
        assert terminal.run("touch  new.txt").refused
        terminal.decide("touch two.txt && ls two.txt", "session")
        assert terminal.run("touch two.txt && ls two.txt").stdout == "two.txt\n"
        assert terminal.run("touch two.txt && ls two.txt").exit_code == 0
        terminal.decide("rm new.txt", "never")
        assert terminal.propose("rm new.txt") is None
        assert "never" in terminal.run("rm new.txt").reason


def test_only_what_could_run_is_proposed(repo: Path) -> None:
    with TerminalTool(repo, approvals=True) as terminal:
        for line in (
            "ls",
            "nonexistent-program x",
            "./evil.sh",
            "/bin/touch x",
            "touch $(ls)",
            "cat ../x",
            "git push",
            "cd ..",
        ):
            assert terminal.propose(line) is None
            assert terminal.run(line).proposal is None
        assert terminal.propose("touch x") is not None
    with TerminalTool(repo) as terminal:
        assert terminal.run("touch x").proposal is None
        terminal.decide("touch x", "session")
        assert terminal.run("touch x").refused  # approvals are off


def test_an_approved_command_leaves_no_process(repo: Path) -> None:
    with TerminalTool(repo, approvals=True, timeout=10) as terminal:
        line = "sh -c 'setsid sleep 300 >/dev/null 2>&1 & sleep 300 & echo started'"
        terminal.decide(line, "once")
        assert terminal.run(line).stdout == "started\n"
        until = time.monotonic() + 60
        while sleeping(repo) and time.monotonic() < until:
            time.sleep(0.05)
        assert sleeping(repo) == []


def sleeping(repo: Path) -> list[Path]:
    """Return the commands that sleep in a repository."""
    commands = Path("/proc").glob("[0-9]*/cmdline")
    return [path for path in commands if b"sleep\x00300" in read(path) and str(repo) in cwd(path)]


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def cwd(path: Path) -> str:
    try:
        return str(path.parent.joinpath("cwd").readlink())
    except OSError:
        return ""


def test_every_command_is_written_down(repo: Path, tmp_path: Path) -> None:
    log = tmp_path / "audit" / "commands.jsonl"
    with TerminalTool(repo, audit=log) as terminal:
        terminal.run("ls | head -2")
        terminal.run("rm -rf /")
        terminal.run("grep ghp_abcdefghijklmnopqrstuvwxyz0123456789AB README.md")
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [line["verdict"] for line in lines] == ["ran", "refused", "ran"]
    assert lines[0]["command"] == "ls | head -2"
    assert lines[0]["size"] > 0
    assert "'rm'" in lines[1]["reason"]
    assert "ghp_abc" not in log.read_text("utf-8")
    assert log.stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_is_said_and_stops_nothing(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with TerminalTool(repo, audit=tmp_path / "file" / "log") as terminal:
        result = terminal.run("ls README.md")
    assert result.stdout == "README.md\n"
    assert "audit log" in result.notices[-1]
