"""From a parsed pipeline to what will be done: everything is checked here, before anything starts."""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...state.errors import CommandRefused
from .builtin import BUILTINS, Said, Surroundings
from .expand import Expander
from .policy import ALLOWED, Checked, Policy
from .policy.check import FOLDERS
from .policy.git_settings import environment as git_environment
from .sandbox.job import Job
from .sandbox.job import Stage as ReadyStage
from .syntax import Pipeline, Stage
from .workspace import Workspace

BASE_ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C.UTF-8",
    "HOME": "/nonexistent",
    "TERM": "dumb",
    "PAGER": "cat",
    "LESSSECURE": "1",
}
"""All a program gets to see; git has its own on top."""
SEARCHES = frozenset({"grep", "egrep", "fgrep", "rg"})


@dataclass(frozen=True, slots=True)
class Planned:
    """A pipeline, checked for one directory."""

    cwd: str
    """The directory it was checked for."""
    text: str
    stages: tuple[ReadyStage, ...] = ()
    said: Said | None = None
    """What a built-in command at its start answers: the whole answer, or the first program's input."""
    mute_out: bool = False
    mute_err: bool = False
    enters: str | None = None
    """The argument of `cd`."""
    kind: str = ""
    """What its time limit is learned under, for example `"git log|head"`."""
    searches: bool = False
    """Whether exit code 1 means that nothing was found."""
    approved: bool = False
    """Whether a person allowed it to run outside the sandbox."""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planner:
    """Checks pipelines against a policy, in a workspace."""

    workspace: Workspace
    policy: Policy
    original: Callable[[str], str | None]
    allow_cd: bool = True

    def plan(self, pipeline: Pipeline, cwd: str, *, approved: bool = False) -> Planned:
        """Return what will be done.

        Args:
            pipeline: As parsed.
            cwd: Where it would run.
            approved: Whether programs outside the list are let through, because a person said so.

        Raises:
            CommandRefused: Some part of it is not allowed.
        """
        expander = Expander(self.workspace, cwd)
        lines = [[text for word in stage.words for text in expander.arguments(word)] for stage in pipeline.stages]
        names = [line[0] for line in lines]
        if "cd" in names:
            return self._cd(pipeline, lines, cwd)
        later = next((name for name in names[1:] if name in BUILTINS), None)
        if later is not None:
            raise CommandRefused(f"{later!r} reads no input; start the pipeline with it or leave it out")
        foreign = approved and any(name not in ALLOWED and name not in BUILTINS for name in names)
        said = self._builtin(pipeline.stages[0], lines[0], cwd) if names[0] in BUILTINS else None
        programs = list(zip(pipeline.stages, lines, strict=True))[1 if said else 0 :]
        ready = tuple(self._stage(stage, line, expander, foreign) for stage, line in programs)
        return Planned(
            cwd=cwd,
            text=pipeline.text,
            stages=ready,
            said=said,
            mute_out=said is not None and pipeline.stages[0].out == "null",
            mute_err=said is not None and pipeline.stages[0].err == "null",
            kind="|".join(f"{line[0]} {line[1]}" if line[0] == "git" and line[1:] else line[0] for line in lines),
            searches=names[-1] in SEARCHES or lines[-1][:2] == ["git", "grep"],
            approved=foreign,
            notices=_passed_over(expander.passed_over),
        )

    def plan_all(self, pipelines: Sequence[Pipeline], *, approved: bool = False) -> list[Planned]:
        """Return what will be done for a whole line, each `cd` followed as if it succeeded.

        Raises:
            CommandRefused: Some part of it is not allowed; then no part of it may run.
        """
        cwd, previous = self.workspace.cwd, self.workspace.previous
        plans = []
        for pipeline in pipelines:
            plan = self.plan(pipeline, cwd, approved=approved)
            plans.append(plan)
            if plan.enters is not None:
                with contextlib.suppress(OSError):  # it will fail when it runs, and say so
                    cwd, previous = self.workspace.enter(plan.enters, cwd, previous), cwd
        return plans

    def _cd(self, pipeline: Pipeline, lines: list[list[str]], cwd: str) -> Planned:
        if len(lines) > 1:
            raise CommandRefused("cd inside a pipeline changes nothing; write cd DIR && COMMAND")
        if not self.allow_cd:
            raise CommandRefused("cd is switched off; name paths from the workspace instead")
        words = [word for word in lines[0][1:] if word not in ("-P", "-L", "--")]
        if len(words) > 1 or (words and words[0].startswith("-") and words[0] != "-"):
            raise CommandRefused(f"cd: {words[-1]!r} is not expected; give one directory")
        target = words[0] if words else ""
        if target not in ("", "-"):
            self.workspace.real(target, cwd)
        return Planned(cwd=cwd, text=pipeline.text, enters=target, mute_err=pipeline.stages[0].err == "null")

    def _builtin(self, stage: Stage, line: list[str], cwd: str) -> Said:
        checked = Surroundings(cwd, lambda path: self.workspace.checked(path, cwd), self.original)
        if stage.stdin is not None:
            raise CommandRefused(f"{line[0]!r} reads no input; leave out '<'")
        return BUILTINS[line[0]](line[1:], checked)

    def _stage(self, stage: Stage, line: list[str], expander: Expander, foreign: bool) -> ReadyStage:
        cwd = expander.cwd

        def path(text: str) -> str:
            return self.workspace.checked(text, cwd)

        if foreign and line[0] not in ALLOWED:
            checked = Checked(_anywhere(line[0]), tuple(line))
        else:
            checked = self.policy.check(line, path, tuple(BUILTINS))
        stdin = None
        if stage.stdin is not None:
            stdin = expander.single(stage.stdin)
            stdin = stdin if stdin == "/dev/null" else path(stdin)
        return ReadyStage(
            exe=checked.exe,
            argv=list(checked.argv),
            stdin=stdin,
            out=stage.out,
            err=stage.err,
            read_write=checked.read_write,
        )


def _passed_over(names: list[str]) -> tuple[str, ...]:
    if not names:
        return ()
    shown = ", ".join(repr(name) for name in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (f"passed over by the pattern, since they lead outside or are no files: {shown}",)


def _anywhere(name: str) -> str:
    """Return an installed program of any kind, scripts included."""
    found = next((f"{folder}/{name}" for folder in FOLDERS if os.access(f"{folder}/{name}", os.X_OK)), None)
    if found is None or "/" in name:
        raise CommandRefused(f"{name[:60]!r} is not installed on this machine; use another command")
    return found


def unlisted(pipelines: Sequence[Pipeline]) -> list[str]:
    """Return the names of installed programs in a line that are outside the list."""
    names = [stage.words[0].text for pipeline in pipelines for stage in pipeline.stages]
    outside = [name for name in names if name not in ALLOWED and name not in BUILTINS and name != "cd"]
    return [
        name for name in outside if "/" not in name and any(os.access(f"{place}/{name}", os.X_OK) for place in FOLDERS)
    ]


def job(planned: Planned, workspace: Workspace, policy: Policy, cpu_s: int, extra_read: tuple[str, ...]) -> Job:
    """Return the order for the broker."""
    environment = dict(BASE_ENVIRONMENT)
    if any(stage["read_write"] for stage in planned.stages):
        environment |= git_environment(workspace.root)
    confined = not planned.approved
    return Job(
        root=workspace.root,
        cwd=planned.cwd,
        stages=list(planned.stages),
        environment=environment,
        landlock=policy.level.landlock if confined else 0,
        seccomp=policy.level.seccomp and confined,
        limits=confined,
        cpu_s=cpu_s,
        extra_read=list(extra_read),
    )
