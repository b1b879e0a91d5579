"""A small repository with a secret beside it, and a terminal that looks at the repository."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.tools import TerminalTool

SECRET = "sesame-93412"
FILES = {
    "README.md": "# Shop\n\nTODO: describe\n",
    "src/app.py": "def main():\n    return 1  # TODO\n",
    "src/util.py": "def helper():\n    pass\n",
    "docs/guide.md": "guide\n",
    "docs/notes.txt": "b\na\nb\n",
    "my docs/a b.txt": "spaces\n",
    "中文/说明.md": "待办: 部署\n",
    "data.csv": "id,name\n1,ada\n2,lin\n",
    "config.json": '{"port": 8080, "include": ["a"]}\n',
    "empty.txt": "",
}
GIT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


@pytest.fixture
def git(repo: Path) -> Callable[..., str]:
    """Return a function that runs git in the repository, unconfined."""

    def run(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=repo, env=GIT, check=True, capture_output=True, text=True).stdout

    return run


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text(f"{SECRET}\n", "utf-8")
    twin = tmp_path / "shop-evil"
    twin.mkdir()
    (twin / "secret.txt").write_text(f"{SECRET}\n", "utf-8")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "first: a shop")):
        subprocess.run(["git", *words], cwd=root, env=GIT, check=True)
    return root


@pytest.fixture
def terminal(repo: Path) -> Iterator[TerminalTool]:
    with TerminalTool(repo, timeout=20) as tool:
        yield tool


@pytest.fixture
def secret() -> str:
    return SECRET


@pytest.fixture(autouse=True)
def _key_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_API_KEY", SECRET)


@pytest.fixture
def needs_kernel() -> None:
    from maintainer.tools.terminal.sandbox.level import best_level

    if not best_level().full:
        pytest.skip("this kernel has no Landlock or no seccomp")


@pytest.fixture
def descriptors() -> Callable[[], int]:
    return lambda: len(os.listdir("/proc/self/fd"))
