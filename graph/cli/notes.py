"""`maintainer notes`: list, find, read, write and close them; see `notes_care` for keeping them true."""

from pathlib import Path
from typing import Annotated

import typer

from . import notes_care
from .notes_home import (
    About,
    AllTags,
    NoteId,
    Since,
    Status,
    Tags,
    Type,
    Until,
    given_text,
    open_notes,
    print_note,
    print_rows,
    reviewing,
)
from .options import Home, Json, Repo, console, print_json
from .session_home import tell

Limit = Annotated[int, typer.Option("--limit", min=0, help="How many at most.")]
Content = Annotated[str | None, typer.Option("--content", help="The text, Markdown; - reads it from standard input.")]
Version = Annotated[
    int, typer.Argument(help="Number of the version, from `maintainer notes history`.", metavar="VERSION")
]
Places = Annotated[
    list[str] | None, typer.Option("--source", help="Code it speaks of, path:12-40; may be given several times.")
]


def register(app: typer.Typer) -> None:
    """Add the group `notes`."""
    purpose = "What is known of the project: read, find, write and keep notes true; alone it lists them."
    group = typer.Typer(name="notes", help=purpose)

    @group.callback(invoke_without_command=True)
    def listed(context: typer.Context, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
        if context.invoked_subcommand is None:
            list_(repo=repo, home=home, as_json=as_json)

    for command in (list_, show, search, new, update, resolve, archive, delete, summary, history, diff, restore):
        group.command(command.__name__.rstrip("_"))(command)
    notes_care.add_to(group)
    app.add_typer(group)


def list_(
    note_type: Type = None,
    tags: Tags = None,
    limit: Limit = 50,
    all_tags: AllTags = False,
    status: Status = None,
    since: Since = None,
    until: Until = None,
    path: About = "",
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """List notes, the last updated first."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        rows = notes.list(
            note_type, tags, limit, all_tags=all_tags, status=status or None, since=since, until=until, path=path
        )
    if as_json:
        print_json([as_data(row) for row in rows])
    else:
        print_rows(rows, "no such notes")


def show(note: NoteId, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Show a note, and whether the code it speaks of is still as it was."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        found = notes.read(note)
        check = reviewing(notes, repo).look(found)
    if as_json:
        print_json({**as_data(found), "state": str(check.state), "checks": [as_data(one) for one in check.sources]})
        return
    print_note(found)
    for one in check.sources:
        style = {"stale": "red", "moved": "yellow", "fresh": "green"}.get(str(one.state), "dim")
        console().print(f"{one.state}  {one.source.path}  {one.reason}", style=style, markup=False)


def search(
    query: Annotated[str, typer.Argument(help="Your question or words, in English or Chinese.")],
    note_type: Type = None,
    tags: Tags = None,
    limit: Limit = 10,
    all_tags: AllTags = False,
    status: Status = None,
    since: Since = None,
    until: Until = None,
    path: About = "",
    newest: Annotated[bool, typer.Option("--newest", help="Newest first instead of best first.")] = False,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Find notes by a sentence, best first."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home, searching=True) as notes:
        found = notes.search(
            query,
            note_type,
            tags,
            limit,
            all_tags=all_tags,
            status=status or None,
            since=since,
            until=until,
            path=path,
            newest_first=newest,
        )
    if as_json:
        print_json([as_data(note) for note in found])
    else:
        print_rows(found, "no note fits: try other words")


def new(
    title: Annotated[str, typer.Argument(help="One line.")],
    content: Content = "",
    note_type: Type = "general",
    tags: Tags = None,
    source: Places = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write a note."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        bind = reviewing(notes, repo).sources.bind_place
        sources = [bind(place) for place in source or ()]
        note = notes.create(title, given_text(content or ""), note_type or "general", tags or (), sources=sources)
    tell(as_json, as_data(note), f"wrote {note.id}")


def update(
    note: NoteId,
    title: Annotated[str | None, typer.Option("--title")] = None,
    content: Content = None,
    note_type: Type = None,
    tags: Tags = None,
    status: Annotated[
        str | None, typer.Option("--status", help="open, in_progress, resolved, superseded, archived.")
    ] = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Change a note; the earlier text stays in its history."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        text = None if content is None else given_text(content)
        changed = notes.update(note, title=title, content=text, note_type=note_type, tags=tags or None, status=status)
    tell(as_json, as_data(changed), f"{changed.id} is now version {changed.version}")


def resolve(
    note: NoteId,
    solution: Annotated[str, typer.Argument(help="How it was solved; - reads it from standard input.")],
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Close a note with its solution; a blocker becomes a conclusion."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        closed = notes.resolve(note, given_text(solution))
    tell(as_json, as_data(closed), f"{closed.id} is resolved")


def archive(note: NoteId, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Put a note out of the way: kept and readable, no longer in lists, searches and prompts."""
    from ...tools.notes.commands import as_data
    from ...tools.notes.lifecycle import archived

    with open_notes(repo, home) as notes:
        put_away = notes.change(note, archived)
    tell(as_json, as_data(put_away), f"{put_away.id} is archived")


def delete(
    note: NoteId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Remove a note and its history for good."""
    with open_notes(repo, home) as notes:
        title = notes.read(note).title
        if not yes:
            typer.confirm(f"Delete {title!r} and its history for good?", abort=True, err=True)
        notes.delete(note)
    tell(as_json, {"deleted": note}, f"deleted {note}")


def summary(repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Count the notes by type and status and name the newest."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        found = notes.summary()
    if as_json:
        print_json(as_data(found))
        return
    for name, counts in (("type", found.type_distribution), ("status", found.status_distribution)):
        told = ", ".join(f"{key} {count}" for key, count in counts.items()) or "none"
        console().print(f"by {name}: {told}", markup=False)
    console().print(f"{found.total_notes} notes, the newest:")
    print_rows(found.recent_notes, "none")


def history(note: NoteId, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """List the earlier versions of a note, oldest first."""
    with open_notes(repo, home) as notes:
        versions = notes.history(note)
        present = notes.read(note)
    told = [{"version": one.number, "updated_at": one.updated_at.isoformat(), "title": one.title} for one in versions]
    if as_json:
        print_json(told)
        return
    for one in versions:
        console().print(f"{one.number:4}  {one.updated_at:%Y-%m-%d %H:%M}  {one.title}", markup=False)
    console().print(f"{present.version:4}  {present.updated_at:%Y-%m-%d %H:%M}  {present.title}  (now)", markup=False)


def diff(
    note: NoteId,
    old: Version,
    new: Annotated[int | None, typer.Argument(help="By default the present one.", metavar="[VERSION]")] = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show what changed between two versions of a note."""
    with open_notes(repo, home) as notes:
        found = notes.diff(note, old, new)
    tell(as_json, {"note": note, "diff": found}, found or "no difference")


def restore(note: NoteId, version: Version, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Make an earlier version the newest one; what was newest stays in the history."""
    from ...tools.notes.commands import as_data

    with open_notes(repo, home) as notes:
        restored = notes.restore(note, version)
    tell(
        as_json,
        as_data(restored),
        f"{restored.id} says again what version {version} said; it is version {restored.version}",
    )
