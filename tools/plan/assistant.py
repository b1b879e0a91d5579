"""The refactoring assistant: one step with its evidence, whether it is done, and a note of what came out.

Nothing of the repository is ever run, except a test command that a person has said yes to.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from ...state.errors import CommandRefused
from ...state.notes import Note, Relation
from ...state.report import Finding, Report
from ...state.session import Language
from ..clock import Clock, SystemClock
from ..git import Git
from ..notes import NoteTool
from ..quality.engine import Quality
from ..secrets import mask
from ..terminal import TerminalTool
from .book import PlanBook
from .kept import close, reopen
from .steps import Step
from .ticks import is_committed, moved_away
from .verdict import TestRun, Verdict, headline, judge, tail, told

TESTS_TIMEOUT_S = 900.0
Agree = Callable[[str, str], bool]
"""Is shown a command line and what it could do; returns whether a person wants it to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step with what is needed to do it."""

    step: Step
    note: Note
    left: tuple[Finding, ...]
    """Its findings that are still there, with their lines."""
    waits_for: tuple[Step, ...]


class RefactoringAssistant:
    """Goes through a plan step by step.

    Args:
        repo: The repository's folder.
        notes: Where the steps are kept.
        quality: Finds out what is still wrong.
        git: The repository's history.
        audit: File the test commands are written down in; None for none.
        clock: Dates them.
    """

    def __init__(
        self,
        repo: Path,
        notes: NoteTool,
        quality: Quality,
        git: Git,
        *,
        audit: Path | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.book = PlanBook(notes)
        self._repo, self._notes, self._quality, self._git = repo, notes, quality, git
        self._audit, self._clock = audit, clock or SystemClock()

    def analyze(self) -> Report:
        """Return what is wrong with the repository now."""
        return self._quality.analyze()

    def show(self, named: str) -> StepView:
        """Return a step with its acceptance check and the evidence that is still there.

        Raises:
            UnknownNote: See `step`.
        """
        step, plan = self.book.step(named), self.book.plan()
        found = self._quality.analyze().findings if step.findings else ()
        return StepView(
            step=step,
            note=self._notes.read(step.id),
            left=tuple(each for each in found if each.fingerprint in step.findings),
            waits_for=tuple(each for each in plan.steps if each.id in step.waits_for),
        )

    def run_tests(self, command: str, agree: Agree) -> TestRun:
        """Run a test command in the repository if a person agrees, and return what came of it.

        Raises:
            CommandRefused: The person said no, or the line is one the terminal never runs.
        """
        with TerminalTool(
            self._repo,
            TESTS_TIMEOUT_S,
            approvals=True,
            audit=self._audit,
            session="steps",
            clock=self._clock,
        ) as terminal:
            proposal = terminal.propose(command)
            if not agree(command, proposal.risk if proposal else "is on the list of commands that only read"):
                raise CommandRefused(
                    f"{command!r} was not run: nobody agreed; run the tests yourself and say how it went"
                )
            if proposal is not None:
                terminal.decide(command, "once")
            result = terminal.run(command)
        if result.refused:
            raise CommandRefused(f"{command!r} was not run: {result.reason}")
        return TestRun(
            passed=result.exit_code == 0 and not result.reason, command=command, output=tail(result.output), here=True
        )

    def verify(self, named: str, tests: TestRun | None = None) -> Verdict:
        """Return whether a step is done: its findings are looked for again; how the tests went is for others to say.

        Raises:
            UnknownNote: See `step`.
        """
        step = self.book.step(named)
        report = self._quality.analyze()
        in_git = self._git.available and bool(self._git.head())
        return judge(
            step,
            report,
            tests,
            renames=moved_away(self._repo, self._git),
            uncommitted=[path for path in step.paths if in_git and not is_committed(self._repo, self._git, path)],
            head=self._git.head(),
        )

    def record(self, verdict: Verdict, language: Language = "en") -> Note:
        """Keep a verdict as a note with its evidence; tick the step off, or open it again; return the note.

        A step has one such note: a later verdict is its next version. A step that is not proven stays as it is.
        """
        step = self._notes.read(verdict.step.id)
        title, evidence = headline(verdict, language)[:400], mask(told(verdict, language))
        digits = uuid5(NAMESPACE_OID, f"verdict\n{step.id}").hex[:8]
        links = {str(Relation.RESOLVES): [step.id]}
        name = f"note_{step.created_at:%Y%m%d_%H%M%S}_{digits}"
        kept = self._notes.create(title, evidence, "conclusion", links=links, note_id=name)
        if (kept.title, kept.content) != (title, evidence):
            kept = self._notes.update(kept.id, title=title, content=evidence)
        if verdict.outcome == "done" and not verdict.step.done:
            close(self._notes, step.id, f"{title} ({kept.id})")
        elif verdict.outcome == "open" and verdict.step.done:
            reopen(self._notes, step.id, f"{title} ({kept.id})")
        return kept


@contextmanager
def open_assistant(repo: Path, home: Path, *, clock: Clock | None = None) -> Iterator[RefactoringAssistant]:
    """Open the plan of a repository for work on its steps, and close what that needs at the end.

    Args:
        repo: The repository's folder.
        home: The folder of our files.
        clock: Dates what is written; by default the machine's.
    """
    git = Git(repo)
    with (
        NoteTool(home / "notes", clock=clock, embedder=None) as notes,
        closing(Quality(repo, home, git=git, clock=clock)) as quality,
    ):
        yield RefactoringAssistant(repo, notes, quality, git, audit=home / "audit.jsonl", clock=clock)
