"""Options and output that all commands share."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

Repo = Annotated[Path, typer.Option("--repo", help="The repository to look after.", metavar="PATH")]
Home = Annotated[
    Path | None, typer.Option("--home", help="Where notes and sessions are kept; by default REPO/.maintainer.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]

LEAST_WIDTH = 20
"""Columns of the narrowest screen that is written for."""


def console(*, stderr: bool = False) -> "Console":
    """Return where people read: coloured on a terminal only, as wide as it is, 100 columns elsewhere."""
    from .screen import Screen

    stream = sys.stderr if stderr else sys.stdout
    screen = Screen(file=stream, highlight=False, emoji=False, soft_wrap=not stream.isatty())
    if screen.width < LEAST_WIDTH:
        screen.width = LEAST_WIDTH  # COLUMNS=0, as some services set it, printed nothing at all
    return screen


def print_json(value: Any) -> None:
    """Print a value as JSON; unknown types as text, Chinese as it is."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    sys.stdout.write(text.encode("utf-8", "replace").decode("utf-8") + "\n")
