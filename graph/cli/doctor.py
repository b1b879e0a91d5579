"""`maintainer doctor`: what works here, what does not, and the remedy."""

from pathlib import Path

import typer

from .options import Home, Json, Repo, console, home_of, print_json

MARKS = {"ok": "[green]ok[/green]", "degraded": "[yellow]degraded[/yellow]", "missing": "[red]missing[/red]"}


def register(app: typer.Typer) -> None:
    """Add `doctor`."""
    app.command("doctor")(doctor)


def doctor(repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Look at Python, tokens, embedder, model, sandbox, git and disk; exit with 1 when something is missing."""
    from ...tools.home import open_repository
    from ...tools.settings_file import load_options
    from ..doctor import examine

    folder = open_repository(repo)
    place = home_of(folder, home)
    checks = examine(folder, place, load_options(repository_file=place / "settings.yaml"))
    found = []
    out = console()
    for check in checks:
        found.append(check)
        if not as_json:
            out.print(f"{check.name:9} {MARKS[check.level]} ", end="")
            out.print(f"{check.found}{': ' + check.remedy if check.remedy else ''}", markup=False)
    if as_json:
        print_json([check.to_dict() for check in found])
    if any(check.level == "missing" for check in found):
        raise typer.Exit(1)
