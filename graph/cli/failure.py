"""How a command ends that could not do its work: one line for the user, the details of a bug in a file."""

import errno
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from ...state.errors import MaintainerError, SessionBusy
from ...tools.home import home_of

BUSY = 75
"""Exit code when another process holds the session: try again later (EX_TEMPFAIL)."""
BUG = 70
"""Exit code of an error nobody foresaw (EX_SOFTWARE)."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def told(error: Exception, arguments: Sequence[str]) -> tuple[str, int]:
    """Return what to tell the user in one line, and the exit code.

    Args:
        error: What ended the command.
        arguments: The command line; it says in which home folder the details of a bug are kept.
    """
    from ...tools.terminal.clean import visible

    if isinstance(error, MaintainerError):
        return visible(str(error)), BUSY if isinstance(error, SessionBusy) else 1
    if isinstance(error, OSError) and error.errno in _FULL:
        where = f" ({error.filename})" if error.filename else ""
        return visible(f"no space is left to write{where}: free some and run it again; nothing kept is lost"), 1
    what = f"{type(error).__name__}: {error}".split("\n")[0]
    shown = what if len(what) <= 200 else f"{what[:200]}..."
    kept = _keep(error, arguments)
    where = f"the details are in {kept}" if kept else "run it again as `maintainer --debug ...` for the details"
    return visible(f"a bug of ours ended this ({shown}); nothing kept is lost. {where}: please report them"), BUG


def _keep(error: Exception, arguments: Sequence[str]) -> Path | None:
    """Write the details beside what else is kept, or to the folder for temporary files; return where, if anywhere."""
    from ...tools.clock import SystemClock
    from ...tools.files import make_folder, write_atomic
    from ...tools.secrets import mask

    name = f"{SystemClock().now():%Y%m%dT%H%M%S}-{os.getpid()}.txt"
    head = f"maintainer {' '.join(map(repr, arguments))}\nPython {platform.python_version()}, {platform.platform()}\n\n"
    text = mask(head + "".join(traceback.format_exception(error)))
    home = _home(arguments)
    places = [home / "crashes" / name] if home and home.is_dir() else []
    for path in (*places, Path(tempfile.gettempdir()) / f"maintainer-{name}"):
        try:
            make_folder(path.parent)
            write_atomic(path, text.encode("utf-8", "replace"), mode=0o600)
        except MaintainerError:  # a full or read-only home: the next place may do
            continue
        return path
    return None


def _home(arguments: Sequence[str]) -> Path | None:
    """Return the home folder a command line names, where it can be told; no bug may hide behind a second one."""
    values = {"--repo": "", "--home": ""}
    for position, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name in values:
            values[name] = value if equals else "".join(arguments[position + 1 : position + 2])
    try:
        return home_of(
            Path(values["--repo"]).expanduser(), Path(values["--home"]) if values["--home"] else None
        ).resolve()
    except (MaintainerError, OSError, RuntimeError, ValueError):
        return None


def open_output() -> None:
    """Give output that the caller has closed (`>&-`) somewhere to go: a file of ours must not get its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115


def flushed(code: int) -> int:
    """Print what is still to be printed; return the exit code, 1 where a full disk kept the answer back."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        close_output()
    except OSError as error:
        close_output()
        line, code = told(error, ())
        print(f"maintainer: {line}", file=sys.stderr)  # noqa: T201 - errors are printed by the command line alone
    return code


def close_output() -> None:
    """Send what is still to be printed nowhere: the reader (head, less) is gone, and nobody must be told so."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
