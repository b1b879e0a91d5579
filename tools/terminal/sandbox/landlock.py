"""Landlock: a process gives up, for good, every file but those it was granted.

Kernel interface: linux/landlock.h. Works for root and for ordinary users, needs Linux 5.13 or later.
"""

import ctypes
import os
import struct
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on x86_64 and aarch64
VERSION_FLAG = 1
PATH_BENEATH = 1
NO_NEW_PRIVS = 38

EXECUTE, READ_FILE, READ_DIR, WRITE_FILE = 1 << 0, 1 << 2, 1 << 3, 1 << 1
READ = READ_FILE | READ_DIR

FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # first version with so many of the file rights
TCP_RIGHTS = 0b11  # bind, connect; version 4
SCOPES = 0b11  # abstract unix sockets, signals; version 6

_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Return the version the kernel offers, 0 where there is no Landlock."""
    return max(0, int(_libc.syscall(CREATE_RULESET, None, 0, VERSION_FLAG)))


def ruleset(grants: Iterable[tuple[str, int]], abi: int) -> int:
    """Return a descriptor of a rule set that denies everything but the grants.

    Args:
        grants: Pairs of a path and the rights on it and what is beneath; a path that does not exist grants nothing.
        abi: What `version` returned, at least 1.

    Raises:
        OSError: The kernel refuses.
    """
    files = (1 << max(count for since, count in FILE_RIGHTS.items() if since <= abi)) - 1
    # a kernel that knows fewer fields is given a shorter record
    record = struct.pack("QQQ", files, TCP_RIGHTS, SCOPES)[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    handle = int(_libc.syscall(CREATE_RULESET, record, len(record), 0))
    if handle < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    for path, rights in grants:
        _grant(handle, path, rights & files)
    return handle


def _grant(handle: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= ~READ_DIR  # the kernel refuses directory rights on a file
        if _libc.syscall(ADD_RULE, handle, PATH_BENEATH, struct.pack("=Qi", rights, place), 0):
            raise OSError(ctypes.get_errno(), f"landlock_add_rule {path}")
    finally:
        os.close(place)


def restrict(handle: int) -> None:
    """Bind this process, and whatever it becomes, to the rule set.

    Raises:
        OSError: The kernel refuses; the process is then NOT confined.
    """
    if _libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if _libc.syscall(RESTRICT_SELF, handle, 0):
        raise OSError(ctypes.get_errno(), "landlock_restrict_self")
