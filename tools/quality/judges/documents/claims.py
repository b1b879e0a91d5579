"""Something a document says that can be looked up, and how it is looked up."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from ...known.project import Project

PATH = re.compile(r"^\.?[\w.-]+(?:/[\w.-]+)+/?$")
STANDS_FOR = re.compile(r"[<>{}*$\[\]]|\.\.\.")
"""What a word of a command has that its reader fills in."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that does not hold."""

    line: int
    text: str
    reason: str
    why: str
    confidence: float


def is_there(project: Project, path: str, named: str) -> bool:
    """Return whether a path exists from the root, from the document's folder, or anywhere as an ending."""
    plain = re.sub(r":\d+(-\d+)?$", "", named).removeprefix("./").rstrip("/")
    beside = PurePosixPath(path).parent
    parts: list[str] = []
    for part in (beside / plain).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    near = "/".join(parts)
    return any(project.exists(each) for each in (plain, near, f"src/{plain}")) or project.ends_with(plain)


def missing(number: int, text: str, reason: str, confidence: float = 0.85) -> Claim:
    """Return the claim of a line that a reader who follows it fails with."""
    return Claim(number, text, reason, "stale_command", confidence)
