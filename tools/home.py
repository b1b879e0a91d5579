"""Where everything of ours lives: the repository it is about, and the folder beside its code."""

import os
from pathlib import Path

from ..state.errors import RepositoryError, StoreError
from .files import make_folder, write_atomic

IGNORED = """\
# Made by maintainer: notes, settings, suppressions and baseline are meant for git, the rest is rebuilt or private.
*
!.gitignore
!settings.yaml
!suppressions.yaml
!baseline.json
!notes/
!notes/*.md
"""

BARE = ("HEAD", "objects", "refs")
"""What git keeps at the top of a bare repository, and of `.git` itself."""


def open_repository(path: Path | str) -> Path:
    """Return the resolved folder of a repository.

    Raises:
        RepositoryError: It is missing, not a folder, cannot be read, or is a bare git repository.
    """
    given = Path(path).expanduser()
    try:
        folder = given.resolve(strict=True)
    except FileNotFoundError:
        raise RepositoryError(f"repository {str(path)!r} does not exist: name an existing folder with --repo") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise RepositoryError(f"repository {str(path)!r} cannot be opened ({error}): name a readable folder") from error
    if not folder.is_dir():
        raise RepositoryError(f"repository {str(path)!r} is a file: name the folder it is in ({folder.parent})")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise RepositoryError(f"repository {str(path)!r} is not readable: give this user read access to it")
    if all((folder / name).exists() for name in BARE):
        raise RepositoryError(f"repository {str(path)!r} is bare, without files to look at: name a clone of it")
    return folder


def home_of(repo: Path, home: Path | str | None) -> Path:
    """Return the folder everything of ours is kept in, made or not.

    Raises:
        RepositoryError: `.maintainer` is a link, so the repository would decide where we read and write.
        StoreError: A file stands in its place, or it is empty: `--home "$UNSET"` would strew our files about.
    """
    if home is not None and Path(home) == Path():
        raise StoreError("home is empty or the working folder: name a folder of its own with --home, or leave it out")
    folder = Path(home).expanduser().absolute() if home is not None else repo / ".maintainer"
    if home is None and folder.is_symlink():
        raise RepositoryError(f"{folder} is a link and would lead our files elsewhere: remove it or use --home")
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"home {str(folder)!r} is a file, not a folder: move it away, or name a folder with --home")
    return folder


def open_home(repo: Path, home: Path | str | None) -> Path:
    """Return the folder for notes, checkpoints, archive and indexes; made where it is missing.

    Raises:
        RepositoryError: `.maintainer` is a link; see `home_of`.
        StoreError: It cannot be made or written.
    """
    folder = home_of(repo, home)
    make_folder(folder)
    ignore = folder / ".gitignore"
    if home is None and not ignore.exists():
        write_atomic(ignore, IGNORED.encode())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"home {str(folder)!r} is not writable: give this user write access, or use --home")
    return folder
