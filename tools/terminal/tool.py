"""The terminal: read-only looks at a workspace, for a model that may be steered by what it reads."""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ...state.errors import CommandRefused, ConfigError, StoreError, UnknownHandle
from ..clock import Clock, SystemClock
from ..tokens import TokenCounter, open_counter
from .answer import answered, refused
from .approvals import Approvals
from .audit import AuditLog
from .builtin import BUILTINS
from .limits import TerminalLimits
from .originals import OriginalStore, RecentOriginals
from .pace import Pace
from .plan import Planned, Planner
from .policy import Policy
from .policy.check import available
from .result import REFUSED, Answer, CommandResult, Progress, Proposal
from .run import Outcome, Runner
from .sandbox.client import Broker
from .sandbox.collect import Budget
from .sandbox.level import Level, best_level
from .syntax import Pipeline, parse
from .view import View, Viewer
from .workspace import Workspace


class TerminalTool:
    """Runs commands that only read, in a workspace nothing leaves; every outcome is data, nothing raises into an agent.

    It may be used from several threads; the current directory is shared by all.

    Args:
        workspace: The directory commands see.
        timeout: Seconds one command may run; > 0.
        max_output_size: Bytes one call may print before it is stopped; > 0.
        allow_cd: Whether `cd` changes the directory of later commands.
        require_sandbox: Whether to refuse to work where the kernel cannot confine reading and everything else.
        archive: Keeps full outputs for `show HANDLE`; None keeps the newest in memory.
        max_timeout: Seconds a command of a kind that is known to be slow may run; None means `timeout`.
        max_tokens: Most tokens of one result in `view`; > 0.
        audit: File every command is written down in; None for none.
        session: Whose commands they are, for the audit log.
        approvals: Whether commands outside the list are proposed to a person instead of just refused.
        on_progress: Called about once a second while a command runs.
        extra_read: Further directories programs may read, such as the repository a worktree belongs to.
        counter: Counts tokens for `view`; None opens the default one when it is first needed.
        clock: Dates the audit log.
        level: Less confinement than the machine offers, to see how the terminal works elsewhere.

    Raises:
        ConfigError: A setting has a wrong value, or `require_sandbox` cannot be met.
    """

    def __init__(
        self,
        workspace: str | os.PathLike[str],
        timeout: float = 30.0,
        max_output_size: int = 10 * 2**20,
        allow_cd: bool = True,
        require_sandbox: bool = False,
        archive: OriginalStore | None = None,
        *,
        max_timeout: float | None = None,
        max_tokens: int = 2000,
        audit: Path | None = None,
        session: str = "",
        approvals: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
        extra_read: tuple[str, ...] = (),
        counter: TokenCounter | None = None,
        clock: Clock | None = None,
        level: Level | None = None,
    ) -> None:
        self.limits = TerminalLimits(
            timeout=timeout, max_timeout=max_timeout, max_output_size=max_output_size, max_tokens=max_tokens
        )
        self.level = best_level() if level is None else level
        if require_sandbox and not self.level.full:
            rule = f"needs Linux with Landlock and seccomp, and here is {self.level}; set it to false to work without"
            raise ConfigError("require_sandbox", True, rule)
        self.workspace = Workspace(workspace)
        self.commands_executed = 0
        """Lines that ran, for the statistics."""
        self._originals: OriginalStore = RecentOriginals() if archive is None else archive
        policy = Policy(self.level, self.workspace.root)
        self._planner = Planner(self.workspace, policy, _reader(self._originals), allow_cd)
        self._approvals = Approvals(self._planner, on=approvals)
        self._pace = Pace(timeout, self.limits.ceiling_s)
        self._audit = AuditLog(audit, clock or SystemClock(), session) if audit is not None else None
        self._on_progress, self._extra_read = on_progress, tuple(map(os.path.realpath, extra_read))
        self._counter = counter
        self._viewer: Viewer | None = None
        self._broker = Broker()
        self._lock = threading.Lock()
        self._running: dict[int, tuple[threading.Event, int]] = {}

    @property
    def description(self) -> str:
        """Return what a model is told: what may be used, and how well it is confined."""
        programs = available() if self.level.processes else ()
        return (
            "Read-only terminal in the repository. Pipes, &&, ||, ;, globs and cd work; no variables, substitutions, "
            "writing or network. Long results are shortened; show HANDLE | grep WORD reads the rest. "
            f"Commands: {', '.join(sorted({*programs, *BUILTINS, 'cd'} - {':'}))}. Confinement: {self.level}."
        )

    def __enter__(self) -> "TerminalTool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what runs and end the helper process; a later command starts a new one."""
        self.cancel()
        self._broker.close()

    def cancel(self) -> None:
        """Stop every running command at once; may be called from any thread."""
        with self._lock:
            for event, wake in self._running.values():
                event.set()
                os.write(wake, b"c")

    def run(self, command: str | Mapping[str, object]) -> CommandResult:
        """Run a command line and return what it gave.

        Args:
            command: The line, or the one-dictionary form `{"command": LINE}`.
        """
        line = command.get("command") if isinstance(command, Mapping) else command
        if not isinstance(line, str):
            result = self._refused(str(line)[:200], "the command must be a text, for example 'ls src'")
        else:
            result = self._run(line)
        if self._audit is None:
            return result
        try:
            self._audit.append(result)
        except StoreError as error:
            return replace(result, notices=(*result.notices, str(error)))
        return result

    def view(self, result: CommandResult, turn: int = 0) -> View:
        """Return a result as a model should see it: capped, with a handle to the rest, "unchanged" when it is.

        Args:
            result: From `run`.
            turn: Number of the running turn.
        """
        return self._view().view(result, turn)

    def forget_views(self) -> None:
        """Show everything in full again: for when earlier results have left the model's window."""
        self._view().forget()

    def propose(self, command: str) -> Proposal | None:
        """Return what a person would have to allow for a line to run, None when there is nothing to ask."""
        return self._approvals.propose(command)

    def decide(self, command: str, answer: Answer) -> None:
        """Remember a person's answer: this line, exactly, may run `"once"`, for the `"session"`, or `"never"`."""
        self._approvals.decide(command, answer)

    def _run(self, line: str) -> CommandResult:
        notices = self._recover()
        try:
            pipelines = parse(line)
            approved = self._approvals.allows(line, pipelines)
            plans = self._planner.plan_all(pipelines, approved=approved)
        except CommandRefused as refusal:
            return self._refused(line, str(refusal), self.propose(line))
        self._approvals.used(line)
        with self._registered() as (event, wake):
            runner = Runner(
                planner=self._planner,
                broker=self._broker,
                pace=self._pace,
                budget=Budget(self.limits.max_output_size),
                cancelled=event,
                wake=wake,
                extra_read=self._extra_read,
                progress=self._on_progress,
                approved=approved,
                cwd=self.workspace.cwd,
                previous=self.workspace.previous,
            )
            outcome = self._outcome(runner, pipelines, plans)
        return answered(line, outcome, runner, notices, self.limits.max_output_size, str(self.level))

    def _outcome(self, runner: Runner, pipelines: tuple[Pipeline, ...], plans: list[Planned]) -> Outcome:
        before = (runner.cwd, runner.previous)
        try:
            outcome = runner.run(pipelines, plans)
        except StoreError as error:  # no process can be started
            return Outcome(code=REFUSED, reason=str(error))
        with self._lock:
            self.commands_executed += 1
            if (runner.cwd, runner.previous) != before:
                self.workspace.cwd, self.workspace.previous = runner.cwd, runner.previous
        return outcome

    def _recover(self) -> tuple[str, ...]:
        with self._lock:
            lost = self.workspace.recover()
        if lost is None:
            return ()
        gone, here = self.workspace.shown(lost), self.workspace.shown(self.workspace.cwd)
        return (f"the current directory {gone!r} is gone; now in {here!r}",)

    @contextlib.contextmanager
    def _registered(self) -> Iterator[tuple[threading.Event, int]]:
        """Make the command reachable for `cancel`: an event, and a descriptor that wakes whoever waits."""
        event = threading.Event()
        woken, wake = os.pipe()
        with self._lock:
            self._running[woken] = (event, wake)
        try:
            yield event, woken
        finally:
            with self._lock:
                del self._running[woken]
                os.close(woken)
                os.close(wake)

    def _refused(self, line: str, reason: str, proposal: Proposal | None = None) -> CommandResult:
        return refused(line, reason, self.workspace.shown(self.workspace.cwd), str(self.level), proposal)

    def _view(self) -> Viewer:
        if self._viewer is None:
            self._viewer = Viewer(self._counter or open_counter(), self._originals, self.limits.max_tokens)
        return self._viewer


def _reader(originals: OriginalStore) -> Callable[[str], str | None]:
    def read(handle: str) -> str | None:
        try:
            return originals.get(handle)
        except UnknownHandle:
            return None

    return read
