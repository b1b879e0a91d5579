"""Places in the repository: a path with lines, read without ever leaving it."""

import os
import stat
from pathlib import Path, PurePosixPath

from ..state.errors import UnknownPlace
from .code_index.read import decode, split_lines

MAX_BYTES = 20 * 2**20
"""Larger files are looked at with the terminal."""
_OURS = frozenset({".git", ".maintainer"})


class Places:
    """Reads files of one repository by the paths that models, notes and users write."""

    def __init__(self, repo: Path) -> None:
        self._root = os.path.realpath(repo)

    def lines(self, path: str) -> list[str]:
        """Return the lines of a text file, without their ends.

        Args:
            path: Relative to the repository, with forward slashes; an absolute one must lie in it.

        Raises:
            UnknownPlace: It leads out of the repository, is no text file, or is too large.
        """
        data = self._read(path, self._real(path))
        if len(data) > MAX_BYTES:
            raise UnknownPlace(f"{_short(path)} is over {MAX_BYTES:,} bytes: use the terminal (head, grep, sed -n)")
        text = decode(data)
        if text is None:
            raise UnknownPlace(f"{_short(path)} is no text: use the terminal (file, od -c)")
        return split_lines(text)

    def _real(self, path: str) -> str:
        if not path.strip() or "\0" in path or len(path) > 4096:
            raise UnknownPlace(f"{_short(path)} is not a possible path: name a file, for example src/app.py")
        real = os.path.realpath(os.path.join(self._root, path))
        inside = PurePosixPath(os.path.relpath(real, self._root)).parts
        if inside[0] == ".." or os.path.isabs(inside[0]):
            raise UnknownPlace(f"{_short(path)} is outside the repository: name a file in it")
        if inside[0] in _OURS:
            raise UnknownPlace(f"{_short(path)} belongs to git or to maintainer, not to the project: name another file")
        return real

    def _read(self, path: str, real: str) -> bytes:
        try:
            # a FIFO would make the open wait for ever
            descriptor = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        except FileNotFoundError:
            raise UnknownPlace(f"no such file: {_short(path)}") from None
        except OSError as error:
            raise UnknownPlace(f"{_short(path)} cannot be read: {error.strerror}") from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise UnknownPlace(f"{_short(path)} is no regular file: name a file, or use the terminal (ls)")
        with open(descriptor, "rb") as file:
            return file.read(MAX_BYTES + 1)


def _short(path: str) -> str:
    return repr(path if len(path) <= 120 else f"{path[:117]}...")
