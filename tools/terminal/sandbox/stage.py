"""What one stage of a pipeline does between fork and exec: give up everything, then become the program."""

import ctypes
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from . import landlock, seccomp
from .job import CONFINE_FAILED, ENTER_FAILED, EXEC_FAILED, Job, Stage

DIE_WITH_PARENT = 1

KILLED = 9

LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_FSIZE, 0),  # no file can grow
    (resource.RLIMIT_NOFILE, 256),
    (resource.RLIMIT_AS, 1 << 30),
)
"""Beside processor time; in files and bytes."""

_libc = ctypes.CDLL(None, use_errno=True)


class Image:
    """Everything a stage needs after fork, laid out before it: what is touched then is copied page by page."""

    def __init__(self, job: Job, stage: Stage, rules: int | None) -> None:
        self.path = ctypes.create_string_buffer(os.fsencode(stage["exe"]))
        self.argv = _strings(stage["argv"])
        self.environment = _strings([f"{name}={value}" for name, value in job["environment"].items()])
        self.filter = None
        if job["seccomp"]:
            self.filter = seccomp.prepared(ctypes.addressof(self.path), may_open_read_write=stage["read_write"])
        self.rules = rules
        self.cwd, self.stdin, self.name = job["cwd"], stage["stdin"], stage["argv"][0]
        self.root = job["root"] if job["limits"] else ""
        self.cpu_s = job["cpu_s"]


def _strings(words: Sequence[str]) -> "ctypes.Array[ctypes.c_char_p]":
    return (ctypes.c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)


def become(image: Image, streams: Sequence[int], group: int) -> NoReturn:
    """Turn this freshly forked process into the program; never returns.

    Args:
        image: What it becomes.
        streams: Descriptors for standard input, output and error.
        group: Process group to join, 0 to found one.
    """
    try:
        os.setpgid(0, group)
        for target, source in enumerate(streams):
            os.dup2(source, target)
        _enter(image)
        _confine(image)
        _read_from(image.stdin)
        if image.filter is not None:
            seccomp.install(image.filter)
        _libc.execve(image.path, image.argv, image.environment)
        _give_up(EXEC_FAILED, f"{image.name}: {os.strerror(ctypes.get_errno())}")
    except BaseException as error:  # noqa: BLE001 - nothing may carry on in the broker's place
        _give_up(CONFINE_FAILED, f"the command could not be started: {type(error).__name__}: {error}")


def _enter(image: Image) -> None:
    try:
        os.chdir(image.cwd)
        here = os.getcwd()
    except OSError as error:
        _give_up(ENTER_FAILED, f"cannot enter the working directory: {error.strerror}")
    if image.root and here != image.root and not here.startswith(image.root.rstrip("/") + "/"):
        # it has become a link since it was checked
        _give_up(ENTER_FAILED, "cannot enter the working directory: it leads out of the workspace")


def _confine(image: Image) -> None:
    if sys.platform == "linux":
        _libc.prctl(DIE_WITH_PARENT, KILLED, 0, 0, 0)
    if image.root:
        _limit(image.cpu_s)
    if image.rules is not None:
        landlock.restrict(image.rules)


def _read_from(path: str | None) -> None:
    """Make a file the standard input; only after `_confine`, so that the kernel judges where it leads."""
    if path is None:
        return
    try:
        os.dup2(os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK), 0)
    except OSError as error:
        _give_up(1, f"{path}: {error.strerror}")
    os.set_blocking(0, True)


def _limit(cpu_s: int) -> None:
    for name, value in (*LIMITS, (resource.RLIMIT_CPU, cpu_s)):
        hard = resource.getrlimit(name)[1]
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(name, (wanted, wanted))
        except (ValueError, OSError):
            if sys.platform == "linux":
                raise  # elsewhere some limits do not exist, and the level already says "policy only"


def _give_up(code: int, message: str) -> NoReturn:
    os.write(2, os.fsencode(f"{message}\n"))
    os._exit(code)


def readable(exe: str, extra: Sequence[str]) -> Mapping[str, int]:
    """Return what a program needs beside the workspace: itself, its libraries, the time zone, file types."""
    libraries = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime")
    data = ("/usr/share/zoneinfo", "/usr/share/file", "/usr/share/misc", "/etc/magic", "/dev/zero")
    grants = dict.fromkeys((*libraries, *data[:-1], *extra), landlock.READ)
    grants["/dev/null"] = landlock.READ_FILE | landlock.WRITE_FILE
    for loader in LOADERS:
        grants[loader] = landlock.EXECUTE | landlock.READ_FILE
    grants[exe] = landlock.EXECUTE | landlock.READ_FILE
    return grants


LOADERS = (
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
)
