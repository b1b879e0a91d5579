"""The broker: a small process, free of the agent's memory and keys, that starts programs and reaps them.

It is started by `client.Broker` and lives as long as the socket to it, or until it has been idle for a while. Each
job comes with a socket of its own: closing it, or dying, is the order to kill. The broker knows no policy: what
arrives here has been checked.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass, field

from . import landlock
from .job import Job
from .stage import Image, become, readable

IDLE_S = 1.0
"""An idle agent leaves no process behind; the next command pays about 30 ms for a new one."""
BECOME_SUBREAPER = 36
HEADER_BYTES = 8


@dataclass
class Running:
    """A job whose programs have been started."""

    control: socket.socket
    group: int
    stages: dict[int, int] = field(default_factory=dict)
    """Process id to place in the pipeline, of those not reaped yet."""
    strays: bool = False
    """Whether its programs could start processes that outlive it."""


class Broker:
    """One socket to the agent, and the jobs that came through it."""

    def __init__(self, agent: socket.socket) -> None:
        self.agent = agent
        self.jobs: dict[int, Running] = {}
        self.leaving = False
        self.rules: dict[tuple[object, ...], int] = {}
        self.null = os.open(os.devnull, os.O_RDWR)
        self.poll = select.poll()
        self.poll.register(agent, select.POLLIN)
        woken, wakes = os.pipe()
        for end in (woken, wakes):
            os.set_blocking(end, False)
        self.woken = woken
        self.poll.register(woken, select.POLLIN)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for name in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(name, signal.SIG_DFL)  # ignored signals would stay ignored in the programs

    def serve(self) -> None:
        """Work until the agent is gone or nothing has happened for `IDLE_S` seconds."""
        while True:
            events = self.poll.poll(None if self.jobs else IDLE_S * 1000)
            if not events and not self.jobs and not self._last_jobs():
                return
            for handle, _ in events:
                if handle == self.agent.fileno():
                    if not self._accept():
                        for running in self.jobs.values():
                            self._kill(running)
                        return
                elif handle == self.woken:
                    os.read(self.woken, 512)
                elif handle in self.jobs:  # the agent hung up: enough
                    self._kill(self.jobs[handle])
                    self.poll.unregister(handle)
            self._reap()

    def _last_jobs(self) -> bool:
        """Take no more jobs, but those that were sent in this very moment, and return whether there are any.

        The agent's next sending fails, so that it starts another broker; what was sent to one that just ends would be
        lost.
        """
        if not self.leaving:
            self.leaving = True
            self.poll.unregister(self.agent)
            self.agent.shutdown(socket.SHUT_RD)
            while self._accept():
                pass
        return bool(self.jobs)

    def _accept(self) -> bool:
        message, handles, _, _ = socket.recv_fds(self.agent, 1, 4)
        if not message:
            return False
        control = socket.socket(fileno=handles[0])
        size = int.from_bytes(_exactly(control, HEADER_BYTES), "little")
        job: Job = json.loads(_exactly(control, size))
        self._start(job, control, handles[1:])
        for handle in handles[1:]:
            os.close(handle)
        return True

    def _start(self, job: Job, control: socket.socket, streams: list[int]) -> None:
        out, err, *feed = streams
        running = Running(control, 0, strays=not job["limits"])
        source, last = (feed[0] if feed else self.null), len(job["stages"]) - 1
        for place, stage in enumerate(job["stages"]):
            following, target = os.pipe() if place < last else (self.null, out)
            sinks = {"out": target, "err": err, "null": self.null}
            image = Image(job, stage, self._rules(job, stage["exe"]) if job["landlock"] else None)
            child = os.fork()
            if not child:
                become(image, (source, sinks[stage["out"]], sinks[stage["err"]]), running.group)
            running.group = running.group or child
            _join_group(child, running.group)
            running.stages[child] = place
            for handle in (source, target):
                if handle not in (self.null, out, *feed):
                    os.close(handle)
            source = following
        self.jobs[control.fileno()] = running
        self.poll.register(control, select.POLLIN)

    def _rules(self, job: Job, exe: str) -> int:
        root = os.stat(job["root"])  # rules hold on to the directory itself, which may have been made anew
        key = (exe, job["root"], root.st_dev, root.st_ino, job["landlock"], *job["extra_read"])
        if key not in self.rules:
            grants = {**readable(exe, job["extra_read"]), job["root"]: landlock.READ}
            self.rules[key] = landlock.ruleset(grants.items(), job["landlock"])
        return self.rules[key]

    def _kill(self, job: Running) -> None:
        if job.strays:
            _signal_group(job.group)
        for process in job.stages:
            os.kill(process, signal.SIGKILL)

    def _reap(self) -> None:
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if not process:
                break
            for handle, job in list(self.jobs.items()):
                if process in job.stages:
                    self._report(job, job.stages.pop(process), status)
                    if not job.stages:
                        self._finish(handle, job)

    def _report(self, job: Running, place: int, status: int) -> None:
        try:
            code = os.waitstatus_to_exitcode(status) & 0xFFFF
            job.control.sendall(bytes((place,)) + code.to_bytes(2, "little"), socket.MSG_NOSIGNAL)
        except OSError:
            return  # the agent is gone; the next poll says so

    def _finish(self, handle: int, job: Running) -> None:
        del self.jobs[handle]
        if job.strays:
            _signal_group(job.group)
            if not any(other.strays for other in self.jobs.values()):
                _sweep({process for other in self.jobs.values() for process in other.stages})
        with contextlib.suppress(KeyError):  # already hung up
            self.poll.unregister(handle)
        job.control.close()


def _join_group(process: int, group: int) -> None:
    """Put a process into its pipeline's group; it does the same itself, and whoever comes first is right."""
    with contextlib.suppress(PermissionError, ProcessLookupError):  # it has become its program, or ended
        os.setpgid(process, group)


def _signal_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _sweep(keep: set[int]) -> None:
    """Kill every process that was handed to us by a parent that ended, until none is left."""
    for _ in range(100):
        strays = _children() - keep
        if not strays:
            return
        for process in strays:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _children() -> set[int]:
    found = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except OSError:
                continue
            if parent == os.getpid():
                found.add(int(name))
    return found


def _exactly(control: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = control.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return bytes(data)


def main(handle: int) -> None:
    """Serve the agent at the other end of an inherited socket."""
    if sys.platform == "linux":
        landlock._libc.prctl(BECOME_SUBREAPER, 1, 0, 0, 0)
    agent = socket.socket(fileno=handle)
    Broker(agent).serve()
