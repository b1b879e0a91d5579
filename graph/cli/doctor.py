"""`maintainer doctor`: what works here, what does not, and the remedy."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tools.home import home_of
from .options import Home, Json, Repo, console, print_json
from .session_home import open_sessions

if TYPE_CHECKING:
    from ..doctor import Check

MARKS = {"ok": "[green]ok[/green]", "degraded": "[yellow]degraded[/yellow]", "missing": "[red]missing[/red]"}


def register(app: typer.Typer) -> None:
    """Add `doctor`."""
    app.command("doctor")(doctor)


def doctor(
    repo: Repo = Path(),
    home: Home = None,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what is wrong with the stored sessions.")] = False,
    as_json: Json = False,
) -> None:
    """Look at the machine and at the stored sessions; exit with 1 when something is missing."""
    from ...tools.home import open_repository
    from ...tools.settings_file import load_options
    from ..doctor import examine

    folder = open_repository(repo)
    place = home_of(folder, home)
    checks = examine(folder, place, load_options(repository_file=place / "settings.yaml"))
    found = []
    out = console()
    stored = _sessions(repo, home, repair) if place.is_dir() else []
    for check in chain(checks, stored):
        found.append(check)
        if not as_json:
            out.print(f"{check.name:9} {MARKS[check.level]} ", end="")
            out.print(f"{check.found}{': ' + check.remedy if check.remedy else ''}", markup=False)
    if as_json:
        print_json([check.to_dict() for check in found])
    if any(check.level == "missing" for check in found):
        raise typer.Exit(1)


def _sessions(repo: Path, home: Path | None, repair: bool) -> "Iterator[Check]":
    """Yield one check for the stored sessions, or one for each fault, mended where that was asked for."""
    from ...state.errors import MaintainerError, SessionError, StoreError
    from ..doctor import Check
    from ..sessions.repair import faults

    try:
        with open_sessions(repo, home) as sessions:
            wrong = list(faults(sessions))
            for fault in wrong:
                told = f"{fault.where}: {fault.problem}"
                if not repair:
                    yield Check(name="sessions", level="degraded", found=told, remedy="maintainer doctor --repair")
                    continue
                try:
                    yield Check(name="sessions", level="ok", found=f"{told}; mended: {fault.mend()}")
                except (StoreError, SessionError) as error:
                    yield Check(name="sessions", level="degraded", found=told, remedy=str(error))
            if not wrong:
                yield Check(name="sessions", level="ok", found=f"{len(sessions.catalogue.list())} stored, all sound")
    except MaintainerError as error:
        yield Check(name="sessions", level="missing", found=str(error), remedy="see the message")
