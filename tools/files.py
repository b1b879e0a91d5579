"""Files of ours: written whole or not at all, by one process at a time.

A write goes to a temporary file beside the target, is forced to disk, takes the target's place in one step, and then
the folder is forced to disk too. Whoever reads sees the old text or the new one, also after a power cut.
"""

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ..state.errors import StoreBusy, StoreError

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
TEMPORARY_SUFFIX = ".tmp"
"""Files with a leading dot and this ending are left-overs of a killed write; they hold nothing acknowledged."""

_REMEDIES = {
    errno.ENOSPC: "the disk is full: free some space and try again",
    errno.EDQUOT: "your disk quota is used up: free some space and try again",
    errno.EFBIG: "the file would be larger than this system allows",
    errno.EROFS: "the disk is read-only: choose another folder",
    errno.EACCES: "no permission: check who owns the folder, or choose another one",
    errno.EPERM: "no permission: check who owns the folder, or choose another one",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EISDIR: "this is a folder, not a file",
    errno.ENOENT: "a part of this path does not exist",
    errno.ENAMETOOLONG: "the name is too long for this file system",
    errno.EMFILE: "too many open files: close some, or raise the limit",
}


@contextmanager
def explained(action: str, path: Path) -> Iterator[None]:
    """Turn an OSError inside the block into a StoreError that says what failed, where, and what to do.

    Args:
        action: What is being tried, as a verb: ``"write"``, ``"read"``.
        path: The file or folder it is tried on.

    Raises:
        StoreError: The block raised an OSError.
    """
    try:
        yield
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, error.strerror or str(error))
        raise StoreError(f"cannot {action} {path}: {remedy}") from error


def make_folder(path: Path) -> Path:
    """Make a folder with its parents where it is missing, and return it.

    Raises:
        StoreError: It cannot be made, or a symbolic link stands in its place: a link inside a repository
            could send our writes anywhere.
    """
    with explained("make the folder", path):
        if path.is_symlink():
            raise StoreError(f"cannot use {path}: it is a symbolic link; put a real folder there")
        path.mkdir(parents=True, exist_ok=True)
    return path


def write_atomic(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file whole or leave the old one whole; when this returns, the data is on disk.

    Args:
        path: The file; its folder must exist. A symbolic link is replaced, not followed.
        data: All of its bytes.
        mode: Permissions of a new file before the umask; an existing file keeps its own.

    Raises:
        StoreError: The disk is full or read-only, or permission is missing; or a folder, a device or a pipe stands
            there, which would be replaced and lost to everybody. What was there is untouched.
    """
    if path.is_dir() and not path.is_symlink():
        raise StoreError(f"cannot write {path}: {_REMEDIES[errno.EISDIR]}; name a file in it")
    if (path.exists() and not path.is_symlink() and not path.is_file()) or path.parent == Path("/dev"):
        raise StoreError(f"cannot write {path}: it is a device or a pipe and would be replaced; name a plain file")
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}{TEMPORARY_SUFFIX}")
    with explained("write", path):
        try:
            _write_new(temporary, data, mode)
            with suppress(FileNotFoundError):
                temporary.chmod(path.lstat().st_mode & 0o777)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        sync_folder(path.parent)


def remove(path: Path) -> None:
    """Remove a file for good; one that is gone already is no error.

    Raises:
        StoreError: It cannot be removed.
    """
    with explained("remove", path):
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Force a folder's list of names to disk, where the system can (Windows cannot open folders)."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def in_one_line(path: str) -> str:
    """Return a path to be shown: line ends and control characters as escapes, so that a name forges no line."""
    return _BREAKS.sub(lambda match: repr(match[0])[1:-1], path)


@contextmanager
def locked(path: Path, *, timeout_s: float = 30.0) -> Iterator[None]:
    """Hold the lock file for the block; other processes and threads wait. A killed holder frees it.

    Not re-entrant: a block that asks for the same lock again waits for itself.

    Args:
        path: The lock file; made when missing, never removed. Its folder must exist.
        timeout_s: How long to wait, in seconds; 0 tries once.

    Raises:
        StoreBusy: Somebody else held the lock all this time.
        StoreError: The lock file cannot be made.
    """
    lock = FileLock(path, timeout=timeout_s, poll_interval=0.01, thread_local=False)
    with explained("lock", path):
        try:
            lock.acquire()
        except Timeout:
            raise StoreBusy(
                f"cannot lock {path}: another process has held it for {timeout_s:g} s; "
                "wait for it to finish, or end it, and try again"
            ) from None
    try:
        yield
    finally:
        lock.release()


def _write_new(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
