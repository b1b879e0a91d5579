"""What a sub-agent brings back: a report, short and checked, never its whole conversation."""

import re
from typing import Literal

from pydantic import Field

from .session import Frozen, Usage

ReportStatus = Literal["done", "partial", "budget", "error"]
"""`done`: answered, with at least one finding whose sources hold. `partial`: an answer without that. `budget`: stopped
by its limit of steps, tokens or time. `error`: no answer."""


class Finding(Frozen):
    """One thing a sub-agent found."""

    claim: str
    sources: list[str] = Field(default_factory=list)
    """Places that were checked and hold, as `path:12-40`."""


class AgentReport(Frozen):
    """What a sub-agent found, from 1 to 2,000 tokens as text."""

    kind: str
    task: str
    status: ReportStatus
    problem: str = ""
    """Why it is not `done`."""
    findings: list[Finding] = Field(default_factory=list)
    open_questions: list[str] = Field(default_factory=list)
    usage: Usage = Usage()
    trace: str = ""
    """Handle of everything the sub-agent did, in the archive."""


def agent_name(session: str, turn: int, call: str) -> str:
    """Return the name what a sub-agent leaves goes by: below its session's, so that it is found and deleted with it."""
    return f"{session}/{turn}.{call}"


def is_of(name: str, session: str) -> bool:
    """Return whether a name is that of a session or of a sub-agent it sent out; a session `a/b` is none of `a`."""
    agent = name.removeprefix(f"{session}/")
    return name == session or (agent != name and re.match(r"\d+\.", agent) is not None)
