"""One analysis of a repository: read what changed, judge everything, rank."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from ...state.errors import MaintainerError, RepositoryError
from ...state.report import Finding, Report
from ..clock import Clock, SystemClock
from ..code_index.choice import choose, role_of
from ..code_index.read import decode
from ..git import Commit, Git
from ..manifest import is_manifest, read_manifests
from ..repository_kind import kind_of
from ..tree import Tree, TreeFile, walk
from . import ruff
from .cache import FactsCache
from .facts import FileFacts
from .fingerprints import with_fingerprints
from .judges.complexity import complexity
from .judges.dead_code import dead_code
from .judges.dead_elsewhere import dead_elsewhere
from .judges.dependencies import dependencies
from .judges.duplicates import duplicates
from .judges.history import bus_factor, hot_spots
from .judges.imports import import_cycles, layering
from .judges.left_behind import left_behind
from .judges.lint import lint, syntax_errors
from .judges.missing_tests import missing_tests
from .judges.node_dependencies import node_dependencies
from .judges.outdated import outdated
from .judges.queries import queries_in_loops
from .judges.secrets import secrets
from .judges.stale_docs import stale_docs
from .judges.todos import todos
from .project import Judge, Project
from .ranking import ranked, without_moot
from .reading import read_facts
from .suppressions import FILE_NAME, Suppression, load_suppressions, without_suppressed

JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "secrets": secrets,
        "lint": lint,
        "syntax errors": syntax_errors,
        "complexity": complexity,
        "duplicates": duplicates,
        "queries in loops": queries_in_loops,
        "import cycles": import_cycles,
        "layering": layering,
        "missing tests": missing_tests,
        "dead code": dead_code,
        "left behind": left_behind,
        "dead code elsewhere": dead_elsewhere,
        "dependencies": dependencies,
        "dependencies of scripts": node_dependencies,
        "outdated dependencies": outdated,
        "stale documents": stale_docs,
        "hot spots": hot_spots,
        "bus factor": bus_factor,
        "todos": todos,
    }
)
"""Name to judge: a new kind of problem is one module and one line here."""

Progress = Callable[[str, int, int], None]
"""Is told what is being done, how much of it, and of how much."""

MOST_COMMITS = 1_000
_BATCH = 200


class Cancelled(MaintainerError):
    """The analysis was stopped by its caller; what was read is kept."""


@dataclass(frozen=True, slots=True)
class _ReadFiles:
    facts: dict[str, FileFacts]
    hashes: dict[str, str]
    read_again: int
    problems: tuple[str, ...]


class Quality:
    """Analyses one repository; facts of unchanged files come from the cache in `home`.

    Args:
        repo: The repository's folder.
        home: Where the cache is kept and the file of suppressions lies; None keeps the cache in memory.
        git: The repository's history.
        clock: For the age of what people left in the code.
    """

    def __init__(self, repo: Path, home: Path | None, *, git: Git | None = None, clock: Clock | None = None) -> None:
        self._repo = repo
        self._git = git or Git(repo)
        self._clock = clock or SystemClock()
        self._suppressions = home / FILE_NAME if home else None
        self._cache = FactsCache(home / "quality.sqlite" if home else None)

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def analyze(self, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Report:
        """Return what is wrong with the repository now, worst first.

        Raises:
            Cancelled: `cancelled` said so; files read until then are not read again.
            ConfigError: The file of suppressions has a wrong entry.
        """
        told = progress or _silent
        stop = cancelled or _never
        tree = walk(self._repo)
        read = self._read(tree, told, stop)
        with ThreadPoolExecutor(max_workers=2) as others:  # both wait for other programs
            log = others.submit(self._log)
            linted = others.submit(self._lint, read, stop)
            commits, log_problem = log.result()
            said, lint_problem = linted.result()
        project = self._project(tree, read, commits, said)
        findings: list[Finding] = []
        problems = [*read.problems, *project.manifest.problems, *filter(None, (log_problem, lint_problem))]
        for number, (name, judge) in enumerate(JUDGES.items()):
            if stop():
                raise Cancelled("the analysis was cancelled: start it again to go on where it stopped")
            told(name, number, len(JUDGES))
            findings += judge(project)
        named = list(with_fingerprints(ranked(without_moot(findings))))
        heard = without_suppressed(named, self._suppressed(), self._clock.now().date())
        return Report(
            findings=tuple(heard),
            suppressed=len(named) - len(heard),
            hidden=frozenset(each.fingerprint for each in named) - {each.fingerprint for each in heard},
            repository_kind=project.kind,
            files=len(project.files),
            lines=sum(facts.lines for facts in project.of_role("source", "test")),
            folders=_folders(project),
            read_again=read.read_again,
            problems=tuple(problems),
            head=self._git.head(),
        )

    def _suppressed(self) -> tuple[Suppression, ...]:
        return load_suppressions(self._suppressions) if self._suppressions else ()

    def _read(self, tree: Tree, told: Progress, stop: Callable[[], bool]) -> _ReadFiles:
        """Return the facts of all files; only those whose size or time changed are opened."""
        chosen, skipped = choose(tree.files)
        known = self._cache.stamps()
        fresh = [file for file in chosen if known.get(file.path, ())[:2] != (file.size, file.mtime_ns)]
        hashes = {file.path: known[file.path][2] for file in chosen if file.path in known}
        read_again, moved = 0, []
        batch: list[tuple[TreeFile, str, FileFacts]] = []
        problems = [f"{each.path}: {each.reason}" for each in skipped if each.reason.startswith(("larger", "name"))]
        problems += [f"{folder}: folder is not readable" for folder in tree.unreadable]
        for number, file in enumerate(fresh):
            if stop():
                self._cache.store(batch, ())
                raise Cancelled("the analysis was cancelled: start it again to go on where it stopped")
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
            read_again += 1
            if len(batch) == _BATCH:
                self._cache.store(batch, ())
                batch = []
        paths = {file.path for file in chosen}
        self._cache.store(batch, known.keys() - paths)
        self._cache.touch(moved)
        facts = self._cache.load(paths)
        ordered = {path: facts[path] for path in sorted(facts)}
        return _ReadFiles(ordered, hashes, read_again, tuple(problems))

    def _log(self) -> tuple[list[Commit], str]:
        """Return the newest commits, and what went wrong."""
        if not self._git.available:
            return [], ""
        try:
            return self._git.log(limit=MOST_COMMITS), ""
        except RepositoryError as error:
            return [], str(error)

    def _lint(self, read: _ReadFiles, stop: Callable[[], bool]) -> tuple[ruff.Said, str]:
        """Return what the linter says of every Python file; only changed files are read again."""
        known = self._cache.lint(ruff.version())
        python = [path for path, facts in read.facts.items() if facts.language == "python"]
        fresh = [path for path in python if known.get(path, ("",))[0] != read.hashes[path]]
        said, problem = ruff.lint(self._repo, fresh, stop) if fresh else ({}, "")
        self._cache.store_lint(ruff.version(), {path: (read.hashes[path], items) for path, items in said.items()})
        return {
            path: said[path] if path in said else known[path][1] for path in python if path in said or path in known
        }, problem

    def _project(self, tree: Tree, read: _ReadFiles, commits: Sequence[Commit], said: ruff.Said) -> Project:
        paths = [file.path for file in tree.files]
        own = [path for path in paths if is_manifest(path) and role_of(_beside(path), "python") == "source"]
        manifest = read_manifests(own, self._text)
        starts = any(
            "create_app" in {each.name for each in facts.python.defined}
            for facts in read.facts.values()
            if facts.python and facts.role == "source"
        )
        kind, why = kind_of(paths, manifest, starts)
        return Project(
            files=read.facts,
            kind=kind,
            why_kind=why,
            manifest=manifest,
            commits=commits,
            lint=said,
            text_of=lru_cache(maxsize=256)(self._text),  # judges look at one file after another
            paths=frozenset(paths),
            ages=self._age,
            today=self._clock.now().date(),
        )

    def _text(self, path: str) -> str:
        try:
            return decode((self._repo / path).read_bytes()) or ""
        except OSError:
            return ""

    def _age(self, path: str, line: int) -> float | None:
        """Return the age of a line in days, where the file is as committed."""
        blamed = self._git.blame(path, (line, line)) if self._git.available else []
        if not blamed or blamed[0].text.strip() != self._text(path).split("\n")[line - 1].strip():
            return None
        return (self._clock.now() - blamed[0].time).total_seconds() / 86_400


def _folders(project: Project) -> dict[str, int]:
    """Return the lines of source by folder."""
    sizes: Counter[str] = Counter()
    for facts in project.of_role("source"):
        sizes[facts.path.rpartition("/")[0] or "."] += facts.lines
    return dict(sizes)


def _beside(path: str) -> str:
    return str(Path(path).parent / "x.py")


def _silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


def _never() -> bool:
    return False
