"""A hostile repository: none of its programs runs, nothing outside it is read."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.tools.git import Git

GitCommand = Callable[..., str]


SETTINGS = [  # each names a program git would run by itself on some read-only command
    "core.fsmonitor",
    "core.pager",
    "core.sshCommand",
    "core.gitProxy",
    "core.editor",
    "core.askPass",
    "core.alternateRefsCommand",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "merge.evil.driver",
    "gpg.program",
    "gpg.ssh.program",
    "pager.log",
    "pager.blame",
    "alias.log",
    "alias.blame",
    "interactive.diffFilter",
    "credential.helper",
    "uploadpack.packObjectsHook",
]


@pytest.fixture
def trap(tmp_path: Path) -> tuple[str, Path]:
    """Return a program that leaves a mark when it runs, and the mark."""
    mark, program = tmp_path / "ran", tmp_path / "trap.sh"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(0o755)
    return str(program), mark


def read_everything(repo: Path) -> None:
    """Use every method once, on every file."""
    git = Git(repo)
    for commit in git.log():
        git.changed_since(commit.sha)
        for path in commit.files:
            git.show_file(commit.sha, path)
            git.blame(path)
            git.blame(path, (1, 1))
    git.renames()
    git.branch()


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_runs_a_program(setting: str, repo: Path, git: GitCommand, trap: tuple[str, Path]) -> None:
    program, mark = trap
    value = f"!{program}" if setting.startswith(("alias.", "credential.")) else program
    (repo / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    git("add", ".gitattributes")
    git("commit", "-q", "-m", "attributes")
    git("config", setting, value)
    git("config", "log.showSignature", "true")
    (repo / "b.py").write_text("edited\n")  # the work tree differs from the index: filters would run
    read_everything(repo)
    assert not mark.exists()
    assert len(Git(repo).log()) == 5


def test_the_trap_itself_works(repo: Path, git: GitCommand, trap: tuple[str, Path]) -> None:
    program, mark = trap
    (repo / ".gitattributes").write_text("* diff=evil\n")
    git("config", "diff.evil.textconv", program)
    git("blame", "b.py")  # what git does when it is not held back
    assert mark.exists()


def test_hooks_do_not_run(repo: Path, trap: tuple[str, Path]) -> None:
    program, mark = trap
    for hook in ("post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction"):
        shutil.copy(program, repo / ".git" / "hooks" / hook)
    read_everything(repo)
    assert not mark.exists()


def test_a_missing_object_is_not_fetched(repo: Path, git: GitCommand, trap: tuple[str, Path]) -> None:
    program, mark = trap
    blob = git("rev-parse", "HEAD:b.py").strip()
    (repo / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    git("config", "remote.origin.url", str(repo))
    git("config", "remote.origin.promisor", "true")
    git("config", "remote.origin.uploadpack", program)
    git("config", "extensions.partialClone", "origin")
    git("config", "core.repositoryFormatVersion", "1")
    read_everything(repo)
    assert Git(repo).show_file("HEAD", "b.py") is None
    assert len(Git(repo).log()) == 4
    assert not mark.exists()


def test_reading_writes_nothing(repo: Path) -> None:
    def picture() -> dict[str, tuple[int, int]]:
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in repo.rglob("*")}

    (repo / "b.py").touch()  # an index refresh would now be due
    before = picture()
    read_everything(repo)
    assert picture() == before


def point_by_file(evil: Path, victim: Path) -> None:
    (evil / ".git").write_text(f"gitdir: {victim / '.git'}\n")


def point_by_link(evil: Path, victim: Path) -> None:
    (evil / ".git").symlink_to(victim / ".git")


def point_by_commondir(evil: Path, victim: Path) -> None:
    (evil / ".git").mkdir()
    (evil / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (evil / ".git" / "commondir").write_text(f"{victim / '.git'}\n")


def point_by_forged_worktree(evil: Path, victim: Path) -> None:
    forged = evil / "worktrees" / "x"
    forged.mkdir(parents=True)
    (forged / "HEAD").write_text("ref: refs/heads/main\n")
    (forged / "gitdir").write_text(f"{evil / '.git'}\n")
    (forged / "commondir").write_text(f"{victim / '.git'}\n")
    (evil / ".git").write_text(f"gitdir: {forged}\n")


def point_by_inner_links(evil: Path, victim: Path) -> None:
    (evil / ".git").mkdir()
    for name in os.listdir(victim / ".git"):
        (evil / ".git" / name).symlink_to(victim / ".git" / name)


@pytest.mark.parametrize(
    "point", [point_by_file, point_by_link, point_by_commondir, point_by_forged_worktree, point_by_inner_links]
)
def test_another_repositorys_history_is_not_shown(
    point: Callable[[Path, Path], None], repo: Path, tmp_path: Path
) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    point(evil, repo)
    git = Git(evil)
    assert (git.available, git.log(), git.head()) == (False, [], "")
    assert "not followed" in git.why


def test_the_work_tree_setting_does_not_lead_outside(repo: Path, tmp_path: Path, git: GitCommand) -> None:
    git("config", "core.worktree", str(tmp_path))
    assert Git(repo).show_file("HEAD", "b.py") == "one\nTWO\nthree\n"


def test_a_mailmap_or_ignore_file_outside_is_not_read(repo: Path, tmp_path: Path, git: GitCommand) -> None:
    (tmp_path / "secret").write_text("Leaked Name <leak@example.org> Ada <ada@example.org>\n")
    git("config", "mailmap.file", str(tmp_path / "secret"))
    git("config", "blame.ignoreRevsFile", str(tmp_path / "secret"))
    assert {commit.author for commit in Git(repo).log()} == {"Ada"}
    assert {line.author for line in Git(repo).blame("b.py")} == {"Ada"}
