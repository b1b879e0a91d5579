import os
from pathlib import Path

import pytest
from maintainer.state.errors import MaintainerError, RepositoryError, StoreError
from maintainer.tools.home import home_of, open_home, open_repository

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


def test_a_bare_repository_has_nothing_to_look_at(tmp_path: Path) -> None:
    for folder in ("objects", "refs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "HEAD").write_text("ref: refs/heads/main\n")
    with pytest.raises(RepositoryError, match=r"is bare.*clone"):
        open_repository(tmp_path)


@pytest.mark.parametrize("given", [True, False])
def test_a_file_in_the_place_of_the_home_folder_is_named_for_readers_and_writers(tmp_path: Path, given: bool) -> None:
    place = tmp_path / ".maintainer"
    place.write_text("")
    for opened in (home_of, open_home):
        with pytest.raises(StoreError, match=r"is a file, not a folder.*--home"):
            opened(tmp_path, place if given else None)


def test_a_link_in_the_place_of_the_home_folder_is_not_read_either(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".maintainer").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RepositoryError, match="is a link"):
        home_of(tmp_path, None)
    assert home_of(tmp_path, tmp_path / "other") == tmp_path / "other"


@pytest.mark.parametrize("home", ["", ".", Path()])
def test_an_empty_home_does_not_strew_our_files_about(tmp_path: Path, home: Path | str) -> None:
    with pytest.raises(StoreError, match="empty or the working folder"):
        open_home(tmp_path, home)
