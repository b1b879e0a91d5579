"""What the kernel stops, policy or not: programs that were never checked are handed straight to the broker."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.tools.terminal.plan import BASE_ENVIRONMENT
from maintainer.tools.terminal.sandbox import landlock, seccomp
from maintainer.tools.terminal.sandbox.client import Broker
from maintainer.tools.terminal.sandbox.collect import Budget, Limits, Printed
from maintainer.tools.terminal.sandbox.job import Job, Stage
from maintainer.tools.terminal.sandbox.level import Level, best_level

pytestmark = pytest.mark.usefixtures("needs_kernel")


@pytest.fixture
def broker() -> Iterator[Broker]:
    client = Broker()
    yield client
    client.close()


@pytest.fixture
def run(broker: Broker, repo: Path) -> Iterator[Callable[..., Printed]]:
    woken, wake = os.pipe()

    def run(*argv: str, level: Level | None = None, read_write: bool = False, stdin: str | None = None) -> Printed:
        use = level or best_level()
        exe = os.path.realpath(f"/usr/bin/{argv[0]}")
        stage = Stage(exe=exe, argv=list(argv), stdin=stdin, out="out", err="err", read_write=read_write)
        job = Job(
            root=str(repo), cwd=str(repo), stages=[stage], environment=dict(BASE_ENVIRONMENT), landlock=use.landlock,
            seccomp=use.seccomp, limits=True, cpu_s=20, extra_read=[],
        )  # fmt: skip
        return broker.run(job, Limits(time.monotonic() + 20, Budget(1 << 20), threading.Event(), woken))

    yield run
    os.close(woken)
    os.close(wake)


def text(printed: Printed) -> str:
    return b"".join(printed.out + printed.err).decode("utf-8", "replace")


def test_a_reader_reads_the_workspace(run: Callable[..., Printed]) -> None:
    printed = run("cat", "README.md")
    assert printed.codes == [0]
    assert "# Shop" in text(printed)


@pytest.mark.parametrize(
    "argv",
    [
        ("cat", "../outside/secret.txt"),
        ("cat", "/etc/passwd"),
        ("cat", "/proc/self/environ"),
        ("ls", ".."),
        ("ls", "/"),
        ("head", "-c", "9", "/dev/zero"),
        ("touch", "new"),
        ("touch", "README.md"),
        ("cp", "README.md", "copy"),
        ("dd", "of=README.md", "if=/dev/null"),
        ("mkdir", "new"),
        ("rm", "README.md"),
        ("mv", "README.md", "other"),
        ("ln", "README.md", "hard"),
        ("ln", "-s", "/etc/passwd", "soft"),
        ("chmod", "777", "README.md"),
        ("chown", "0", "README.md"),
        ("truncate", "-s", "0", "README.md"),
        ("mkfifo", "pipe"),
        ("tee", "README.md"),
        ("sort", "-o", "README.md", "data.csv"),
        ("sed", "-i", "s/a/b/", "README.md"),
        ("env", "id"),
        ("nice", "id"),
        ("find", ".", "-maxdepth", "0", "-exec", "id", ";"),
        ("sh", "-c", "id; exit 0"),
        ("sh", "-c", "echo x > new"),
        ("awk", 'BEGIN{exit !system("id")}'),
        ("perl", "-e", "fork // exit 1"),
        ("kill", "-9", "1"),
    ],
    ids=" ".join,
)
def test_whatever_writes_leaves_or_starts_something_fails(
    run: Callable[..., Printed], repo: Path, argv: tuple[str, ...], secret: str
) -> None:
    if not os.path.exists(f"/usr/bin/{argv[0]}"):
        pytest.skip(f"{argv[0]} is not installed")
    before = {path: path.lstat() for path in sorted(repo.rglob("*"))}
    printed = run(*argv)
    after = {path: path.lstat() for path in sorted(repo.rglob("*"))}
    assert [(path, at.st_mode, at.st_size, at.st_mtime_ns) for path, at in before.items()] == [
        (path, at.st_mode, at.st_size, at.st_mtime_ns) for path, at in after.items()
    ]
    assert secret not in text(printed)
    assert "uid=" not in text(printed)
    assert "root:" not in text(printed)


def test_no_program_can_become_another_one(run: Callable[..., Printed]) -> None:
    """`exec` without fork: the loader could otherwise start any file that can be read."""
    loader = os.path.realpath("/lib64/ld-linux-x86-64.so.2")
    for target in ("/usr/bin/cat", loader):
        printed = run("perl", "-e", f"exec('{target}', 'README.md'); exit 7")
        assert "# Shop" not in text(printed)


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_no_connection_leaves(run: Callable[..., Printed], kind: int) -> None:
    with socket.socket(socket.AF_INET, kind) as listener:
        listener.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.settimeout(0.2)
        port = listener.getsockname()[1]
        socket_type = "tcp" if kind == socket.SOCK_STREAM else "udp"
        code = f"use IO::Socket::INET; my $s=IO::Socket::INET->new(Proto=>'{socket_type}',PeerAddr=>'127.0.0.1:{port}')"
        run("perl", "-e", f"{code}; $s->send('x') if $s;")
        with pytest.raises(TimeoutError):
            listener.accept() if kind == socket.SOCK_STREAM else listener.recv(9)


def test_input_is_opened_by_the_kernels_rules(run: Callable[..., Printed], secret: str) -> None:
    assert "# Shop" in text(run("cat", stdin="README.md"))
    printed = run("cat", stdin="../outside/secret.txt")
    assert secret not in text(printed)
    assert printed.codes == [1]


def test_nothing_of_the_agent_is_inherited(run: Callable[..., Printed], repo: Path, secret: str) -> None:
    with (repo.parent / "outside" / "secret.txt").open() as held:
        os.set_inheritable(held.fileno(), True)
        printed = run("cat", f"/proc/self/fd/{held.fileno()}")
    assert secret not in text(printed)
    assert secret not in text(run("env"))


def test_seccomp_alone_stops_writing_starting_and_speaking(run: Callable[..., Printed], repo: Path) -> None:
    alone = Level(seccomp=True)
    for argv in (("touch", "new"), ("sh", "-c", "id; exit 0"), ("rm", "README.md"), ("chmod", "777", "README.md")):
        assert "uid=" not in text(run(*argv, level=alone))
    assert not (repo / "new").exists()
    assert (repo / "README.md").exists()


def test_memory_is_limited(run: Callable[..., Printed]) -> None:
    printed = run("perl", "-e", 'my $x = "a" x (3 << 30); print length $x')
    assert str(3 << 30) not in text(printed)


def test_the_filter_names_the_one_program_by_its_address() -> None:
    for machine in seccomp.MACHINES:
        code = seccomp.program(machine, seccomp.MARK)
        for half in (seccomp.MARK & seccomp.LOW, seccomp.MARK >> 32):
            assert code.count(half.to_bytes(4, "little")) == 1
        assert len(code) % 8 == 0
        assert len(code) // 8 < 4096  # the kernel's limit


@pytest.mark.parametrize("machine", list(seccomp.MACHINES))
def test_the_filter_answers_every_number_as_its_table_says(machine: str) -> None:
    arch, calls = seccomp.MACHINES[machine]
    code = seccomp.program(machine, 0x7FFF_1234_5678)
    names = {number: name for name, number in calls.items()}
    for number in range(600):
        verdict = judge(code, arch, number, (0, 0, 0))
        name = names.get(number)
        if number > seccomp.LAST_KNOWN or name in ("clone3", "openat2"):
            assert verdict == seccomp.ENOSYS
        elif name is None or name in ("open", "openat"):  # flags 0: reading
            assert verdict == seccomp.ALLOW, number
        else:
            assert verdict == seccomp.EPERM, name
    execve, openat, clone = calls["execve"], calls["openat"], calls["clone"]
    assert judge(code, arch, execve, (0x7FFF_1234_5678, 0, 0)) == seccomp.ALLOW
    assert judge(code, arch, execve, (0x7FFF_1234_5679, 0, 0)) == seccomp.EPERM
    assert judge(code, arch, execve, (0x17FFF_1234_5678, 0, 0)) == seccomp.EPERM
    assert judge(code, arch, openat, (0, 0, os.O_WRONLY)) == seccomp.EACCES
    assert judge(code, arch, openat, (0, 0, os.O_RDONLY | os.O_CREAT)) == seccomp.EACCES
    assert judge(code, arch, clone, (0x10000, 0, 0)) == seccomp.ALLOW
    assert judge(code, arch, clone, (0x4111, 0, 0)) == seccomp.EPERM  # vfork
    assert judge(code, arch ^ 1, openat, (0, 0, 0)) == seccomp.KILL
    lenient = seccomp.program(machine, 1, may_open_read_write=True)
    assert judge(lenient, arch, openat, (0, 0, os.O_RDWR)) == seccomp.ALLOW
    assert judge(lenient, arch, openat, (0, 0, os.O_RDWR | os.O_CREAT)) == seccomp.EACCES


def judge(code: bytes, arch: int, number: int, arguments: tuple[int, int, int]) -> int:
    """Run a filter as the kernel does, on one system call."""
    import struct

    data = struct.pack("=iIQ6Q", number, arch, 0, *arguments, 0, 0, 0)
    lines = list(struct.iter_unpack("HBBI", code))
    at = value = 0
    while True:
        operation, yes, no, operand = lines[at]
        at += 1
        if operation == seccomp.LOAD:
            value = int.from_bytes(data[operand : operand + 4], "little")
        elif operation == seccomp.JUMP:
            at += operand
        elif operation == seccomp.RETURN:
            return int(operand)
        else:
            holds = {
                seccomp.JUMP_EQUAL: value == operand,
                seccomp.JUMP_GREATER_EQUAL: value >= operand,
                seccomp.JUMP_ANY_BIT: bool(value & operand),
            }[operation]
            at += yes if holds else no


def test_landlock_rules_refuse_a_version_they_cannot_hold(repo: Path) -> None:
    for version in range(1, landlock.version() + 1):
        os.close(landlock.ruleset([(str(repo), landlock.READ)], version))


LAST_MOMENT = """
import json, os, signal, socket
from maintainer.tools.terminal.sandbox.broker import Broker

