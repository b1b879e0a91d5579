"""What is known of every file, brought up to date: only what changed is opened, and the linter reads it meanwhile."""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from ....state.errors import MaintainerError, RepositoryError
from ...code_index.choice import choose
from ...code_index.languages import language_of
from ...code_index.read import decode
from ...git import Commit, Git
from ...progress import Progress
from ...tree import Tree, TreeFile
from ..facts.file import FileFacts
from ..reading import ruff
from ..reading.file import read_facts
from .cache import FactsCache

MOST_COMMITS = 1_000
_BATCH = 200
_TOLD_EVERY = 50
"""Files between two words about progress."""


class Cancelled(MaintainerError):
    """The analysis was stopped by its caller; what was read is kept."""

    def __init__(self) -> None:
        super().__init__("the analysis was cancelled: start it again to go on where it stopped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a repository now."""

    facts: dict[str, FileFacts]
    lint: ruff.Said
    commits: Sequence[Commit]
    read_again: int
    problems: tuple[str, ...]


class Refresh:
    """Brings the facts of one repository up to date."""

    def __init__(self, repo: Path, cache: FactsCache, git: Git) -> None:
        self._repo, self._cache, self._git = repo, cache, git

    def known(self, tree: Tree, told: Progress, stop: Callable[[], bool]) -> Known:
        """Return what is known of the files of a tree.

        Git and the linter are other programs: they run while the changed files are read here.

        Raises:
            Cancelled: `stop` said so; what was read until then is kept.
        """
        chosen, skipped = choose(tree.files)
        stamps = self._cache.stamps()
        fresh = [file for file in chosen if stamps.get(file.path, ())[:2] != (file.size, file.mtime_ns)]
        hashes = {file.path: stamps[file.path][2] for file in chosen if file.path in stamps}
        unread = {file.path for file in fresh}
        linted = self._cache.lint(ruff.version())
        python = [file.path for file in chosen if language_of(file.path) == "python"]
        wanted = [path for path in python if path in unread or linted.get(path, ("",))[0] != hashes[path]]
        problems = [f"{each.path}: {each.reason}" for each in skipped if each.reason.startswith(("larger", "name"))]
        problems += [f"{folder}: folder is not readable" for folder in tree.unreadable]
        with ThreadPoolExecutor(max_workers=2) as others:
            log = others.submit(self._log)
            ended = Event()
            lint = others.submit(ruff.lint, self._repo, wanted, ended.is_set) if wanted else None
            try:
                read_again = self._read(fresh, hashes, problems, told, stop)
            except BaseException:  # Ctrl-C too: the linter is not waited for
                ended.set()
                raise
            said, lint_problem = lint.result() if lint else ({}, "")
            commits, log_problem = log.result()
        self._cache.forget(stamps.keys() - {file.path for file in chosen})
        self._cache.store_lint(ruff.version(), {path: (hashes.get(path, ""), items) for path, items in said.items()})
        before = {path: items for path, (_, items) in linted.items()}
        facts = self._cache.load({file.path for file in chosen})
        problems += [*_aside(facts), *filter(None, (log_problem, lint_problem))]
        return Known(
            facts={path: facts[path] for path in sorted(facts)},
            lint={path: items for path in python if (items := said.get(path, before.get(path))) is not None},
            commits=commits,
            read_again=read_again,
            problems=tuple(problems),
        )

    def _read(
        self,
        fresh: Sequence[TreeFile],
        hashes: dict[str, str],
        problems: list[str],
        told: Progress,
        stop: Callable[[], bool],
    ) -> int:
        """Open the files that may have changed and keep their facts; return how many had; complete `hashes`."""
        batch: list[tuple[TreeFile, str, FileFacts]] = []
        moved: list[TreeFile] = []
        count = 0
        try:
            for number, file in enumerate(fresh):
                if stop():
                    raise Cancelled
                if number % _TOLD_EVERY == 0:
                    told("read", number, len(fresh))
                try:
                    data = (self._repo / file.path).read_bytes()
                except OSError as error:
                    problems.append(f"{file.path}: {error.strerror}")
                    continue
                sha = hashlib.sha256(data).hexdigest()
                if sha == hashes.get(file.path):
                    moved.append(file)
                    continue
                hashes[file.path] = sha
                batch.append((file, sha, read_facts(file.path, decode(data) or "")))
                count += 1
                if len(batch) == _BATCH:
                    self._cache.store(batch)
                    batch = []
        finally:  # also when Ctrl-C ends it: what was read is not read again
            self._cache.store(batch)
            self._cache.touch(moved)
        return count

    def _log(self) -> tuple[list[Commit], str]:
        """Return the newest commits, and what went wrong."""
        if not self._git.available:
            return [], ""
        try:
            return self._git.log(limit=MOST_COMMITS), ""
        except RepositoryError as error:
            return [], str(error)


def _aside(facts: dict[str, FileFacts]) -> list[str]:
    """Return a sentence about files whose structure nobody wrote, and about notebooks, whose code is not judged."""
    told = []
    for why in ("generated", "minified"):
        found = sorted(path for path, each in facts.items() if each.generated == why)
        if found:
            named = ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
            told.append(f"{why} code is read for names and keys only: {named}")
    notebooks = [path for path in facts if path.endswith(".ipynb")]
    if notebooks:
        told.append(f"code in notebooks is read for names and keys only ({len(notebooks)} files)")
    return told
