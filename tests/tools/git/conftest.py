"""Real repositories, made by real git."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

GitCommand = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> GitCommand:
    """Return a function that runs git in `tmp_path/repo`, at a fixed time and by a fixed author."""
    repo = tmp_path / "repo"
    repo.mkdir()
    clock = iter(range(1_700_000_000, 1_800_000_000, 3600))

    def command(*args: str, cwd: Path = repo) -> str:
        stamp = f"{next(clock)} +0000"
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_DATE": stamp,
        }
        return subprocess.run(["git", *args], cwd=cwd, env=env, check=True, capture_output=True, text=True).stdout

    command("init", "-q", "-b", "main")
    return command


@pytest.fixture
def repo(tmp_path: Path, git: GitCommand) -> Path:
    """Return a repository with four commits: two files, an edit, a rename, and an empty commit."""
    root = tmp_path / "repo"
    (root / "a.py").write_text("one\ntwo\nthree\n")
    (root / "sub dir").mkdir()
    (root / "sub dir" / "文件.py").write_text("x = 1\n")
    git("add", ".")
    git("commit", "-q", "-m", "first\n\nwith a body")
    (root / "a.py").write_text("one\nTWO\nthree\n")
    git("commit", "-q", "-a", "-m", "second")
    git("mv", "a.py", "b.py")
    git("commit", "-q", "-m", "third")
    git("commit", "-q", "--allow-empty", "-m", "fourth")
    return root
