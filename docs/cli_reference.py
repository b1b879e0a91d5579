"""Write docs/guide/cli.md from the commands themselves: `make docs`; the suite compares."""

from collections.abc import Iterator
from pathlib import Path

import click
import typer.main
from maintainer.graph.cli import build_app

TARGET = Path(__file__).parent / "guide" / "cli.md"
HEAD = """\
# Command line

Generated from the commands by `make docs`. Every command also has `--help`.
"""


def render() -> str:
    """Return the reference as Markdown, commands in the order of `maintainer --help`."""
    root = typer.main.get_command(build_app())
    return "\n".join([HEAD, *described(root, ["maintainer"])]).rstrip() + "\n"


def described(command: click.Command, path: list[str]) -> Iterator[str]:
    """Yield the lines about a command and those below it."""
    context = click.Context(command, info_name=path[-1])
    if len(path) > 1:
        arguments = " ".join(command.collect_usage_pieces(context))
        yield f"{'#' * len(path)} `{' '.join(path)} {arguments}`\n"
        yield f"{' '.join((command.help or '').split())}\n"
        yield from options(command, context)
    for name, below in getattr(command, "commands", {}).items():
        yield from described(below, [*path, name])


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield a list of the options and arguments that say something."""
    lines = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record and "--help" not in record[0]:
            lines.append(f"- `{record[0]}`: {' '.join(record[1].split())}")
    if lines:
        yield "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(render(), "utf-8")