agent, theirs = socket.socketpair()
broker = Broker(theirs)
control, end = socket.socketpair()
read, write = os.pipe()
stage = {"exe": "/bin/echo", "argv": ["echo", "done"], "stdin": None, "out": "out", "err": "err", "read_write": False}
job = {"root": "/", "cwd": "/", "stages": [stage], "environment": {}, "landlock": 0, "seccomp": False, "limits": False}
text = json.dumps({**job, "cpu_s": 10, "extra_read": []}).encode()


class TimedOut:
    def __init__(self, poll):
        self.whole, self.first = poll, True
        self.register, self.unregister = poll.register, poll.unregister

    def poll(self, timeout):
        if not self.first:
            return self.whole.poll(timeout)
        self.first = False
        socket.send_fds(agent, [b"j"], [end.fileno(), write, write])
        control.sendall(len(text).to_bytes(8, "little") + text)
        return []


broker.poll = TimedOut(broker.poll)
broker.serve()
signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # as it is at the agent's end
os.close(write)
try:
    socket.send_fds(agent, [b"j"], [control.fileno()])
except OSError:
    print("refused")
theirs.close()
print(os.read(read, 100))
"""


def test_a_job_sent_in_the_moment_an_idle_broker_ends_is_done() -> None:
    done = subprocess.run([sys.executable, "-c", LAST_MOMENT], capture_output=True, text=True, timeout=120)
    assert done.stdout == "refused\nb'done\\n'\n", done.stderr
