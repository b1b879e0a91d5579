"""What one stage of a pipeline does between fork and exec: give up everything, then become the program."""

import ctypes
import os
import platform
import resource
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn, TypedDict

from . import landlock, seccomp

ENTER_FAILED, CONFINE_FAILED, EXEC_FAILED = 122, 123, 127
"""Exit codes of a stage that never became its program."""
DIE_WITH_PARENT = 1

MEMORY_BYTES = 1 << 30
OPEN_FILES = 256

_libc = ctypes.CDLL(None, use_errno=True)


class Stage(TypedDict):
    """One program of a pipeline, checked and ready to start."""

    exe: str
    argv: list[str]
    stdin: str | None
    """A file to read; None for the pipe, or for nothing in a first stage."""
    out: str
    """`"out"` (the next stage, or the caller), `"err"` (the caller's second stream) or `"null"`."""
    err: str
    read_write: bool
    """It may open files O_RDWR (git opens /dev/null so); what it may write is Landlock's matter."""


class Job(TypedDict):
    """A pipeline, where it runs and how it is confined."""

    root: str
    """The workspace, canonical."""
    cwd: str
    stages: list[Stage]
    environment: dict[str, str]
    landlock: int
    """Version to use; 0 for none."""
    seccomp: bool
    limits: bool
    """Whether memory, file growth and processor time are limited; off only for what a person approved."""
    cpu_s: int
    extra_read: list[str]


def become(job: Job, stage: Stage, streams: Sequence[int], rules: int | None, group: int) -> NoReturn:
    """Turn this freshly forked process into the program; never returns.

    Args:
        job: Where and how.
        stage: What.
        streams: Descriptors for standard input, output and error.
        rules: Descriptor of the Landlock rules, None for none.
        group: Process group to join, 0 to found one.
    """
    try:
        _become(job, stage, streams, rules, group)
    except BaseException as error:  # noqa: BLE001 - nothing may carry on in the broker's place
        _give_up(CONFINE_FAILED, f"the command could not be started: {type(error).__name__}: {error}")


def _become(job: Job, stage: Stage, streams: Sequence[int], rules: int | None, group: int) -> NoReturn:
    os.setpgid(0, group)
    try:
        _enter(job, streams)
    except OSError as error:
        _give_up(ENTER_FAILED, f"cannot enter the working directory: {error.strerror}")
    try:
        _libc.prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0) if sys.platform == "linux" else None
        if job["limits"]:
            _limit(job["cpu_s"])
        if rules is not None:
            landlock.restrict(rules)
    except OSError as error:
        _give_up(CONFINE_FAILED, f"the sandbox could not be entered: {error}")
    if stage["stdin"] is not None:  # opened only now: the kernel judges the path, not we
        try:
            os.dup2(os.open(stage["stdin"], os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK), 0)
        except OSError as error:
            _give_up(1, f"{stage['stdin']}: {error.strerror}")
        os.set_blocking(0, True)
    _exec(job, stage)


def _enter(job: Job, streams: Sequence[int]) -> None:
    for target, source in enumerate(streams):
        os.dup2(source, target)
    for name in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
        signal.signal(name, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    os.chdir(job["cwd"])
    here = os.getcwd()  # the directory may have become a link since it was checked
    if job["limits"] and here != job["root"] and not here.startswith(job["root"].rstrip("/") + "/"):
        raise OSError(1, "it is outside the workspace")


def _limit(cpu_s: int) -> None:
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CPU: cpu_s,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_AS: MEMORY_BYTES,
    }
    for name, value in wanted.items():
        hard = resource.getrlimit(name)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(name, (value, value))
        except (ValueError, OSError):
            if sys.platform == "linux":
                raise  # elsewhere some limits do not exist, and the level already says "policy only"


def _exec(job: Job, stage: Stage) -> NoReturn:
    path = ctypes.create_string_buffer(os.fsencode(stage["exe"]))
    argv = _strings([os.fsencode(word) for word in stage["argv"]])
    environment = _strings([os.fsencode(f"{name}={value}") for name, value in job["environment"].items()])
    if job["seccomp"]:
        code = filter_code(platform.machine(), ctypes.addressof(path), stage["read_write"])
        try:
            seccomp.install(code)
        except OSError as error:
            _give_up(CONFINE_FAILED, f"the sandbox could not be entered: {error}")
    _libc.execve(path, argv, environment)
    _give_up(EXEC_FAILED, f"{stage['argv'][0]}: {os.strerror(ctypes.get_errno())}")


_compiled: dict[bool, bytes] = {}
MARK, LOW = 0x1234567_89ABCDEF, 0xFFFFFFFF


def filter_code(machine: str, address: int, read_write: bool) -> bytes:
    """Return the seccomp program, with the address put into the one compiled beforehand."""
    if read_write not in _compiled:
        _compiled[read_write] = seccomp.program(machine, MARK, may_open_read_write=read_write)
    code = _compiled[read_write]
    for mark, half in ((MARK & LOW, address & LOW), (MARK >> 32, address >> 32)):
        code = code.replace(mark.to_bytes(4, sys.byteorder), half.to_bytes(4, sys.byteorder))
    return code


def _strings(words: Sequence[bytes]) -> "ctypes.Array[ctypes.c_char_p]":
    return (ctypes.c_char_p * (len(words) + 1))(*words, None)


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
