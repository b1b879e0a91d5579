"""The terminal: read-only looks at a workspace, for a model that may be steered by what it reads."""

import contextlib
import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ...state.errors import CommandRefused, ConfigError, MaintainerError, StoreError, UnknownHandle
from ..clock import Clock, SystemClock
from ..tokens import TokenCounter, open_counter
from .audit import AuditLog
from .builtin import BUILTINS
from .clean import to_text, visible
from .originals import OriginalStore, RecentOriginals
from .pace import Pace
from .plan import Planned, Planner, unlisted
from .policy import ALLOWED, Policy
from .result import CANCELLED, REFUSED, TIMED_OUT, Answer, CommandResult, Progress, Proposal
from .run import Outcome, Runner
from .sandbox.client import Broker
from .sandbox.collect import Budget
from .sandbox.level import Level, best_level
from .syntax import Pipeline, parse
from .view import View, Viewer
from .workspace import Workspace

RISK = "runs outside the sandbox: it could change files, start programs and use the network"
APPROVED = "none: approved"


class TerminalTool:
    """Runs commands that only read, in a workspace nothing leaves; every outcome is data, nothing raises into an agent.

    Args:
        workspace: The directory commands see.
        timeout: Seconds one command may run; > 0.
        max_output_size: Bytes one call may print, before it is stopped; > 0.
        allow_cd: Whether `cd` changes the directory of later commands.
        require_sandbox: Whether to refuse to work where the kernel cannot confine reading and everything else.
        archive: Keeps full outputs for `show HANDLE`; None keeps the newest in memory.
        max_timeout: Seconds a command of a kind that is known to be slow may run; None means `timeout`.
        max_tokens: Most tokens of one result in `view`; > 0.
        audit: File every command is written down in; None for none.
        approvals: Whether commands outside the list are proposed to a person instead of just refused.
        on_progress: Called about once a second while a command runs.
        extra_read: Further directories git may read, such as the repository of a worktree.
        counter: Counts tokens for `view`; None opens the default one when it is first needed.
        clock: Dates the audit log.
        level: Use less confinement than the machine offers, to see how the terminal works elsewhere.

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
        approvals: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
        extra_read: tuple[str, ...] = (),
        counter: TokenCounter | None = None,
        clock: Clock | None = None,
        level: Level | None = None,
    ) -> None:
        _check_number("timeout", timeout)
        _check_number("max_timeout", timeout if max_timeout is None else max_timeout, least=timeout)
        _check_whole("max_output_size", max_output_size)
        _check_whole("max_tokens", max_tokens)
        self.level = best_level() if level is None else level
        if require_sandbox and not self.level.full:
            raise ConfigError(
                "require_sandbox", True, f"needs Linux with Landlock and seccomp; here: {self.level}; set it to false"
            )
        self.workspace = Workspace(workspace)
        self.max_output_size, self.approvals, self.on_progress = max_output_size, approvals, on_progress
        self._max_tokens, self._counter, self._viewer = max_tokens, counter, None
        self._originals: OriginalStore = RecentOriginals() if archive is None else archive
        self._extra_read = tuple(os.path.realpath(path) for path in extra_read)
        self._planner = Planner(
            self.workspace, Policy(self.level, self.workspace.root), _reader(self._originals), allow_cd
        )
        self._pace = Pace(timeout, timeout if max_timeout is None else max_timeout)
        self._audit = AuditLog(audit, clock or SystemClock()) if audit is not None else None
        self._broker = Broker()
        self._answers: dict[str, Answer] = {}
        self._running: dict[int, tuple[threading.Event, int]] = {}
        self._lock = threading.Lock()
        self.commands_executed = 0
        """Command lines that ran, for the statistics."""

    _viewer: Viewer | None

    @property
    def description(self) -> str:
        """Return what a model is told: what may be used, and how well it is confined."""
        return (
            "Read-only terminal in the repository. Pipes, &&, ||, ;, globs and cd work; no variables, substitutions, "
            "writing or network. Long results are shortened; show HANDLE | grep WORD reads the rest. "
            f"Commands: {', '.join(sorted({*ALLOWED, *BUILTINS, 'cd'} - {':'}))}. Confinement: {self.level}."
        )

    def __enter__(self) -> "TerminalTool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the helper process; running commands are stopped. A later command starts a new one."""
        self.cancel()
        self._broker.close()

    def cancel(self) -> None:
        """Stop every running command at once; may be called from any thread."""
        with self._lock:
            for event, wake in self._running.values():
                event.set()
                with contextlib.suppress(OSError):
                    os.write(wake, b"c")

    def run(self, command: str | Mapping[str, object]) -> CommandResult:
        """Run a command line and return what it gave.

        Args:
            command: The line, or the one-dictionary form `{"command": LINE}`.
        """
        line = command.get("command") if isinstance(command, Mapping) else command
        if not isinstance(line, str):
            return self._noted(self._refused(str(line)[:200], "the command must be a text, for example 'ls src'"))
        result = self._run(line)
        return self._noted(result)

    def view(self, result: CommandResult, turn: int = 0) -> View:
        """Return a result as a model should see it: capped, with a handle to the rest, "unchanged" when it is.

        Args:
            result: From `run`.
            turn: Number of the running turn.
        """
        return self._view().view(result, result.cwd, turn)

    def forget_views(self) -> None:
        """Show everything in full again: for when earlier results have left the model's window."""
        self._view().forget()

    def propose(self, command: str) -> Proposal | None:
        """Return what a person would have to allow for a command to run, None when there is nothing to ask."""
        if not self.approvals or command in self._answers:
            return None
        try:
            pipelines = parse(command)
            names = unlisted(pipelines)
            if not names:
                return None
            self._plans(pipelines, approved=True)
        except CommandRefused:
            return None
        reason = f"{', '.join(map(repr, dict.fromkeys(names)))} is not on the list of commands that only read"
        return Proposal(command=command, reason=reason, risk=RISK)

    def decide(self, command: str, answer: Answer) -> None:
        """Remember a person's answer: this line, exactly, may run `"once"`, for the `"session"`, or `"never"`."""
        self._answers[command] = answer

    # -- one line -----------------------------------------------------------------------------------------------------

    def _run(self, line: str) -> CommandResult:
        answer = self._answers.get(line) if self.approvals else None
        notices = self._recover()
        try:
            if answer == "never":
                raise CommandRefused("a person decided that this command may never run; find another way")
            pipelines = parse(line)
            approved = answer is not None and bool(unlisted(pipelines))
            plans = self._plans(pipelines, approved=approved)
        except CommandRefused as refusal:
            return self._refused(line, str(refusal), self.propose(line))
        if answer == "once":
            del self._answers[line]
        return self._result(line, *self._execute(pipelines, plans, approved), notices)

    def _recover(self) -> tuple[str, ...]:
        with self._lock:
            lost = self.workspace.recover()
        if lost is None:
            return ()
        here = self.workspace.shown(self.workspace.cwd)
        return (f"the current directory {self.workspace.shown(lost)!r} is gone; now in {here!r}",)

    def _plans(self, pipelines: tuple[Pipeline, ...], *, approved: bool) -> list[Planned]:
        """Check all of a line, following each `cd` as if it succeeded."""
        cwd, previous = self.workspace.cwd, self.workspace.previous
        plans = []
        for pipeline in pipelines:
            plan = self._planner.plan(pipeline, cwd, approved=approved)
            plans.append(plan)
            if plan.enters is not None:
                with contextlib.suppress(OSError):  # it will fail when it runs, and say so
                    cwd, previous = self.workspace.enter(plan.enters, cwd, previous), cwd
        return plans

    def _execute(self, pipelines: tuple[Pipeline, ...], plans: list[Planned], approved: bool) -> tuple[Outcome, Runner]:
        with self._registered() as (event, wake):
            runner = Runner(
                self._planner, self._broker, self._pace, Budget(self.max_output_size), event, wake, self._extra_read,
                self.on_progress, approved, self.workspace.cwd, self.workspace.previous,
            )  # fmt: skip
            try:
                outcome = runner.run(pipelines, plans)
            except MaintainerError as error:
                outcome = Outcome(code=REFUSED, reason=str(error))
        with self._lock:
            if (runner.cwd, runner.previous) != (self.workspace.cwd, self.workspace.previous):
                self.workspace.cwd, self.workspace.previous = runner.cwd, runner.previous
        return outcome, runner

    @contextlib.contextmanager
    def _registered(self) -> Iterator[tuple[threading.Event, int]]:
        event = threading.Event()
        read, write = os.pipe()
        with self._lock:
            self._running[read] = (event, write)
        try:
            yield event, read
        finally:
            with self._lock:
                del self._running[read]
                os.close(read)
                os.close(write)

    def _result(self, line: str, outcome: Outcome, runner: Runner, notices: tuple[str, ...]) -> CommandResult:
        size, seconds = outcome.size, _elapsed(runner)
        out, cut = "", False
        for chunks in outcome.out:
            text, cut_here = to_text(chunks, self.max_output_size - len(out))
            out, cut = out + text if out else text, cut or cut_here
        err, _ = to_text(outcome.err, self.max_output_size - len(out))
        reason, code = _ending(outcome, self.max_output_size)
        self.commands_executed += 1
        return CommandResult(
            command=line,
            stdout=out,
            stderr=err,
            exit_code=code,
            reason=visible(reason),
            no_match=outcome.no_match,
            timed_out=outcome.timed_out,
            truncated=outcome.truncated or cut,
            cancelled=outcome.cancelled,
            confinement=APPROVED if outcome.unconfined else str(self.level),
            cwd=self.workspace.shown(runner.cwd),
            seconds=seconds,
            size=size,
            notices=(*notices, *map(visible, outcome.notices)),
        )

    def _refused(self, line: str, reason: str, proposal: Proposal | None = None) -> CommandResult:
        return CommandResult(
            command=line,
            exit_code=REFUSED,
            refused=True,
            reason=visible(reason),
            confinement=str(self.level),
            cwd=self.workspace.shown(self.workspace.cwd),
            proposal=proposal,
        )

    def _noted(self, result: CommandResult) -> CommandResult:
        if self._audit is None:
            return result
        try:
            self._audit.append(result)
        except StoreError as error:
            from dataclasses import replace

            return replace(result, notices=(*result.notices, str(error)))
        return result

    def _view(self) -> Viewer:
        if self._viewer is None:
            self._viewer = Viewer(self._counter or open_counter(), self._originals, self._max_tokens)
        return self._viewer


def _ending(outcome: Outcome, max_output_size: int) -> tuple[str, int]:
    """Return why a line did not run to its end, and its exit code."""
    if outcome.cancelled:
        return "cancelled", CANCELLED
    if outcome.timed_out:
        return f"time limit of {outcome.limit_s:g} s reached; narrow the search", TIMED_OUT
    if outcome.truncated:
        return f"output limit of {max_output_size} bytes reached; use head, -m or a narrower pattern", outcome.code
    if outcome.sandbox_failed:
        return "the sandbox could not be entered, so nothing was run", REFUSED
    return outcome.reason, outcome.code


def _elapsed(runner: Runner) -> float:
    import time

    return time.monotonic() - runner.begun


def _reader(originals: OriginalStore) -> Callable[[str], str | None]:
    def read(handle: str) -> str | None:
        try:
            return originals.get(handle)
        except UnknownHandle:
            return None

    return read


def _check_number(name: str, value: object, least: float = 0.0) -> None:
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not good or not (value > 0 and value >= least):  # type: ignore[operator]
        rule = f"must be a number of seconds of at least {least:g}" if least else "must be a number of seconds above 0"
        raise ConfigError(name, value, rule)


def _check_whole(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ConfigError(name, value, "must be a whole number above 0")
