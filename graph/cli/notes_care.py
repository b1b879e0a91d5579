"""`maintainer notes check|verify|review|confirm|curate|export`: keeping notes whole, true and useful."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from .notes_home import AllTags, NoteId, Status, Tags, Type, open_notes, reviewing
from .options import Home, Json, Repo, console, print_json
from .session_home import tell

WRONG = 1
"""Exit code where something wrong was found."""


def add_to(group: typer.Typer) -> None:
    """Add the commands to the group `notes`."""
    for command in (check, verify, review, confirm, curate, export):
        group.command(command.__name__)(command)


def check(
    repair: Annotated[bool, typer.Option("--repair", help="Put right what needs no guessing.")] = False,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Look for damage: a wrong index, broken or doubled files, links to nowhere. Exit code 1 if there is any."""
    from ...tools.notes import check as checking

    with open_notes(repo, home) as notes:
        findings = checking.check(notes.store)
        if repair and findings:
            findings = checking.repair(notes.store, findings)
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            hint = "  (--repair)" if finding.repairable else ""
            console().print(f"{finding.kind}: {finding.file}: {finding.what}{hint}", markup=False)
        if not findings:
            console().print("all notes are well")
    if findings:
        raise typer.Exit(WRONG)


def verify(
    path: Annotated[
        list[str] | None, typer.Option("--path", help="Only notes about this file; may be repeated.")
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Write the new place into notes whose code moved.")] = False,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Compare all notes with the code they speak of and queue the stale ones for review. Exit code 1 if any is."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        checks = reviewing(notes, repo).verify(path, follow_moves=follow)
    stale = [one for one in checks if one.state == "stale"]
    if as_json:
        print_json([as_data(one) for one in checks])
    else:
        for one in checks:
            told = "; ".join(f"{source.source.path}: {source.reason}" for source in one.sources if source.reason)
            console().print(f"{one.state:13} {one.note_id}  {one.title}  {told}".rstrip(), markup=False)
        console().print(f"{len(checks)} notes name code, {len(stale)} of them are stale")
    if stale:
        raise typer.Exit(WRONG)


def review(repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """List the notes that wait for somebody to say whether they still hold."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        items = reviewing(notes, repo).queue()
    if as_json:
        print_json([as_data(item) for item in items])
        return
    for item in items:
        console().print(f"{item.note_id}  since {item.since:%Y-%m-%d}  {item.title}: {item.reason}", markup=False)
    if not items:
        console().print("nothing waits for review")


def confirm(note: NoteId, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Say that a note still holds: it is bound to the code as it is now."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        confirmed = reviewing(notes, repo).confirm(note)
    tell(as_json, as_data(confirmed), f"{confirmed.id} is bound to the code as it is now")


def curate(
    apply: Annotated[bool, typer.Option("--apply", help="Do it; without this, only say what would be done.")] = False,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Promote what was temporary, merge what says the same, close what is idle, archive what is over."""
    from ...tools.notes import curation
    from ...tools.notes.store import now

    with open_notes(repo, home) as notes:
        rows = notes.list(status=["open", "in_progress", "resolved", "superseded"])
        steps = curation.plan(rows, notes.store.peek, now(notes.store.clock))
        done = curation.apply(notes, steps) if apply else 0
    if as_json:
        print_json({"applied": done, "steps": [asdict(step) for step in steps]})
        return
    for step in steps:
        into = f" into {step.into}" if step.into else ""
        console().print(f"{step.action} {step.note_id}{into}: {step.title} ({step.reason})", markup=False)
    told = f"{done} of {len(steps)} steps done" if apply else f"{len(steps)} steps; do them with --apply"
    console().print(told if steps else "nothing to do")


def export(
    to: Annotated[
        Literal["page", "json", "release"] | None,
        typer.Option("--to", help="One Markdown page (the default), JSON, or release notes."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Heading; for release notes the version.")] = "Notes",
    note_type: Type = None,
    tags: Tags = None,
    all_tags: AllTags = False,
    status: Status = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write notes to standard output for other readers."""
    from ...state.errors import ConfigError
    from ...tools.notes import export as exporting

    if as_json and to not in (None, "json"):
        raise ConfigError("--to", to, "cannot be together with --json: give one of the two")

    with open_notes(repo, home) as notes:
        rows = notes.list(note_type, tags, all_tags=all_tags, status=status or None)
        found = [note for row in rows if (note := notes.store.peek(row.id))]
    if as_json or to == "json":
        text = exporting.as_json(found)
    else:
        text = exporting.release_notes(found, title) if to == "release" else exporting.page(found, title)
    sys.stdout.write(text)
