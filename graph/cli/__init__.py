"""The command line: parse, call one function, turn foreseen errors into one line."""

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from ...state.errors import MaintainerError, SessionBusy

GROUPS = (
    "ask",
    "steer",
    "sessions",
    "notes",
    "context",
    "audit",
    "doctor",
    "check",
    "steps",
    "report",
    "search",
    "memory",
)
"""The modules beside this one; each has `register(app)`."""


class Commands(TyperGroup):
    """The commands, with foreseen errors as one line on stderr and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; exit with 1 on a foreseen error, 75 when another process holds the session."""
        try:
            return super().invoke(ctx)
        except MaintainerError as error:
            from ...tools.terminal.clean import visible

            print(f"maintainer: {visible(str(error))}", file=sys.stderr)  # noqa: T201 - errors are printed here alone
            raise typer.Exit(75 if isinstance(error, SessionBusy) else 1) from error
        except BrokenPipeError:
            sys.stderr.close()  # the reader (head, less) has seen enough: nothing more to say
            raise typer.Exit(0) from None


def build_app() -> typer.Typer:
    """Return the command line with all its commands; nothing heavy is imported before one runs."""
    app = typer.Typer(
        name="maintainer",
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Looks after a codebase over days and weeks: explores, analyzes, plans, keeps notes, resumes.",
    )

    @app.callback()
    def entry(
        version: bool = typer.Option(False, "--version", help="Print the version.", is_eager=True, callback=_version),
    ) -> None:
        pass

    for name in GROUPS:
        import_module(f".{name}", __name__).register(app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"maintainer {version('maintainer')}")
        raise typer.Exit


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        build_app()()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    return 0
