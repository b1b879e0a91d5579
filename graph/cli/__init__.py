"""The command line: parse, call one function, turn foreseen errors into one line."""

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from . import failure

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
    """The commands, with every error as one line on stderr and an exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the command line apart, and remember it: it says where the details of a bug are kept."""
        ctx.meta["arguments"] = [*args]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; exit with 1 on a foreseen error, 75 when another process holds the session, 70 on a bug."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, TyperException):
            raise
        except BrokenPipeError:
            failure.close_output()
            raise typer.Exit(0) from None
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            line, code = failure.told(error, ctx.meta["arguments"])
            print(f"maintainer: {line}", file=sys.stderr)  # noqa: T201 - errors are printed here alone
            raise typer.Exit(code) from error


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
        debug: bool = typer.Option(False, "--debug", help="Show every error with all its details."),
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
    failure.open_output()
    code = 0
    try:
        build_app()()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    return failure.flushed(code)
