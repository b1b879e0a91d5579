"""What bash does between words and arguments: braces, `~`, globs; confined to the workspace and bounded.

A name that leads out of the workspace, or is neither file nor directory, is passed over as if it were not there. A
name that starts with a dash gets `./` in front, so that a file can never be taken for an option.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...state.errors import CommandRefused
from .braces import braces
from .patterns import compiled, matches
from .words import Word
from .workspace import Workspace

MOST_NAMES = 4096
MOST_VISITED = 100_000


@dataclass(slots=True)
class Expander:
    """Turns words into arguments, in one directory."""

    workspace: Workspace
    cwd: str
    passed_over: list[str] = field(default_factory=list)
    """Names that matched and were left out, as they would have been written."""
    visited: int = 0

    def arguments(self, word: Word) -> list[str]:
        """Return the arguments a word stands for: itself when it is no pattern or nothing matches.

        Raises:
            CommandRefused: It would expand to too much, or to another user's home.
        """
        found: list[str] = []
        for each in braces(word):
            each = self._tilde(each)
            found += self._globbed(each) if each.bare("*?[") else [each.text]
        return found

    def single(self, word: Word) -> str:
        """Return the one argument a word stands for, for places that take just one.

        Raises:
            CommandRefused: It stands for several.
        """
        arguments = self.arguments(word)
        if len(arguments) != 1:
            raise CommandRefused(f"{word.text!r} stands for {len(arguments)} names where one is needed; write the name")
        return arguments[0]

    def _tilde(self, word: Word) -> Word:
        if not word.text.startswith("~") or word.quoted[0]:
            return word
        end = word.text.find("/")
        user = word.part(1, None if end < 0 else end)
        if any(user.quoted):
            return word
        if user.text:
            raise CommandRefused(f"'~{user.text}': home directories are outside the workspace; '~' is the workspace")
        home = self.workspace.root
        return Word(home, (True,) * len(home)) + (word.part(end) if end > 0 else Word())

    def _globbed(self, word: Word) -> list[str]:
        absolute = word.text.startswith("/")
        segments = [segment for segment in _split(word) if segment.text or segment is None]
        folders_only = word.text.endswith("/")
        prefixes = ["/" if absolute else ""]
        for place, segment in enumerate(segments):
            last = place == len(segments) - 1
            following = [
                path for prefix in prefixes for path in self._step(prefix, segment, folder=folders_only or not last)
            ]
            prefixes = [path if last and not folders_only else path + "/" for path in following]
            if len(prefixes) > MOST_NAMES:
                raise CommandRefused(f"{word.text!r} matches more than {MOST_NAMES} names; use a narrower pattern")
        kept = sorted(path for path in prefixes if self._keeps(path))
        return ["./" + path if path.startswith("-") else path for path in kept] or [word.text]

    def _step(self, prefix: str, segment: Word, *, folder: bool) -> Iterator[str]:
        """Yield the paths that one segment of a pattern leads to from a directory."""
        if not segment.bare("*?["):
            path = prefix + segment.text
            if os.path.isdir(self._full(path)) if folder else os.path.lexists(self._full(path)):
                yield path
            return
        here = self._full(prefix or ".")
        if not self.workspace.contains(os.path.realpath(here)):
            return
        pattern = compiled(segment)
        for entry in self._entries(here):
            if entry.name.startswith(".") and not segment.text.startswith("."):
                continue
            if matches(pattern, entry.name) and (not folder or os.path.isdir(os.path.join(here, entry.name))):
                yield prefix + entry.name

    def _entries(self, path: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    self.visited += 1
                    if self.visited > MOST_VISITED:
                        raise CommandRefused(f"the pattern looks at more than {MOST_VISITED} names; use find instead")
                    yield entry
        except OSError:
            return

    def _full(self, path: str) -> str:
        return os.path.join(self.cwd, path)

    def _keeps(self, path: str) -> bool:
        real = os.path.realpath(self._full(path))
        kept = self.workspace.contains(real) and _plain(real)
        if not kept:
            self.passed_over.append(path)
        return kept


def _plain(real: str) -> bool:
    try:
        mode = os.lstat(real).st_mode
    except OSError:
        return True  # a dangling link inside: the program says so
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _split(word: Word) -> list[Word]:
    """Return the parts of a path pattern between slashes."""
    parts, start = [], 0
    for place, character in enumerate(word.text + "/"):
        if character == "/":
            parts.append(word.part(start, place))
            start = place + 1
    return parts
