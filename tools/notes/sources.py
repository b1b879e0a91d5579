"""Notes bound to code: which lines a note speaks of, and whether they still say what they said."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from ...state.errors import InvalidNote, RepositoryError
from ...state.notes import Note, NoteSource, SourceCheck, SourceState
from ..git import Git
from .lines import changed_lines, digest, find_lines, span, split

MAX_BYTES = 5 * 2**20
"""Larger files are not compared."""
_WORST_LAST = (SourceState.FRESH, SourceState.MOVED, SourceState.UNVERIFIABLE, SourceState.STALE)


class Sources:
    """Binds notes to the files of one repository and checks them against it.

    Args:
        repo: The repository; nothing outside of it is read.
        git: Its history, for renames and for the size of a change; without it both are unknown.
    """

    def __init__(self, repo: Path, git: Git | None = None) -> None:
        self._repo = repo.resolve()
        self._git = git if git and git.available else None
        self._known: dict[NoteSource, tuple[tuple[int, int] | None, SourceCheck]] = {}

    def bind(self, path: str, lines: str = "") -> NoteSource:
        """Return the source for lines of a file as they are now.

        Args:
            path: Relative to the repository.
            lines: ``"12-40"``, ``"12"`` or ``""`` for the whole file.

        Raises:
            InvalidNote: There is no such file or line in the repository.
        """
        text = self._read(path)
        if text is None:
            raise InvalidNote(f"path is {path!r}: must be a text file of the repository, at most {MAX_BYTES >> 20} MiB")
        start, end = span(lines, len(text))
        if end > len(text):
            raise InvalidNote(f"lines is {lines!r}: {path} has {len(text)} lines")
        named = lines if not lines or start < end else str(start)
        return NoteSource(
            path=str(PurePosixPath(path)), lines=named, sha256=digest(text[start - 1 : end]), commit=self._head()
        )

    def bind_place(self, place: str) -> NoteSource:
        """Return the source of a place written as `path`, `path:12` or `path:12-40`, as its lines are now.

        Raises:
            InvalidNote: There is no such file or line in the repository.
        """
        path, colon, lines = place.rpartition(":")
        return self.bind(path, lines) if colon and lines[:1].isdigit() else self.bind(place)

    def check(self, source: NoteSource) -> SourceCheck:
        """Return whether the lines are as they were, moved, changed, or cannot be compared."""
        path = self._inside(source.path)
        stamp = _stamp(path)
        known = self._known.get(source)
        if known and stamp and known[0] == stamp:
            return known[1]
        found = self._compare(source)
        self._known[source] = (stamp, found)
        return found

    def _compare(self, source: NoteSource) -> SourceCheck:
        if not source.sha256:
            return _unverifiable(source, "no checksum was recorded")
        if self._inside(source.path) is None:
            return _unverifiable(source, "the path leads out of the repository")
        text = self._read(source.path)
        if text is None:
            return self._compare_moved(source)
        try:
            start, end = span(source.lines, len(text))
        except InvalidNote as error:
            return _unverifiable(source, str(error))
        if digest(text[start - 1 : end]) == source.sha256:
            return SourceCheck(
                source=source, state=SourceState.FRESH, path=source.path, lines=source.lines, changed_lines=0
            )
        if source.lines and (place := find_lines(text, source.sha256, end - start + 1, near=start)):
            return _moved(source, source.path, place, end - start + 1)
        changed = self._changed_lines(source, text)
        size = "an unknown number of" if changed is None else str(changed)
        return SourceCheck(
            source=source,
            state=SourceState.STALE,
            path=source.path,
            changed_lines=changed,
            reason=f"{size} lines changed since it was written",
        )

    def _compare_moved(self, source: NoteSource) -> SourceCheck:
        """Look for a file that is gone under the name git says it has now."""
        path = self._renamed(source)
        text = self._read(path) if path else None
        if path and text is not None:
            if not source.lines and digest(text) == source.sha256:
                return SourceCheck(
                    source=source, state=SourceState.MOVED, path=path, changed_lines=0, reason=f"the file is now {path}"
                )
            if source.lines:
                start, end = span(source.lines, 0)
                if place := find_lines(text, source.sha256, end - start + 1, near=start):
                    return _moved(source, path, place, end - start + 1)
        if self._exists(source.path):
            return _unverifiable(source, f"the file is no text, or larger than {MAX_BYTES >> 20} MiB")
        reason = f"the file is now {path} and was changed" if text is not None else "the file is gone"
        return SourceCheck(source=source, state=SourceState.STALE, path=path if text is not None else "", reason=reason)

    def _changed_lines(self, source: NoteSource, now: list[bytes]) -> int | None:
        """Return how many of the named lines were removed or added, by the text git kept; None where it has none."""
        if not (self._git and source.commit):
            return None
        try:
            text = self._git.show_file(source.commit, source.path)
        except RepositoryError:
            return None
        if text is None:
            return None
        old = split(text.encode("utf-8"))
        start, end = span(source.lines, len(old))
        if digest(old[start - 1 : end]) != source.sha256:  # written against lines that were never committed
            return None
        return changed_lines(old, now, start, end)

    def _renamed(self, source: NoteSource) -> str:
        if not self._git:
            return ""
        try:
            return self._git.renames(source.commit).get(source.path, "")
        except RepositoryError:
            return ""

    def _read(self, path: str) -> list[bytes] | None:
        """Return the lines of a text file of the repository, or None."""
        inside = self._inside(path)
        try:
            if inside is None or not inside.is_file() or inside.stat().st_size > MAX_BYTES:
                return None
            data = inside.read_bytes()
        except OSError:
            return None
        return None if b"\0" in data else split(data)

    def _inside(self, path: str) -> Path | None:
        """Return the real path, or None where it leads out of the repository or is none at all."""
        try:
            real = (self._repo / path).resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return real if real.is_relative_to(self._repo) and path and not PurePosixPath(path).is_absolute() else None

    def _exists(self, path: str) -> bool:
        inside = self._inside(path)
        return inside is not None and inside.exists()

    def _head(self) -> str:
        return self._git.head() if self._git else ""


def worst(checks: Sequence[SourceCheck]) -> SourceState:
    """Return the state of a note by its sources: as stale as the stalest; UNVERIFIABLE without any."""
    return max((check.state for check in checks), key=_WORST_LAST.index, default=SourceState.UNVERIFIABLE)


def rebound(note: Note, checks: Sequence[SourceCheck]) -> Note:
    """Return the note with moved sources named by their present place; what is stale stays as it was."""
    sources = tuple(
        replace(check.source, path=check.path, lines=check.lines) if check.state is SourceState.MOVED else check.source
        for check in checks
    )
    return replace(note, sources=sources)


def _stamp(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path else None
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size) if status else None


def _moved(source: NoteSource, path: str, start: int, count: int) -> SourceCheck:
    lines = f"{start}-{start + count - 1}" if count > 1 else str(start)
    where = f"{path}:{lines}" if path != source.path else f"lines {lines}"
    return SourceCheck(
        source=source,
        state=SourceState.MOVED,
        path=path,
        lines=lines,
        changed_lines=0,
        reason=f"the text is now at {where}",
    )


def _unverifiable(source: NoteSource, reason: str) -> SourceCheck:
    return SourceCheck(source=source, state=SourceState.UNVERIFIABLE, reason=reason)
