"""`maintainer report`: findings, plan, context and history of a session, for people and machines."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tools.home import home_of
from .options import Home, Json, Repo, console, print_json

if TYPE_CHECKING:
    from ...state.session import Language
    from ...state.session_report import SessionReport


class Format(StrEnum):
    """How the report is written."""

    HTML = "html"
    MARKDOWN = "markdown"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report")(report)


def report(
    session: Annotated[str, typer.Argument(help="By default the session used last.", metavar="[SESSION]")] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; its ending picks the format.")
    ] = None,
    form: Annotated[Format | None, typer.Option("--format", help="By default Markdown, or as the file ends.")] = None,
    language: Annotated[str, typer.Option("--language", help="en or zh; by default the session's.")] = "",
    analyze: Annotated[bool, typer.Option("--analyze/--no-analyze", help="Analyze the repository now.")] = True,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write the report of a session: findings, trend, what filled the context, plan, notes, timeline."""
    from ...state.errors import ConfigError
    from ...tools.files import write_atomic

    if language not in ("", "en", "zh"):
        raise ConfigError("language", language, "must be en or zh")
    chosen = Format.JSON if as_json else form or _format_of(output)
    made = _made(repo, home, session, language, analyze)
    if chosen is Format.JSON and output is None:
        print_json(made.to_dict())
        return
    text = _text(made, chosen)
    if output is None:
        sys.stdout.write(text)
        return
    write_atomic(output, text.encode("utf-8", "replace"))
    console(stderr=True).print(f"report written to {output}", markup=False)


def _format_of(output: Path | None) -> Format:
    endings = {".html": Format.HTML, ".htm": Format.HTML, ".json": Format.JSON}
    return endings.get(output.suffix.lower(), Format.MARKDOWN) if output else Format.MARKDOWN


def _made(repo: Path, home: Path | None, session: str, language: "Language | str", analyze: bool) -> "SessionReport":
    from ...tools.clock import SystemClock
    from ...tools.home import open_home, open_repository
    from ..report import session_report
    from .session_home import open_sessions

    folder = open_repository(repo)
    place = home_of(folder, home)
    known = (place / "sessions").is_dir() or any(place.glob("checkpoints*"))
    options = {"clock": SystemClock(), "session": session, "language": language or None, "analyze": analyze}
    if not known:
        return session_report(folder, open_home(folder, home), **options)  # type: ignore[arg-type]
    with open_sessions(folder, home) as sessions:
        return session_report(folder, place, sessions=sessions, **options)  # type: ignore[arg-type]


def _text(made: "SessionReport", form: Format) -> str:
    import json

    from ...tools.reports import as_html, as_markdown

    if form is Format.HTML:
        return as_html(made)
    if form is Format.MARKDOWN:
        return as_markdown(made)
    return json.dumps(made.to_dict(), ensure_ascii=False, indent=2, default=str) + "\n"
