"""`maintainer steps`: the plan step by step: look, start, check, keep what came out; change it with a reason."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from .notes_home import open_notes
from .options import Home, Json, Repo, console, print_json
from .session_home import tell

if TYPE_CHECKING:
    from ...state.session import Language
    from ...tools.plan.assistant import RefactoringAssistant
    from ...tools.plan.replan import Replanned
    from ...tools.plan.verdict import TestRun

UNPROVEN = 2
"""Exit code of a check that does not show the step to be done."""
StepName = Annotated[str, typer.Argument(help="Number in the plan, id, or the end of the id.", metavar="STEP")]
After = Annotated[
    list[str] | None, typer.Option("--after", help="A step that comes first; may be given several times.")
]
Reason = Annotated[str, typer.Option("--reason", help="Why; kept with the plan as it was.")]
Spoken = Annotated[str, typer.Option("--language", help="en or zh.")]


def register(app: typer.Typer) -> None:
    """Add the group `steps`."""
    purpose = "The plan step by step: show, start, verify, reopen, replan; alone it lists the steps."
    group = typer.Typer(name="steps", help=purpose)

    @group.callback(invoke_without_command=True)
    def listed(
        context: typer.Context, language: Spoken = "en", repo: Repo = Path(), home: Home = None, as_json: Json = False
    ) -> None:
        if context.invoked_subcommand is None:
            list_(language=language, repo=repo, home=home, as_json=as_json)

    for command in (list_, show, add, order, start, verify, reopen, drop, replan):
        group.command(command.__name__.rstrip("_"))(command)
    app.add_typer(group)


def list_(language: Spoken = "en", repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """List the open steps in the order they can be done in, and what can start now."""
    from ...tools.first_look.plan import told
    from ...tools.notes.commands import as_data
    from ...tools.plan.book import PlanBook

    with open_notes(repo, home) as notes:
        plan = PlanBook(notes).plan()
    tell(as_json, [as_data(step) for step in plan.steps], told(plan, _language(language)))


def show(
    step: StepName, language: Spoken = "en", repo: Repo = Path(), home: Home = None, as_json: Json = False
) -> None:
    """Show a step: why, what is still found with its lines, when it is done, and how to check that."""
    from ...tools.notes.commands import as_data
    from ...tools.plan.view import told

    with _assistant(repo, home) as assistant:
        view = assistant.show(step)
    plain = {
        "step": as_data(view.step),
        "content": view.note.content,
        "still_found": [as_data(finding) for finding in view.left],
        "waits_for": [each.id for each in view.waits_for],
    }
    tell(as_json, plain, told(view, step, _language(language)))


def add(
    title: Annotated[str, typer.Argument(help="What to do, in one line.")],
    done_when: Annotated[str, typer.Option("--done-when", help="What has to hold for it to be done.")] = "",
    estimate: Annotated[str, typer.Option("--estimate", help="As people write it: 2h, half a day.")] = "",
    after: After = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Add a step to the plan."""
    from ...tools.notes.commands import as_data
    from ...tools.plan.book import PlanBook

    with open_notes(repo, home) as notes:
        made = PlanBook(notes).add(title, acceptance=done_when, estimate=estimate, after=after or ())
    tell(as_json, as_data(made), f"added {made.id}")


