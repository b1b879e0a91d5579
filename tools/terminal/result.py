"""What a command line gives: data, never prose to be parsed."""

from dataclasses import dataclass
from typing import Literal, final

Answer = Literal["once", "session", "never"]

REFUSED, TIMED_OUT, CANCELLED = 126, 124, 130
"""Exit codes of what did not run to its end, as a shell and `timeout` use them."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A command outside the list that a person may allow."""

    command: str
    """The whole line: allowing it allows exactly this."""
    reason: str
    """Why it is not run without asking."""
    risk: str
    """What it could do, since it would run outside the sandbox."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A sign of life from a running command."""

    command: str
    seconds: float
    """Since it started."""
    size: int
    """Bytes it has printed so far."""
    limit_s: float
    """When it will be stopped, in seconds since its start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """How a command line ended and what it printed."""

    command: str
    stdout: str = ""
    """Cleaned: no control character but newline and tab, no invisible ones."""
    stderr: str = ""
    exit_code: int = 0
    """Of the last command that ran; 126 refused, 124 out of time, 130 cancelled, 128 + N ended by signal N."""
    refused: bool = False
    """Nothing ran; `reason` says what to write instead."""
    reason: str = ""
    """Why it was refused or stopped, in one sentence; empty when it ran to its end."""
    no_match: bool = False
    """A search ran and found nothing: exit code 1, no error."""
    timed_out: bool = False
    truncated: bool = False
    """The output reached the limit and the command was ended there."""
    cancelled: bool = False
    binary: bool = False
    """What was printed is no text."""
    confinement: str = ""
    """How the kernel confined it, for example `"landlock 7 + seccomp"`, `"policy only"`."""
    cwd: str = "."
    """Current directory afterwards, relative to the workspace."""
    seconds: float = 0.0
    size: int = 0
    """Bytes printed, before cleaning, as far as they were read."""
    notices: tuple[str, ...] = ()
    """What differs from what a shell would have done, for example names passed over."""
    proposal: Proposal | None = None
    """Set when a person could allow the refused command."""

    @property
    def ok(self) -> bool:
        """Return whether it ran to its end, with success or with an honest "nothing found"."""
        return not self.reason and (self.exit_code == 0 or self.no_match)

    @property
    def output(self) -> str:
        """Return everything as one text for reading: output, errors, and how it ended when that needs a word."""
        parts = [self.stdout.rstrip("\n")] if self.stdout else []
        if self.stderr:
            parts.append(self.stderr.rstrip("\n"))
        parts += [f"[{notice}]" for notice in self.notices]
        if self.refused:
            parts.append(f"[refused: {self.reason}]")
        elif self.reason:
            parts.append(f"[stopped: {self.reason}]")
        elif self.no_match and not self.stdout:
            parts.append("[no match]")
        elif not self.ok:
            parts.append(f"[exit code {self.exit_code}]")
        return "\n".join(parts)
