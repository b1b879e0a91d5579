"""One analysis of a repository: read what changed, judge everything, rank."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from ...state.report import Finding, Report
from ..clock import Clock, SystemClock
from ..code_index.choice import role_of
from ..code_index.read import decode
from ..collector import collector_resting
from ..git import Git, names_today
from ..manifest import is_manifest, read_manifests
from ..progress import Progress, tell
from ..repository_kind import kind_of
from ..tree import Tree, walk
from .fingerprints import with_fingerprints
from .judges.table import JUDGES
from .known.cache import FactsCache
from .known.project import Project
from .known.refresh import Cancelled, Known, Refresh
from .ranking import ranked, without_moot
from .suppressions import FILE_NAME, Suppression, load_suppressions, without_suppressed


class Quality:
    """Analyses one repository; facts of unchanged files come from the cache in `home`.

    Args:
        repo: The repository's folder.
        home: Where the cache is kept and the file of suppressions lies; None keeps the cache in memory.
        git: The repository's history.
        clock: For the age of what people left in the code.
    """

    def __init__(self, repo: Path, home: Path | None, *, git: Git | None = None, clock: Clock | None = None) -> None:
        self._repo = repo = repo.resolve()
        self._git = git or Git(repo)
        self._clock = clock or SystemClock()
        self._suppressions = home / FILE_NAME if home else None
        self._cache = FactsCache(home / "quality.sqlite" if home else None)
        self._refresh = Refresh(repo, self._cache, self._git)

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def analyze(self, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Report:
        """Return what is wrong with the repository now, worst first.

        Args:
            progress: Told how far it has come; by default whoever listens (`tools.progress`).
            cancelled: Asked between files and between judges.

        Raises:
            Cancelled: `cancelled` said so; files read until then are not read again.
            ConfigError: The file of suppressions has a wrong entry.
        """
        told = progress or tell
        stop = cancelled or _never
        tree = walk(self._repo)
        known = self._refresh.known(tree, told, stop)
        project = self._project(tree, known)
        findings: list[Finding] = []
        with collector_resting():  # the facts stay as long as the judges do
            for number, (name, judge) in enumerate(JUDGES.items()):
                if stop():
                    raise Cancelled
                told(name, number, len(JUDGES))
                findings += judge(project)
            named = list(with_fingerprints(ranked(without_moot(findings))))
        renames = names_today(known.commits)
        heard = without_suppressed(named, self._suppressed(), self._clock.now().date(), renames)
        return Report(
            findings=tuple(heard),
            suppressed=len(named) - len(heard),
            hidden=frozenset(each.fingerprint for each in named) - {each.fingerprint for each in heard},
            repository_kind=project.kind,
            files=len(project.files),
            lines=sum(facts.lines for facts in project.of_role("source", "test")),
            folders=_folders(project),
            read_again=known.read_again,
            problems=(*known.problems, *project.manifest.problems),
            head=self._git.head(),
        )

    def _suppressed(self) -> tuple[Suppression, ...]:
        return load_suppressions(self._suppressions) if self._suppressions else ()

    def _project(self, tree: Tree, known: Known) -> Project:
        paths = [file.path for file in tree.files]
        own = [path for path in paths if is_manifest(path) and role_of(_beside(path), "python") == "source"]
        manifest = read_manifests(own, self._text)
        starts = any(
            "create_app" in {each.name for each in facts.python.defined}
            for facts in known.facts.values()
            if facts.python and facts.role == "source"
        )
        kind, why = kind_of(paths, manifest, starts)
        return Project(
            files=known.facts,
            kind=kind,
            why_kind=why,
            manifest=manifest,
            commits=known.commits,
            lint=known.lint,
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


def _never() -> bool:
    return False
