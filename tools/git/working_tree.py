"""Edits that are not committed, found without git's help: the repository's own filters and settings are not run."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..tree import walk

MOST_BYTES = 4 * 2**20
"""Of a file that is looked into; larger ones are data."""


def edited_since(repo: Path, committed: Mapping[str, str], moment_ns: int) -> list[str]:
    """Return the files that were written, made or deleted since a moment and are not as committed, in order of paths.

    A checkout writes files too; those that are as committed are no edits. Line ends do not count.

    Args:
        committed: The hash of each file at HEAD, by path.
        moment_ns: In nanoseconds since 1970, by the clock of the file system.
    """
    files = {file.path: file for file in walk(repo).files}
    fresh = [path for path, file in files.items() if file.mtime_ns > moment_ns and file.size <= MOST_BYTES]
    edited = {path for path in fresh if not _is_as_committed(repo / path, committed.get(path, ""))}
    return sorted({*edited, *_deleted(repo, committed.keys() - files.keys(), moment_ns)})


def _is_as_committed(path: Path, sha: str) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return True  # gone again meanwhile
    return sha in (_hash(data, len(sha)), _hash(data.replace(b"\r\n", b"\n"), len(sha)))


def _hash(data: bytes, digits: int) -> str:
    """Return the name git gives a file's content, by SHA-256 where names are that long."""
    algorithm = hashlib.sha256 if digits == 64 else hashlib.sha1
    return algorithm(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _deleted(repo: Path, missing: set[str], moment_ns: int) -> Iterator[str]:
    """Yield files that are not there any more, where their folder, or what is left above it, changed since."""
    for path in missing:
        place = repo / path
        if place.is_symlink() or place.exists():
            continue  # tracked though ignored, or no regular file
        above = next((each for each in place.parents if each.is_dir()), repo)
        if above.stat().st_mtime_ns > moment_ns:
            yield path
