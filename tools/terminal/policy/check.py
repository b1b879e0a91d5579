"""From the words of a command to the program and arguments that run, or a refusal."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from ....state.errors import CommandRefused
from ..sandbox.level import Level
from .awk import awk
from .find import find
from .git import git
from .git_settings import dangerous_settings
from .jq import jq
from .options import command_line
from .programs import PROGRAMS
from .sed import sed

FOLDERS = ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin")
"""Where programs are looked for; never in the workspace, never by the caller's PATH."""
ALLOWED = (*sorted({*PROGRAMS, "awk", "find", "git", "sed"}),)
INSTEAD = {
    "xargs": "name the files, or use a glob",
    "printf": "use echo",
    "nano": "the terminal is read-only",
    "python": "read the file and reason about it",
    "python3": "read the file and reason about it",
    "env": "the environment is fixed and empty of secrets",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """A program with arguments that may run."""

    exe: str
    """Canonical path of an ELF file."""
    argv: tuple[str, ...]
    read_write: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """What may run at a level of confinement, in a workspace."""

    level: Level
    root: str

    def check(self, words: Sequence[str], path: Callable[[str], str], builtins: Sequence[str]) -> Checked:
        """Return what runs for the words of a command.

        Args:
            words: The command's name and its expanded arguments.
            path: Returns a path when it may be read and refuses it otherwise.
            builtins: Names to offer beside the programs.

        Raises:
            CommandRefused: It is not allowed; the message says what is.
        """
        name, *rest = words
        if name not in ALLOWED:
            hint = INSTEAD.get(name, f"allowed: {', '.join(sorted({*available(), *builtins}))}")
            raise CommandRefused(f"{name[:60]!r} is not an allowed command; {hint}")
        exe = installed(_runs_as(name))
        if exe is None:
            raise CommandRefused(f"{name!r} is not installed on this machine; use another command")
        self._check_level(name)
        return Checked(exe, (name, *self._arguments(name, exe, rest, path)), read_write=name == "git")

    def _arguments(self, name: str, exe: str, rest: Sequence[str], path: Callable[[str], str]) -> list[str]:
        match name:
            case "find":
                return find(rest, path)
            case "sed":
                return sed(rest, path)
            case "awk":
                return awk(rest, path, os.path.basename(exe))
            case "git":
                return git(rest, path)
            case "jq":
                return jq(rest, path)
        return command_line(name, PROGRAMS[name], rest, path)

    def _check_level(self, name: str) -> None:
        """Refuse what only the kernel makes harmless, where the kernel does not."""
        if not self.level.processes:
            raise CommandRefused(f"{name!r} cannot be started on this system; use the built-in commands")
        if name == "git" and not self.level.full:
            reason = dangerous_settings(self.root)
            if reason:
                raise CommandRefused(f"git: {reason}, and there is no kernel sandbox here; read the files instead")
        if name == "awk" and not self.level.seccomp and os.path.basename(installed("awk") or "") == "mawk":
            raise CommandRefused("awk: mawk has no sandbox of its own and the kernel has none here; use cut or sed")


@cache
def available() -> tuple[str, ...]:
    """Return the allowed programs this machine has."""
    return tuple(name for name in ALLOWED if installed(_runs_as(name)))


def _runs_as(name: str) -> str:
    return PROGRAMS[name].runs_as or name if name in PROGRAMS else name


@cache
def installed(name: str) -> str | None:
    """Return the canonical path of a program, None where there is none that is a program file itself."""
    for folder in FOLDERS:
        path = os.path.realpath(os.path.join(folder, name))
        try:
            with open(path, "rb") as file:
                magic = file.read(4)
        except OSError:
            continue
        if os.access(path, os.X_OK) and (magic == b"\x7fELF" or magic in MACH):
            return path
    return None


MACH = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
