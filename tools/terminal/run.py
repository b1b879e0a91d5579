"""Running a checked line: in order where order matters, side by side where it does not."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ...state.errors import CommandRefused
from .pace import Pace
from .plan import Planned, Planner, job
from .result import Progress
from .sandbox.client import Broker
from .sandbox.collect import Budget, Limits, Printed
from .sandbox.job import CONFINE_FAILED
from .syntax import Pipeline

Unit = list[Pipeline]
"""Pipelines joined by && and ||: they depend on each other."""


@dataclass(slots=True)
class Outcome:
    """What pipelines have given so far."""

    out: list[list[bytes | bytearray]] = field(default_factory=list)
    """Chunks, by pipeline."""
    err: list[bytes | bytearray] = field(default_factory=list)
    code: int = 0
    size: int = 0
    no_match: bool = False
    timed_out: bool = False
    truncated: bool = False
    cancelled: bool = False
    unconfined: bool = False
    sandbox_failed: bool = False
    reason: str = ""
    limit_s: float = 0.0
    notices: list[str] = field(default_factory=list)

    @property
    def stopped(self) -> bool:
        """Return whether nothing more may run."""
        return self.timed_out or self.truncated or self.cancelled or self.sandbox_failed or bool(self.reason)

    def add(self, other: "Outcome") -> None:
        """Take in what came after."""
        self.out += other.out
        self.err += other.err
        self.code, self.no_match = other.code, other.no_match
        self.size += other.size
        self.timed_out |= other.timed_out
        self.truncated |= other.truncated
        self.cancelled |= other.cancelled
        self.unconfined |= other.unconfined
        self.sandbox_failed |= other.sandbox_failed
        self.reason = self.reason or other.reason
        self.limit_s = max(self.limit_s, other.limit_s)
        self.notices += [notice for notice in other.notices if notice not in self.notices]


@dataclass(slots=True)
class Runner:
    """Runs one command line."""

    planner: Planner
    broker: Broker
    pace: Pace
    budget: Budget
    cancelled: threading.Event
    wake: int
    extra_read: tuple[str, ...]
    progress: Callable[[Progress], None] | None
    approved: bool
    cwd: str
    previous: str
    begun: float = field(default_factory=time.monotonic)

    def run(self, pipelines: Sequence[Pipeline], plans: Sequence[Planned]) -> Outcome:
        """Return what the line gave.

        Args:
            pipelines: The line, parsed.
            plans: The same, checked for the directories it will run in if every `cd` in it succeeds.
        """
        total = Outcome()
        ready = {id(pipeline): plan for pipeline, plan in zip(pipelines, plans, strict=True)}
        for group in _groups(pipelines, ready):
            if len(group) == 1:
                found = [self._unit(group[0], ready)]
            else:
                with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
                    found = list(pool.map(lambda unit: self._unit(unit, ready), group))
            for outcome in found:
                total.add(outcome)
            if total.stopped:
                break
        return total

    def _unit(self, unit: Unit, ready: dict[int, Planned]) -> Outcome:
        total = Outcome()
        for pipeline in unit:
            if (pipeline.joint == "&&" and total.code != 0) or (pipeline.joint == "||" and total.code == 0):
                continue
            if total.stopped:
                break
            total.add(self._pipeline(pipeline, ready[id(pipeline)]))
        return total

    def _pipeline(self, pipeline: Pipeline, planned: Planned) -> Outcome:
        if planned.cwd != self.cwd:  # a cd before it failed or was skipped
            try:
                planned = self.planner.plan(pipeline, self.cwd, approved=self.approved)
            except CommandRefused as refusal:
                return Outcome(code=126, reason=str(refusal))
        if planned.enters is not None:
            return self._cd(planned)
        if not planned.stages:
            assert planned.said is not None
            return self._said(planned)
        limit = self.pace.limit(planned.kind)
        printed = self._run(planned, limit)
        outcome = _outcome(planned, printed)
        outcome.limit_s = limit
        self.pace.took(planned.kind, printed.seconds)
        return outcome

    def _run(self, planned: Planned, limit: float) -> Printed:
        started = time.monotonic()
        limits = Limits(
            deadline=started + limit,
            budget=self.budget,
            cancelled=self.cancelled,
            wake=self.wake,
            extend=lambda: started + self.pace.clamp(2 * limit),
            heartbeat=self._heartbeat(planned.text, limit),
        )
        feed = None
        if planned.said is not None:
            feed = b"" if planned.mute_out else planned.said.out.encode("utf-8", "surrogateescape")
        order = job(planned, self.planner.workspace, self.planner.policy, int(self.pace.ceiling_s) + 1, self.extra_read)
        return self.broker.run(order, limits, feed)

    def _heartbeat(self, command: str, limit: float) -> Callable[[float, int], None] | None:
        progress = self.progress
        if progress is None:
            return None
        return lambda seconds, size: progress(Progress(command=command, seconds=seconds, size=size, limit_s=limit))

    def _said(self, planned: Planned) -> Outcome:
        said = planned.said
        assert said is not None
        out = b"" if planned.mute_out else said.out.encode("utf-8", "surrogateescape")
        err = b"" if planned.mute_err else said.err.encode("utf-8", "surrogateescape")
        granted = self.budget.take(len(out) + len(err))
        cut = granted < len(out) + len(err)
        return Outcome([[out[:granted]]], [err[: max(0, granted - len(out))]], said.code, granted, truncated=cut)

    def _cd(self, planned: Planned) -> Outcome:
        assert planned.enters is not None
        try:
            target = self.planner.workspace.enter(planned.enters, self.cwd, self.previous)
        except OSError as error:
            what = "Not a directory" if isinstance(error, NotADirectoryError) else "No such file or directory"
            message = "" if planned.mute_err else f"cd: {planned.enters}: {what}\n"
            return Outcome(err=[message.encode("utf-8", "surrogateescape")], code=1)
        self.previous, self.cwd = self.cwd, target
        shown = f"{target}\n".encode("utf-8", "surrogateescape") if planned.enters == "-" else b""
        return Outcome(out=[[shown]] if shown else [])


def _groups(pipelines: Sequence[Pipeline], ready: dict[int, Planned]) -> list[list[Unit]]:
    """Return units that may run side by side, in order; one that holds a `cd` stands alone."""
    units: list[Unit] = []
    for pipeline in pipelines:
        if pipeline.joint == ";":
            units.append([])
        units[-1].append(pipeline)
    groups: list[list[Unit]] = []
    alone = True
    for unit in units:
        moves = any(ready[id(pipeline)].enters is not None for pipeline in unit)
        if alone or moves:
            groups.append([unit])
        else:
            groups[-1].append(unit)
        alone = moves
    return groups


def _outcome(planned: Planned, printed: Printed) -> Outcome:
    last = printed.codes[-1]
    code = 128 - last if last < 0 else last
    err = printed.err
    if planned.said is not None and planned.said.err and not planned.mute_err:
        err = [planned.said.err.encode("utf-8", "surrogateescape"), *err]
    return Outcome(
        out=[printed.out],
        err=err,
        code=code,
        size=sum(map(len, printed.out)) + sum(map(len, printed.err)),
        no_match=planned.searches and code == 1 and not any(err),
        timed_out=printed.timed_out,
        truncated=printed.truncated,
        cancelled=printed.cancelled,
        unconfined=planned.approved,
        sandbox_failed=CONFINE_FAILED in printed.codes,
        notices=list(planned.notices),
    )
