"""What is handed to the broker: plain data, understood on both sides."""

from typing import TypedDict

ENTER_FAILED, CONFINE_FAILED, EXEC_FAILED = 122, 123, 127
"""Exit codes of a stage that never became its program."""


class Stage(TypedDict):
    """One program of a pipeline, checked and ready to start."""

    exe: str
    argv: list[str]
    stdin: str | None
    """A file to read; None for the pipe, or for nothing in a first stage."""
    out: str
    """`"out"` (the next stage, or the caller), `"err"` (the caller's second stream) or `"null"`."""
    err: str
    read_write: bool
    """It may open files O_RDWR (git opens /dev/null so); what it may write is Landlock's matter."""


class Job(TypedDict):
    """A pipeline, where it runs and how it is confined."""

    root: str
    """The workspace, canonical."""
    cwd: str
    stages: list[Stage]
    environment: dict[str, str]
    landlock: int
    """Version to use; 0 for none."""
    seccomp: bool
    limits: bool
    """Whether memory, file growth and processor time are limited; off only for what a person approved."""
    cpu_s: int
    extra_read: list[str]
