import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.state import NoteSource
from maintainer.state.errors import InvalidNote
from maintainer.state.notes import SourceState
from maintainer.tools.git import Git
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.lines import changed_lines
from maintainer.tools.notes.sources import Sources

CODE = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "app").mkdir(parents=True)
    (folder / "app/订单.py").write_text(CODE, "utf-8")
    return folder


@pytest.fixture
def commit(repo: Path) -> Callable[[], None]:
    def git(*args: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *who, *args], cwd=repo, check=True, capture_output=True)

    git("init", "-q")

    def commit_all() -> None:
        git("add", "-A")
        git("commit", "-q", "-m", "work")

    return commit_all


def test_lines_that_did_not_change_are_fresh(repo: Path) -> None:
    sources = Sources(repo)
    bound = sources.bind("app/订单.py", "3-5")
    assert bound == NoteSource(path="app/订单.py", lines="3-5", sha256=bound.sha256)
    assert sources.bind_place("app/订单.py:3-5") == bound
    assert sources.check(bound).state is SourceState.FRESH
    (repo / "app/订单.py").write_bytes(CODE.replace("\n", "\r\n").encode())
    assert sources.check(bound).state is SourceState.FRESH, "line ends are not text"


def test_lines_pushed_down_have_moved(repo: Path) -> None:
    sources = Sources(repo)
    bound = sources.bind("app/订单.py", "3-5")
    (repo / "app/订单.py").write_text("import os\n\n" + CODE, "utf-8")
    check = sources.check(bound)
    assert (check.state, check.lines, check.changed_lines) == (SourceState.MOVED, "5-7", 0)


def test_changed_lines_are_stale_and_git_says_by_how_much(repo: Path, commit: Callable[[], None]) -> None:
    commit()
    sources = Sources(repo, Git(repo))
    bound = sources.bind("app/订单.py", "3-6")
    assert len(bound.commit) == 40
    (repo / "app/订单.py").write_text("import os\n" + CODE.replace("line 4\n", "line four\nline 4b\n"), "utf-8")
    check = sources.check(bound)
    assert (check.state, check.changed_lines) == (SourceState.STALE, 3)
    assert "3 lines changed" in check.reason


def test_without_git_the_size_of_a_change_is_unknown(repo: Path) -> None:
    sources = Sources(repo)
    bound = sources.bind("app/订单.py")
    (repo / "app/订单.py").write_text("all new\n", "utf-8")
    check = sources.check(bound)
    assert (check.state, check.changed_lines) == (SourceState.STALE, None)


def test_a_renamed_file_is_followed_a_deleted_one_is_stale(repo: Path, commit: Callable[[], None]) -> None:
    commit()
    sources = Sources(repo, Git(repo))
    part, whole = sources.bind("app/订单.py", "3-5"), sources.bind("app/订单.py")
    (repo / "app/订单.py").rename(repo / "orders.py")
    assert sources.check(part).state is SourceState.STALE, "git does not know the new name yet"
    commit()
    moved = sources.check(part)
    assert (moved.state, moved.path, moved.lines) == (SourceState.MOVED, "orders.py", "3-5")
    assert sources.check(whole).state is SourceState.MOVED
    (repo / "orders.py").unlink()
    gone = sources.check(part)
    assert (gone.state, gone.path, gone.reason) == (SourceState.STALE, "", "the file is gone")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (NoteSource(path="app/订单.py"), "no checksum"),
        (NoteSource(path="../outside", sha256="0"), "out of the repository"),
        (NoteSource(path="/etc/passwd", sha256="0"), "out of the repository"),
        (NoteSource(path="link", sha256="0"), "out of the repository"),
        (NoteSource(path="app/订单.py", lines="x", sha256="0"), "lines is 'x'"),
        (NoteSource(path="binary", sha256="0"), "no text"),
    ],
)
def test_what_cannot_be_compared_is_unverifiable(repo: Path, source: NoteSource, words: str) -> None:
    (repo / "link").symlink_to("/etc/passwd")
    (repo / "binary").write_bytes(b"a\0b")
    check = Sources(repo).check(source)
    assert check.state is SourceState.UNVERIFIABLE
    assert words in check.reason


@pytest.mark.parametrize(
    ("path", "lines", "words"),
    [
        ("gone.py", "", "path is 'gone.py'"),
        ("../x", "", "path is"),
        ("app", "", "path is 'app'"),
        ("app/订单.py", "9-99", "has 20 lines"),
        ("app/订单.py", "5-3", "lines is '5-3'"),
        ("app/订单.py", "0", "lines is '0'"),
    ],
)
def test_only_lines_that_are_there_can_be_bound(repo: Path, path: str, lines: str, words: str) -> None:
    with pytest.raises(InvalidNote, match=words):
        Sources(repo).bind(path, lines)


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("abcdefgh", 0),
        ("abXdefgh", 0),  # before the lines
        ("abcdXfgh", 2),  # one out, one in
        ("abcdfgh", 1),
        ("abcdeYfgh", 1),
        ("abcdYefgh", 1),
        ("abcYdefgh", 0),  # pushed in just before
        ("", 3),
    ],
)
def test_only_changes_inside_the_lines_count(new: str, expected: int) -> None:
    old = [bytes([number]) for number in b"abcdefgh"]
    assert changed_lines(old, [bytes([number]) for number in new.encode()], 4, 6) == expected


def test_a_tool_that_knows_its_repository_binds_places_by_itself(repo: Path, tmp_path: Path) -> None:
    with NoteTool(tmp_path / "notes", repo=repo, embedder=None) as tool:
        made = tool.run({"action": "create", "title": "t", "content": "c", "sources": ["app/订单.py:3-5"]})
        note = tool.read(made["note"]["id"])
        assert tool.review is not None
        assert tool.review.look(note).state is SourceState.FRESH
        (repo / "app/订单.py").write_text("all new\n", "utf-8")
        assert tool.review.look(note).state is SourceState.STALE
    with (
        NoteTool(tmp_path / "others", embedder=None) as tool,
        pytest.raises(InvalidNote, match=r"sources holds 'app/订单\.py': a place can only be bound"),
    ):
        tool.create("t", "c", sources=["app/订单.py"])
