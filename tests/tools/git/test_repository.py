"""The history of a real repository, as plain data."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from maintainer.state.errors import RepositoryError
from maintainer.tools.git import Change, Git

GitCommand = Callable[..., str]


def test_the_log_tells_commits_newest_first_with_what_they_changed(repo: Path) -> None:
    log = Git(repo).log()
    assert [commit.message for commit in log] == ["fourth", "third", "second", "first\n\nwith a body"]
    assert [commit.changes for commit in log] == [
        (),
        (Change(kind="renamed", path="b.py", old="a.py"),),
        (Change(kind="modified", path="a.py"),),
        (Change(kind="added", path="a.py"), Change(kind="added", path="sub dir/文件.py")),
    ]
    assert {commit.author for commit in log} == {"Ada"}
    assert log[0].time > log[3].time >= datetime(2023, 11, 14, tzinfo=UTC)


def test_the_log_can_be_cut_and_can_start_after_a_commit(repo: Path) -> None:
    git = Git(repo)
    log = git.log()
    assert git.log(limit=1) == log[:1]
    assert git.log(since=log[2].sha) == log[:2]
    assert git.log(since=log[0].sha) == []


def test_head_and_branch(repo: Path, git: GitCommand) -> None:
    head = git("rev-parse", "HEAD").strip()
    assert (Git(repo).head(), Git(repo).branch()) == (head, "main")
    git("checkout", "-q", "--detach")
    assert (Git(repo).head(), Git(repo).branch()) == (head, "")


def test_changed_since_tells_the_difference_to_head(repo: Path, git: GitCommand) -> None:
    first = Git(repo).log()[-1].sha
    (repo / "sub dir" / "文件.py").unlink()
    git("commit", "-q", "-a", "-m", "fifth")
    assert Git(repo).changed_since(first) == [
        Change(kind="renamed", path="b.py", old="a.py"),
        Change(kind="deleted", path="sub dir/文件.py"),
    ]


def test_renames_lead_to_the_newest_name(repo: Path, git: GitCommand) -> None:
    git("mv", "b.py", "c.py")
    git("commit", "-q", "-m", "again")
    assert Git(repo).renames() == {"a.py": "c.py", "b.py": "c.py"}


def test_blame_names_the_commit_of_each_line_across_renames(repo: Path) -> None:
    git = Git(repo)
    second, first = git.log()[2].sha, git.log()[3].sha
    assert [(line.line, line.text, line.sha) for line in git.blame("b.py")] == [
        (1, "one", first),
        (2, "TWO", second),
        (3, "three", first),
    ]
    assert [line.text for line in git.blame("b.py", (2, 2))] == ["TWO"]
    assert git.blame("b.py", (9, 9)) == []
    assert git.blame("gone.py") == []


def test_show_file_gives_the_text_as_of_a_commit(repo: Path) -> None:
    git = Git(repo)
    first = git.log()[-1].sha
    assert git.show_file(first, "a.py") == "one\ntwo\nthree\n"
    assert git.show_file("HEAD", "a.py") is None
    assert git.show_file("HEAD", "sub dir/文件.py") == "x = 1\n"


@pytest.mark.parametrize("sha", ["deadbeef" * 5, "main", "--output=owned", "HEAD~1", "", "HEAD\n"])
def test_what_is_no_commit_hash_is_refused(sha: str, repo: Path) -> None:
    with pytest.raises(RepositoryError, match="is no commit of"):
        Git(repo).changed_since(sha)
    with pytest.raises(RepositoryError, match="is no commit of"):
        Git(repo).show_file(sha, "a.py")


def test_odd_file_names_survive(repo: Path, git: GitCommand) -> None:
    names = ["new\nline.py", "tab\there.py", "-n", ":(glob)*", os.fsdecode(b"latin-\xe9.py")]
    for name in names:
        (repo / name).write_text("text\n")
    git("add", ".")
    git("commit", "-q", "-m", "odd")
    history = Git(repo)
    shown = [*names[:-1], "latin-\ufffd.py"]
    assert sorted(history.log(limit=1)[0].files) == sorted(shown)
    for name in names:
        assert history.show_file("HEAD", name) == "text\n"
        assert [line.text for line in history.blame(name)] == ["text"]


def test_a_message_cannot_forge_a_commit(repo: Path, git: GitCommand) -> None:
    (repo / "c.py").write_text("c\n")
    git("add", ".")
    git("commit", "-q", "-m", "evil\n\nR100\na\nb\n\x1e\x00"[:-1] + "0" * 40)
    log = Git(repo).log()
    assert len(log) == 5
    assert log[0].files == ("c.py",)


def test_an_empty_repository_has_no_history_and_no_error(tmp_path: Path, git: GitCommand) -> None:
    empty = Git(tmp_path / "repo")
    assert (empty.available, empty.head(), empty.branch(), empty.log()) == (True, "", "main", [])


def test_a_folder_without_git_says_why(tmp_path: Path) -> None:
    plain = Git(tmp_path)
    assert (plain.available, plain.head(), plain.log(), plain.blame("a.py")) == (False, "", [], [])
    assert "has no .git" in plain.why


def test_a_folder_inside_a_repository_names_the_repository(repo: Path) -> None:
    inner = Git(repo / "sub dir")
    assert not inner.available
    assert str(repo) in inner.why


def test_a_worktree_and_a_submodule_are_read(repo: Path, tmp_path: Path, git: GitCommand) -> None:
    git("worktree", "add", "-q", str(tmp_path / "tree"))
    assert Git(tmp_path / "tree").head() == Git(repo).head()
    other = tmp_path / "other"
    other.mkdir()
    git("init", "-q", cwd=other)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo), "part", cwd=other)
    assert Git(other / "part").head() == Git(repo).head()


@pytest.mark.parametrize("stamp", ["99999999999999 +0000", "18446744073709551615 +0000", "no number", ""])
def test_a_commit_with_an_impossible_time_or_name_is_read_all_the_same(repo: Path, git: GitCommand, stamp: str) -> None:
    with open(os.path.join(os.fsencode(repo), b"caf\xe9.py"), "wb") as odd:
        odd.write(b"x = 1\n")
    git("add", ".")
    tree = git("write-tree").strip()
    (repo / "raw").write_bytes(
        f"tree {tree}\nauthor \xe9 <e> {stamp}\ncommitter E <e> {stamp}\n\nodd\n".encode("latin-1")
    )
    sha = git("hash-object", "--literally", "-t", "commit", "-w", "raw").strip()
    git("update-ref", "HEAD", sha)
    commit = Git(repo).log(limit=1)[0]
    assert (commit.sha, commit.message) == (sha, "odd")
    assert commit.time == datetime(1970, 1, 1, tzinfo=UTC)
    assert "caf\ufffd.py" in commit.files, "what git says can be stored and sent: no lone surrogates"


def test_files_since_a_commit_that_is_gone_are_unknown_not_an_error(repo: Path, git: GitCommand) -> None:
    first = git("rev-list", "--max-parents=0", "HEAD").strip()
    assert Git(repo).files_since(first) == ["b.py"]
    assert Git(repo).files_since("0123456789abcdef0123456789abcdef01234567") is None
