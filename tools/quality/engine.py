"""One analysis of a repository: read what changed, judge everything, rank."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

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
from .judges.bugs.blocking import blocking
from .judges.bugs.doors import doors
from .judges.bugs.owners import owners
from .judges.bugs.promises import promises
from .judges.bugs.queries import queries_in_loops
from .judges.bugs.risks import risks
from .judges.bugs.secrets import secrets
from .judges.dead.branches import dead_branches
from .judges.dead.code import dead_code
from .judges.dead.constants import dead_constants
from .judges.dead.elsewhere import dead_elsewhere
from .judges.dead.left_behind import left_behind
from .judges.dead.modules import dead_modules
from .judges.dead.pages import dead_pages
from .judges.dead.parts import dead_parts
from .judges.dead.settings import dead_settings
from .judges.dead.statements import dead_statements
from .judges.dead.states import dead_states
from .judges.dependencies.ended import ended
from .judges.dependencies.holes import holes
from .judges.dependencies.node import node_dependencies
from .judges.dependencies.outdated import outdated
from .judges.dependencies.python import dependencies
from .judges.design.circles import import_cycles
from .judges.design.clocks import clocks
from .judges.design.complexity import complexity
from .judges.design.duplicates import duplicates
from .judges.design.history import bus_factor, hot_spots
from .judges.design.layering import layering
from .judges.design.passed_over import passed_over
from .judges.design.stated_layering import stated_layering
from .judges.design.todos import todos
from .judges.documents.stale import stale_docs
from .judges.lint.lint import lint, syntax_errors
from .judges.untested.missing_tests import missing_tests
from .known.cache import FactsCache
from .known.project import Judge, Project
from .known.refresh import Cancelled, Known, Refresh
from .ranking import ranked, without_moot
from .suppressions import FILE_NAME, Suppression, load_suppressions, without_suppressed

JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "secrets": secrets,
        "lint": lint,
        "risks": risks,
        "owners": owners,
        "blocking": blocking,
        "doors": doors,
        "promises": promises,
        "clocks": clocks,
        "syntax errors": syntax_errors,
        "complexity": complexity,
        "duplicates": duplicates,
        "queries in loops": queries_in_loops,
        "import cycles": import_cycles,
        "layering": layering,
        "stated layering": stated_layering,
        "passed over": passed_over,
        "missing tests": missing_tests,
        "dead code": dead_code,
        "dead statements": dead_statements,
        "dead constants": dead_constants,
        "dead branches": dead_branches,
        "dead states": dead_states,
        "dead settings": dead_settings,
        "dead modules": dead_modules,
        "dead pages": dead_pages,
        "dead parts": dead_parts,
        "left behind": left_behind,
        "dead code elsewhere": dead_elsewhere,
        "dependencies": dependencies,
        "dependencies of scripts": node_dependencies,
        "outdated dependencies": outdated,
        "ended versions": ended,
        "known holes": holes,
        "stale documents": stale_docs,
        "hot spots": hot_spots,
        "bus factor": bus_factor,
        "todos": todos,
    }
)
"""Name to judge: a new kind of problem is one module and one line here."""


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
