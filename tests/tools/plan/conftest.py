import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool

COMPLEX = "def f(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(20)) + "    return x\n"
BUG = "def g(y=[]):\n    y.append(1)\n    return y\n"

Git = Callable[..., None]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one function too complex, one probable bug, and a test file."""
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a.py").write_text(COMPLEX)
    (folder / "b.py").write_text(BUG)
    (folder / "main.py").write_text("from a import f\nfrom b import g\n\nf(1)\ng()\n")
    (folder / "test_other.py").write_text("def test_nothing():\n    pass\n")
    return folder


@pytest.fixture
def git(repo: Path) -> Git:
    """Run git in the repository, which then has one commit."""

    def running(*args: str) -> None:
        identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", *identity, *args], cwd=repo, check=True, capture_output=True)

    for args in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "first")):
        running(*args)
    return running


@pytest.fixture
def fix(repo: Path) -> Callable[[], None]:
    """Repair the probable bug."""
    return lambda: (repo / "b.py").write_text(BUG.replace("y=[]", "y")) and None


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[NoteTool]:
    with NoteTool(tmp_path / "home" / "notes", clock=FixedClock(), embedder=None) as tool:
        yield tool
