"""git's machine-readable output as plain data."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Literal

ChangeKind = Literal["added", "modified", "deleted", "renamed"]

_KINDS: Mapping[str, ChangeKind] = MappingProxyType({"A": "added", "M": "modified", "T": "modified", "D": "deleted"})
_STATUS = re.compile(r"[A-Z]\d*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a commit, or a span of commits, did to one file."""

    kind: ChangeKind
    path: str
    """The path afterwards, relative to the repository; for a deleted file the path it had."""
    old: str = ""
    """The path before a rename, else `""`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit, as the log tells it."""

    sha: str
    time: datetime
    """When it was committed, UTC."""
    author: str
    message: str
    """Subject and body."""
    changes: tuple[Change, ...] = ()
    """Empty for merges."""

    @property
    def files(self) -> tuple[str, ...]:
        """Return the paths the commit touched, as they were called afterwards."""
        return tuple(change.path for change in self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlamedLine:
    """Who last changed a line of a file."""

    line: int
    """1-based, in the file as committed."""
    text: str
    sha: str
    author: str
    time: datetime


def fields(output: bytes) -> Iterator[str]:
    """Split NUL-separated output; bytes that are no UTF-8 become U+FFFD, because what git says is stored and sent."""
    return iter(output.decode("utf-8", "replace").split("\0"))


def changes(names: Iterable[str]) -> Iterator[Change]:
    """Read pairs of status and name, or triples for a rename or copy, until an empty status or the end."""
    rest = iter(names)
    for status in rest:
        if not status:
            return
        path = next(rest)
        if status[0] == "R":
            yield Change(kind="renamed", path=next(rest), old=path)
        elif status[0] == "C":
            yield Change(kind="added", path=next(rest))
        else:
            yield Change(kind=_KINDS.get(status[0], "modified"), path=path)


def commits(output: bytes) -> Iterator[Commit]:
    """Read `log -z --name-status` with four fields a commit: hash, seconds, author, message.

    A commit that changed files has their names after its message, the first behind a newline. No field between two
    commits marks the end of the names, but a status is never a hash.
    """
    rest = list(fields(output))
    start = 0
    while start + 4 <= len(rest):
        sha, seconds, author, message = rest[start : start + 4]
        end = start + 4
        if end < len(rest) and rest[end].startswith("\n"):
            rest[end] = rest[end].removeprefix("\n")
            while end < len(rest) and _STATUS.fullmatch(rest[end]):
                end += 3 if rest[end][0] in "RC" else 2
        yield Commit(
            sha=sha,
            time=moment(seconds),
            author=author,
            message=message.strip(),
            changes=tuple(changes(rest[start + 4 : end])),
        )
        start = end


def blamed(output: bytes) -> Iterator[BlamedLine]:
    """Read `blame --line-porcelain`: a header line, `key value` lines, then the text behind a tab."""
    sha, number = "", 0
    values: dict[str, str] = {}
    for raw in output.split(b"\n"):
        line = raw.decode("utf-8", "replace")
        if line.startswith("\t"):
            yield BlamedLine(
                line=number,
                text=line[1:],
                sha=sha,
                author=values.get("author", ""),
                time=moment(values.get("committer-time", "")),
            )
            values = {}
        elif not values and line:
            sha, _, number_text = line.split(" ")[:3]
            number, values = int(number_text), {"sha": sha}
        else:
            key, _, value = line.partition(" ")
            values[key] = value


def moment(seconds: str) -> datetime:
    """Return the time of a commit; 1970 where its header names none, or none that a calendar has."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def names_today(newest_first: Iterable[Commit]) -> dict[str, str]:
    """Return old path to the path it has after all commits, over every rename among them."""
    now: dict[str, str] = {}
    for commit in newest_first:
        for change in commit.changes:
            if change.kind == "renamed":
                now.setdefault(change.old, now.get(change.path, change.path))
    return now
