"""Seccomp: the system calls a program that only reads has no use for.

One filter answers four questions with "no": may it start a process, open a file for writing, speak to the network,
change what is on disk? The one `execve` it allows is the one whose path lies at an address the caller names: the
caller's own. After it the address space is new and no second program can be started, whatever the first one reads.
"""

import ctypes
import platform
import struct
import sys
from collections.abc import Sequence

_libc = ctypes.CDLL(None, use_errno=True)

SET_NO_NEW_PRIVS, SET_SECCOMP, MODE_FILTER = 38, 22, 2
LOAD, JUMP, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, EACCES, ENOSYS = ERRNO | 1, ERRNO | 13, ERRNO | 38
NUMBER, ARCH, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

CLONE_THREAD = 0x10000
O_WRONLY, O_RDWR, O_TMPFILE = 0o1, 0o2, 0o20000000
WRITING = O_WRONLY | O_RDWR | 0o100 | 0o1000 | 0o2000 | O_TMPFILE  # ... | O_CREAT | O_TRUNC | O_APPEND
LAST_KNOWN = 462
"""Calls younger than mseal (Linux 6.10) do not exist for a confined program."""

# fmt: off
COMMON = {  # calls whose numbers are the same everywhere
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "pidfd_open": 434, "clone3": 435, "openat2": 437, "pidfd_getfd": 438, "process_madvise": 440,
    "mount_setattr": 442, "quotactl_fd": 443, "memfd_secret": 447, "process_mrelease": 448, "fchmodat2": 452,
}
X86_64 = COMMON | {
    "open": 2, "shmget": 29, "shmat": 30, "socket": 41, "connect": 42, "accept": 43, "sendto": 44, "sendmsg": 46,
    "bind": 49, "listen": 50, "socketpair": 53, "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "kill": 62,
    "semget": 64, "msgget": 68, "truncate": 76, "ftruncate": 77, "rename": 82, "mkdir": 83, "rmdir": 84, "creat": 85,
    "link": 86, "unlink": 87, "symlink": 88, "chmod": 90, "fchmod": 91, "chown": 92, "fchown": 93, "lchown": 94,
    "ptrace": 101, "syslog": 103, "setpgid": 109, "setsid": 112, "utime": 132, "mknod": 133, "uselib": 134,
    "personality": 135, "pivot_root": 155, "adjtimex": 159, "chroot": 161, "acct": 163, "settimeofday": 164,
    "mount": 165, "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169, "sethostname": 170,
    "setdomainname": 171, "init_module": 175, "delete_module": 176, "setxattr": 188, "lsetxattr": 189,
    "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "tkill": 200, "utimes": 235,
    "mq_open": 240, "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "openat": 257,
    "mkdirat": 258, "mknodat": 259, "fchownat": 260, "futimesat": 261, "unlinkat": 263, "renameat": 264,
    "linkat": 265, "symlinkat": 266, "fchmodat": 268, "unshare": 272, "utimensat": 280, "fallocate": 285,
    "accept4": 288, "perf_event_open": 298, "fanotify_init": 300, "name_to_handle_at": 303,
    "open_by_handle_at": 304, "clock_adjtime": 305, "sendmmsg": 307, "setns": 308, "process_vm_readv": 310,
    "process_vm_writev": 311, "finit_module": 313, "renameat2": 316, "memfd_create": 319, "kexec_file_load": 320,
    "bpf": 321, "execveat": 322, "userfaultfd": 323,
}
AARCH64 = COMMON | {
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
    "mknodat": 33, "mkdirat": 34, "unlinkat": 35, "symlinkat": 36, "linkat": 37, "renameat": 38, "umount2": 39,
    "mount": 40, "pivot_root": 41, "truncate": 45, "ftruncate": 46, "fallocate": 47, "chroot": 51, "fchmod": 52,
    "fchmodat": 53, "fchownat": 54, "fchown": 55, "openat": 56, "utimensat": 88, "acct": 89, "personality": 92,
    "unshare": 97, "kexec_load": 104, "init_module": 105, "delete_module": 106, "clock_settime": 112, "syslog": 116,
    "ptrace": 117, "kill": 129, "tkill": 130, "reboot": 142, "setpgid": 154, "setsid": 157, "sethostname": 161,
    "setdomainname": 162, "settimeofday": 170, "adjtimex": 171, "mq_open": 180, "msgget": 186, "semget": 190,
    "shmget": 194, "shmat": 196, "socket": 198, "socketpair": 199, "bind": 200, "listen": 201, "accept": 202,
    "connect": 203, "sendto": 206, "sendmsg": 211, "add_key": 217, "request_key": 218, "keyctl": 219, "clone": 220,
    "execve": 221, "swapon": 224, "swapoff": 225, "perf_event_open": 241, "accept4": 242, "fanotify_init": 262,
    "name_to_handle_at": 264, "open_by_handle_at": 265, "clock_adjtime": 266, "setns": 268, "sendmmsg": 269,
    "process_vm_readv": 270, "process_vm_writev": 271, "finit_module": 273, "renameat2": 276, "memfd_create": 279,
    "bpf": 280, "execveat": 281, "userfaultfd": 282, "kexec_file_load": 294,
}
# fmt: on
MACHINES = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}
SPECIAL = {"open", "openat", "clone", "clone3", "openat2", "execve"}  # judged by their arguments, or made unknown