def order(step: StepName, after: After = None, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Let a step wait for others, and only for them; a circle is refused."""
    from ...tools.notes.commands import as_data
    from ...tools.plan.book import PlanBook

    with open_notes(repo, home) as notes:
        moved = PlanBook(notes).order(step, after or ())
    waits = ", ".join(moved.depends_on) or "nothing"
    tell(as_json, as_data(moved), f"{moved.id} waits for {waits}")


def start(step: StepName, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Mark a step as in progress."""
    from ...tools.notes.commands import as_data
    from ...tools.plan.book import PlanBook

    with open_notes(repo, home) as notes:
        begun = PlanBook(notes).start(step)
    tell(as_json, as_data(begun), f"{begun.id} is in progress")


def verify(
    step: StepName,
    tests: Annotated[str, typer.Option("--tests", help="passed or failed: how the tests went when you ran them.")] = "",
    said: Annotated[str, typer.Option("--said", help="With --tests: what was run, or the runner's last line.")] = "",
    run: Annotated[
        str,
        typer.Option("--run", help="Run this test command in the repository, after you say yes.", metavar="COMMAND"),
    ] = "",
    language: Spoken = "en",
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Check whether a step is done, and keep the outcome: its finding is looked for again, the tests are yours to run.

    With both it is ticked off; if either speaks against it, it is opened again. Exit code 2 where it is not done.
    """
    from ...tools.notes.commands import as_data
    from ...tools.plan.verdict import headline, told

    spoken = _language(language)
    with _assistant(repo, home) as assistant:
        seen = assistant.run_tests(run, _agree) if run else _seen(tests, said)
        verdict = assistant.verify(step, seen)
        note = assistant.record(verdict, spoken)
    if as_json:
        print_json({"outcome": verdict.outcome, "note": note.id, "verdict": as_data(verdict)})
    else:
        console().print(f"{headline(verdict, spoken)}\n\n{told(verdict, spoken)}\n\n{note.id}", markup=False)
        if verdict.tests is None:
            how = f"run the tests, then: maintainer steps verify {step} --tests passed"
            console(stderr=True).print(how, style="yellow", markup=False)
    if verdict.outcome != "done":
        raise typer.Exit(UNPROVEN)


def reopen(step: StepName, reason: Reason = "", repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Open a closed step again, with a reason."""
    from ...tools.notes.commands import as_data
    from ...tools.plan.book import PlanBook

    with open_notes(repo, home) as notes:
        opened = PlanBook(notes).reopen(step, reason)
    tell(as_json, as_data(opened), f"{opened.id} is open again")


def drop(
    steps: Annotated[list[str], typer.Argument(help="Numbers, ids, or ends of ids.", metavar="STEP...")],
    reason: Reason = "",
    language: Spoken = "en",
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Take steps out of the plan, with a reason; their notes stay readable."""
    from ...tools.plan.book import PlanBook

    with open_notes(repo, home) as notes:
        _tell_change(PlanBook(notes).drop(steps, reason, _language(language)), as_json)


def replan(
    reason: Reason = "",
    about: Annotated[
        str,
        typer.Option("--about", help="What the new plan is about: a path, a symbol, a topic; by default the worst."),
    ] = "",
    language: Spoken = "en",
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Plan anew from the findings of now, with a reason: the old open steps made from findings are superseded."""
    with _assistant(repo, home) as assistant:
        findings = assistant.analyze().findings
        _tell_change(assistant.book.replan(findings, reason, about, _language(language)), as_json)


@contextmanager
def _assistant(repo: Path, home: Path | None) -> "Iterator[RefactoringAssistant]":
    from ...tools.home import open_home, open_repository
    from ...tools.plan.assistant import open_assistant

    folder = open_repository(repo)
    with open_assistant(folder, open_home(folder, home)) as assistant:
        yield assistant


def _seen(tests: str, said: str) -> "TestRun | None":
    from ...state.errors import ConfigError
    from ...tools.plan.verdict import TestRun

    if not tests and not said:
        return None
    if tests not in ("passed", "failed"):
        raise ConfigError("--tests", tests, "must be passed or failed")
    return TestRun(passed=tests == "passed", output=said)


def _agree(command: str, risk: str) -> bool:
    console(stderr=True).print(f"to be run in the repository: {command}\n  risk: {risk}", style="yellow", markup=False)
    return typer.confirm("Run it?", err=True)


def _tell_change(change: "Replanned", as_json: bool) -> None:
    from ...tools.notes.commands import as_data

    plain = {
        "record": change.record.id,
        "dropped": [step.id for step in change.dropped],
        "added": [as_data(note) for note in change.added],
    }
    counted = f"{len(change.dropped)} steps superseded, {len(change.added)} added"
    tell(as_json, plain, f"{counted}; why, and what was before: {change.record.id}")


def _language(given: str) -> "Language":
    from ...state.errors import ConfigError

    if given not in ("en", "zh"):
        raise ConfigError("--language", given, "must be en or zh")
    return cast("Language", given)
