"""The workspace: which paths are inside it, and where the session stands."""

import os
import stat

from ...state.errors import CommandRefused, ConfigError

LONGEST_PATH = 4096


class Workspace:
    """A directory that nothing leaves, and the current directory within it.

    Every path is judged by where it really leads, links followed, never by its text: `/srv/project-evil` starts like
    `/srv/project` and is not in it.

    Raises:
        ConfigError: The path is no directory.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = os.path.realpath(root)
        if not os.path.isdir(self.root):
            raise ConfigError("workspace", str(root), "must be an existing directory")
        self.cwd = self.root
        self.previous = self.root

    def contains(self, real: str) -> bool:
        """Return whether a canonical path is the workspace or lies in it."""
        return real == self.root or real.startswith(self.root.rstrip("/") + "/")

    def real(self, path: str, cwd: str) -> str:
        """Return where a path leads, links followed, as far as it exists.

        Raises:
            CommandRefused: It leads out of the workspace, or is no path at all.
        """
        if "\0" in path or len(path) > LONGEST_PATH:
            raise CommandRefused(f"path {_short(path)} is not a possible path; write a shorter one")
        real = os.path.realpath(os.path.join(cwd, path))
        if not self.contains(real):
            raise CommandRefused(f"path {_short(path)} is outside the workspace; use a path inside it")
        return real

    def checked(self, path: str, cwd: str) -> str:
        """Return the path unchanged when a program may be given it.

        Raises:
            CommandRefused: It leads out of the workspace, or to something that is neither file nor directory.
        """
        mode = self._mode(self.real(path, cwd))
        if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise CommandRefused(
                f"{_short(path)} is not a regular file or directory (FIFO, socket or device); leave it out"
            )
        return path

    def _mode(self, real: str) -> int | None:
        try:
            return os.lstat(real).st_mode
        except OSError:
            return None

    def enter(self, path: str, cwd: str, previous: str) -> str:
        """Return the directory `cd PATH` leads to; `""` and `~` are the workspace, `-` is where one was before.

        Raises:
            CommandRefused: It is outside the workspace.
            NotADirectoryError, FileNotFoundError: There is no such directory.
        """
        if path == "-":
            return previous
        target = self.real(path, cwd) if path else self.root
        if not os.path.isdir(target):
            raise (NotADirectoryError if os.path.exists(target) else FileNotFoundError)(path)
        if not os.access(target, os.X_OK):
            raise NotADirectoryError(path)
        return target

    def recover(self) -> str | None:
        """Climb out of a current directory that no longer exists; return it if that was needed."""
        lost, here = self.cwd, self.cwd
        while here != self.root and not (os.path.isdir(here) and self.contains(os.path.realpath(here))):
            here = os.path.dirname(here)
        self.cwd = here
        return lost if lost != here else None

    def shown(self, path: str) -> str:
        """Return a path inside the workspace relative to it, `"."` for the workspace itself."""
        return os.path.relpath(path, self.root)


def _short(path: str) -> str:
    return repr(path if len(path) <= 120 else path[:117] + "...")
