"""`maintainer explore|analyze|plan|auto REQUEST` and `maintainer resume`: the main job."""

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from ...state.modes import MODES, Mode
from ...state.session import Language
from .options import Home, Json, Repo, console, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...state.answer import Answer, Event

SessionName = Annotated[
    str | None, typer.Option("--session", help="Readable name of the session; by default the last.")
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", help="provider:name, for example openai:gpt-4.1; 'none' for evidence only."),
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", help="Of an OpenAI-compatible endpoint.")]
Budget = Annotated[int | None, typer.Option("--budget", help="Ceiling of every model request, in tokens.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]

UNFINISHED = 3
"""Exit code of a turn that stopped before its end and can be resumed."""


def register(app: typer.Typer) -> None:
    """Add one command for each mode, and `resume`."""
    for mode, row in MODES.items():
        app.command(mode, help=row.purpose)(_asking(mode))
    app.command("resume", help="Finish an interrupted turn; nothing is asked anew.")(resume)


def _asking(mode: Mode) -> Any:
    def ask(
        request: Annotated[str, typer.Argument(help="What you want to know, in English or Chinese.")],
        repo: Repo = Path(),
        session: SessionName = None,
        model: ModelName = None,
        base_url: BaseUrl = None,
        budget: Budget = None,
        home: Home = None,
        quiet: Quiet = False,
        as_json: Json = False,
    ) -> None:
        from ..maintainer import Maintainer

        with Maintainer(repo, home=home, model=model, base_url=base_url, budget=budget) as maintainer:
            answer = watch(maintainer.stream(request, mode=mode, session=session), quiet=quiet or as_json)
        show(answer, as_json)

    return ask


def resume(
    session: Annotated[str | None, typer.Argument(help="Name of the session; by default the last one.")] = None,
    repo: Repo = Path(),
    answer: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            help="To what the turn waits for: once, session, never, or words the model gets to read; "
            "CALL=ANSWER for one of several.",
        ),
    ] = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    home: Home = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Finish an interrupted turn; nothing is asked anew."""
    from ..maintainer import Maintainer

    with Maintainer(repo, home=home, model=model, base_url=base_url) as maintainer:
        events = maintainer.stream_resume(session, answer=answers_of(answer or []))
        finished = watch(events, quiet=quiet or as_json)
    if not as_json and finished.status == "finished" and not finished.resumed:
        console(stderr=True).print("nothing was interrupted; this is the last answer", style="dim")
    show(finished, as_json)


def answers_of(given: list[str]) -> str | dict[str, str] | None:
    """Return one answer to everything, or answers by the call they are for; None where nothing was answered."""
    named = [re.fullmatch(r"(c\d{8})=(.*)", each, re.DOTALL) for each in given]
    by_call = {match[1]: match[2] for match in named if match}
    return by_call or (" ".join(given) if given else None)


def watch(events: "Iterator[Event]", *, quiet: bool) -> "Answer":
    """Show progress on stderr while a turn is under way; return its answer.

    Where stderr is no terminal, each step is a line. A reader of it that goes away ends the progress, never the turn.
    """
    screen = console(stderr=True)
    live = not quiet and sys.stderr.isatty()
    answer: Answer | None = None
    with screen.status("starting ...") if live else _Silent() as status:
        for event in events:
            if event.kind == "answer":
                answer = event.answer
            elif live:
                status.update(f"{event.name} {event.text}"[: max(screen.width - 4, 1)])
            elif event.kind == "node" and not quiet:
                try:
                    print(f"- {event.name}", file=sys.stderr, flush=True)  # noqa: T201 - plain, for logs
                except OSError:
                    quiet = True
    assert answer is not None, "every turn ends with an answer"
    return answer


class _Silent:
    """Stands in for the progress line where nobody watches."""

    def __enter__(self) -> "_Silent":
        return self

    def __exit__(self, *_: object) -> None: ...

    def update(self, _: str) -> None: ...


def show(answer: "Answer", as_json: bool) -> None:
    """Print an answer, and exit with 3 where the turn stopped before its end."""
    if as_json:
        print_json(answer.to_dict())
    else:
        _print(answer)
    if answer.status != "finished":
        raise typer.Exit(UNFINISHED)


def _print(answer: "Answer") -> None:
    from rich.markdown import Markdown

    from ...tools.evidence_answer import tell_failure

    out, aside = console(), console(stderr=True)
    for notice in answer.notices:
        aside.print(notice, style="yellow", markup=False)
    if answer.resumed:
        aside.print(f"[dim]continued at: {', '.join(answer.resumed)}[/dim]")
    out.print(Markdown(answer.text) if sys.stdout.isatty() else answer.text, markup=False)
    bad = [each for each in answer.citations if not each.valid]
    for citation in bad:
        aside.print(f"citation {citation.path}:{citation.line} fails: {citation.problem}", style="yellow", markup=False)
    for failure in answer.failures:
        told = [tell_failure(failure, language) for language in get_args(Language)]
        if not any(each in answer.text for each in told):
            aside.print(told[0], style="yellow", markup=False)
    if answer.status != "finished":
        aside.print(f"not finished ({answer.status}): {answer.detail}", style="yellow", markup=False)
        asked = [each for question in answer.questions for each in question.get("questions", [])]
        for each in asked:
            aside.print(f"{each['call']}: {each['tool']} wants: {each['what']}", style="yellow", markup=False)
            aside.print(f"  why it is asked: {each['reason']}; risk: {each['risk'] or 'none'}", markup=False)
        how = " --answer once|session|never" if asked else ""
        name = f"-- {answer.session}" if answer.session.startswith("-") else shlex.quote(answer.session)
        aside.print(f"continue with: maintainer resume{how} {name}", markup=False)
    written = f", {len(answer.notes)} note(s) written" if answer.notes else ""
    aside.print(
        f"session {answer.session}, turn {answer.turn}, mode {answer.mode}, model {answer.model}{written}",
        style="dim",
        markup=False,
    )
