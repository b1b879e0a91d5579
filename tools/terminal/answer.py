"""From what happened to the result a caller gets: cleaned text, an exit code, one sentence on why it ended early."""

import time
from collections.abc import Sequence

from .clean import is_binary, to_text, visible
from .result import CANCELLED, REFUSED, TIMED_OUT, CommandResult, Proposal
from .run import Outcome, Runner

APPROVED = "none: approved"
"""The confinement of what a person allowed to run outside the sandbox."""


def answered(
    line: str, outcome: Outcome, runner: Runner, notices: Sequence[str], limit: int, confinement: str
) -> CommandResult:
    """Return the result of a line that ran; the outcome's chunks are used up.

    Args:
        line: As it was given.
        outcome: What it gave.
        runner: Who ran it.
        notices: What there is to say beside that.
        limit: Most bytes of text.
        confinement: The level it ran at, unless a person allowed it to run without.
    """
    out, cut = "", False
    binary = any(map(is_binary, outcome.out))
    for chunks in outcome.out:
        text, cut_here = to_text(chunks, limit - len(out))
        out, cut = out + text if out else text, cut or cut_here
    err, _ = to_text(outcome.err, limit - len(out))
    reason, code = _ending(outcome, limit)
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
        binary=binary,
        confinement=APPROVED if outcome.unconfined else confinement,
        cwd=runner.planner.workspace.shown(runner.cwd),
        seconds=time.monotonic() - runner.begun,
        size=outcome.size,
        notices=(*notices, *map(visible, outcome.notices)),
    )


def refused(line: str, reason: str, cwd: str, confinement: str, proposal: Proposal | None = None) -> CommandResult:
    """Return the result of a line of which nothing ran."""
    return CommandResult(
        command=line,
        exit_code=REFUSED,
        refused=True,
        reason=visible(reason),
        confinement=confinement,
        cwd=cwd,
        proposal=proposal,
    )


def _ending(outcome: Outcome, limit: int) -> tuple[str, int]:
    """Return why a line did not run to its end, `""` if it did, and its exit code."""
    if outcome.cancelled:
        return "cancelled", CANCELLED
    if outcome.timed_out:
        return f"time limit of {outcome.limit_s:g} s reached; narrow the search", TIMED_OUT
    if outcome.truncated:
        return f"output limit of {limit} bytes reached; use head, -m or a narrower pattern", outcome.code
    if outcome.sandbox_failed:
        return "the sandbox could not be entered, so nothing was run", REFUSED
    return outcome.reason, outcome.code