Instruction = tuple[int, int, int, int]


def available() -> bool:
    """Return whether this machine's calls are known and the kernel takes filters."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return False
    return int(_libc.prctl(21, 0, 0, 0, 0)) >= 0  # PR_GET_SECCOMP: an error where the kernel has none


def program(machine: str, path_address: int, *, may_open_read_write: bool = False) -> bytes:
    """Return the filter as the kernel wants it.

    Args:
        machine: A key of `MACHINES`.
        path_address: Where the path of the one allowed `execve` lies.
        may_open_read_write: For git, which opens /dev/null so before it does anything else.
    """
    arch, calls = MACHINES[machine]
    writing = WRITING & ~O_RDWR if may_open_read_write else WRITING
    verdicts: dict[int, list[Instruction]] = {calls[name]: [_answer(EPERM)] for name in calls.keys() - SPECIAL}
    for name in ("clone3", "openat2"):  # arguments in memory cannot be judged; libraries fall back to the old calls
        verdicts[calls[name]] = [_answer(ENOSYS)]
    for name, flags in (("open", 1), ("openat", 2)):
        if name in calls:
            verdicts[calls[name]] = _unless_any_bit(flags, writing, EACCES)
    verdicts[calls["clone"]] = _if_any_bit(0, CLONE_THREAD, EPERM)
    verdicts[calls["execve"]] = _own_path(path_address)
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCH),
        (JUMP_EQUAL, 1, 0, arch),
        _answer(KILL),
        (LOAD, 0, 0, NUMBER),
        (JUMP_GREATER_EQUAL, 0, 1, LAST_KNOWN + 1),  # also the x32 calls of x86_64
        _answer(ENOSYS),
        *_search(sorted(verdicts.items())),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in code)


def _search(verdicts: Sequence[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """Return instructions that find a number's verdict by halving: the kernel tries them on every call it has."""
    if len(verdicts) == 1:
        number, then = verdicts[0]
        return [(JUMP_EQUAL, 0, len(then), number), *then, _answer(ALLOW)]
    middle = len(verdicts) // 2
    lower, upper = _search(verdicts[:middle]), _search(verdicts[middle:])
    # a jump on condition reaches 255 instructions, the other kind reaches all of them
    return [(JUMP_GREATER_EQUAL, 0, 1, verdicts[middle][0]), (JUMP, 0, 0, len(lower)), *lower, *upper]


def _answer(verdict: int) -> Instruction:
    return (RETURN, 0, 0, verdict)


def _unless_any_bit(argument: int, bits: int, verdict: int) -> list[Instruction]:
    """Return instructions for: the verdict when the argument has one of the bits, otherwise yes."""
    return [(LOAD, 0, 0, ARGUMENTS + 8 * argument), (JUMP_ANY_BIT, 0, 1, bits), _answer(verdict), _answer(ALLOW)]


def _if_any_bit(argument: int, bits: int, verdict: int) -> list[Instruction]:
    """Return instructions for: yes when the argument has one of the bits, otherwise the verdict."""
    return [(LOAD, 0, 0, ARGUMENTS + 8 * argument), (JUMP_ANY_BIT, 1, 0, bits), _answer(verdict), _answer(ALLOW)]


def _own_path(address: int) -> list[Instruction]:
    return [
        (LOAD, 0, 0, ARGUMENTS),
        (JUMP_EQUAL, 0, 3, address & 0xFFFFFFFF),
        (LOAD, 0, 0, ARGUMENTS + 4),
        (JUMP_EQUAL, 0, 1, address >> 32),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, EPERM),
    ]


_compiled: dict[bool, bytes] = {}
MARK, LOW = 0x1234567_89ABCDEF, 0xFFFFFFFF


class Prepared:
    """A filter in memory, as the kernel is handed it."""

    def __init__(self, code: bytes) -> None:
        self.lines = ctypes.create_string_buffer(code, len(code))
        self.record = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(self.lines))


def prepared(path_address: int, *, may_open_read_write: bool) -> Prepared:
    """Return the filter for this machine, the address put into one that was made before."""
    if may_open_read_write not in _compiled:
        _compiled[may_open_read_write] = program(platform.machine(), MARK, may_open_read_write=may_open_read_write)
    code = _compiled[may_open_read_write]
    for mark, half in ((MARK & LOW, path_address & LOW), (MARK >> 32, path_address >> 32)):
        code = code.replace(mark.to_bytes(4, sys.byteorder), half.to_bytes(4, sys.byteorder))
    return Prepared(code)


def install(ready: Prepared) -> None:
    """Bind this process, and whatever it becomes, to the filter.

    Raises:
        OSError: The kernel refuses; the process is then NOT confined.
    """
    if _libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _libc.prctl(SET_SECCOMP, MODE_FILTER, ready.record, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")
