"""`maintainer audit`: every command the terminal was asked for, and what became of it."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ...tools.home import home_of
from .options import Home, Json, Repo, console, print_json

COLOURS = {"ran": "green", "approved": "yellow", "refused": "red"}


def register(app: typer.Typer) -> None:
    """Add `audit`."""
    app.command("audit")(audit)


def audit(
    repo: Repo = Path(),
    home: Home = None,
    refused: Annotated[bool, typer.Option("--refused", help="Only what was refused.")] = False,
    last: Annotated[int, typer.Option("--last", min=1, help="How many, the newest.")] = 50,
    as_json: Json = False,
) -> None:
    """Show the commands of all sessions, oldest first: when, verdict, time, bytes, and why one was refused."""
    from ...tools.home import open_repository
    from ...tools.terminal.audit import path_in, read

    log = path_in(home_of(open_repository(repo), home))
    entries = [entry for entry in read(log) if not refused or entry.verdict == "refused"]
    shown = entries[-last:]
    if as_json:
        print_json([asdict(entry) for entry in shown])
        return
    out = console()
    for entry in shown:
        colour = COLOURS.get(entry.verdict, "magenta")
        out.print(f"{entry.at[:19]}  [{colour}]{entry.verdict:9}[/{colour}] ", end="")
        out.print(f"{entry.seconds:7.2f} s {entry.size:>9} B  {entry.command!r}", markup=False)
        if entry.reason:
            out.print(f"{'':21}{entry.reason}", markup=False)
    total, no = len(entries), sum(entry.verdict == "refused" for entry in entries)
    out.print(f"{total} commands, {no} refused; the log is {log}", markup=False)
