import os
from pathlib import Path

import pytest
from maintainer.state.errors import MaintainerError, RepositoryError, StoreError
from maintainer.tools.home import open_home, open_repository

needs_permissions = pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")


def test_a_missing_repository_is_named(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match=r"nowhere.*does not exist"):
        open_repository(tmp_path / "nowhere")


def test_a_file_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RepositoryError, match="is a file"):
        open_repository(tmp_path / "file")


def test_a_circle_of_links_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(RepositoryError):
        open_repository(tmp_path / "a")


def test_home_ignores_itself_in_git_except_notes(tmp_path: Path) -> None:
    home = open_home(tmp_path, None)
    assert home == tmp_path / ".maintainer"
    assert "!notes/" in (home / ".gitignore").read_text("utf-8").splitlines()


def test_a_repository_cannot_lead_our_files_elsewhere(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / ".maintainer").symlink_to(elsewhere)
    with pytest.raises(MaintainerError, match="link"):
        open_home(repo, None)
    assert list(elsewhere.iterdir()) == []


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(StoreError):
        open_home(tmp_path, tmp_path / "home")


@needs_permissions
def test_an_unwritable_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o500)
    with pytest.raises(StoreError, match="not writable"):
        open_home(tmp_path, tmp_path / "home")
