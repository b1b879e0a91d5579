"""What the commands about notes share: opening them, their options, and how notes are shown."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tools.home import home_of
from .options import console

if TYPE_CHECKING:
    from ...state.notes import Note, NoteRow
    from ...tools.notes import NoteTool
    from ...tools.notes.review import NoteReview

NoteId = Annotated[str, typer.Argument(help="Id of the note.", metavar="NOTE")]
Type = Annotated[
    str | None, typer.Option("--type", help="task_state, conclusion, blocker, action, reference, general.")
]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="May be given several times.")]
AllTags = Annotated[bool, typer.Option("--all-tags", help="With every one of the tags, not just one.")]
Status = Annotated[
    list[str] | None,
    typer.Option("--status", help="open, in_progress, resolved, superseded, archived; by default all but archived."),
]
Since = Annotated[str | None, typer.Option("--since", help="Updated at this time or later, such as 2026-01-05.")]
Until = Annotated[str | None, typer.Option("--until", help="Updated before this time.")]
About = Annotated[str, typer.Option("--path", help="About this file or folder of the repository.")]


@contextmanager
def open_notes(repo: Path, home: Path | None, *, searching: bool = False) -> "Iterator[NoteTool]":
    """Open the notes of a repository; at the end, what the user should know of is told once, on stderr.

    Args:
        repo: The repository.
        home: Where our files are; None: in the repository.
        searching: Whether notes are looked for by meaning, which needs the embedder of the settings.
    """
    from ...tools.embeddings import open_embedder
    from ...tools.home import open_repository
    from ...tools.notes import NoteTool
    from ...tools.settings_file import load_options

    place = home_of(open_repository(repo), home)
    embedder = None
    if searching:
        options = load_options(repository_file=place / "settings.yaml")
        embedder = open_embedder(options.embedder, options.api_key)
    with NoteTool(place / "notes", embedder=embedder) as notes:
        try:
            yield notes
        finally:
            for notice in notes.notices:
                console(stderr=True).print(notice, style="yellow", markup=False)


def reviewing(notes: "NoteTool", repo: Path) -> "NoteReview":
    """Return what compares the notes with the code of the repository."""
    from ...tools.git import Git
    from ...tools.home import open_repository
    from ...tools.notes.review import NoteReview
    from ...tools.notes.sources import Sources

    folder = open_repository(repo)
    return NoteReview(notes.store, Sources(folder, Git(folder)))


def given_text(content: str) -> str:
    """Return the text of an option; `-` reads it from standard input, as UTF-8 whatever the locale.

    Raises:
        ConfigError: It is no UTF-8.
    """
    if content != "-":
        return content
    from ...state.errors import ConfigError

    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise ConfigError("standard input", f"byte {error.start}", "must be UTF-8: convert it first") from error


def print_rows(rows: "Iterable[Note | NoteRow]", nothing: str) -> None:
    """Print one line a note, or that there is nothing."""
    out = console()
    empty = True
    for row in rows:
        empty = False
        tags = "".join(f" #{tag}" for tag in row.tags)
        out.print(f"{row.id}  {row.updated_at:%Y-%m-%d}  {row.type}/{row.status}  {row.title}{tags}", markup=False)
    if empty:
        out.print(nothing)


def print_note(note: "Note") -> None:
    """Print a note as people read it."""
    out = console()
    out.print(note.title, style="bold", markup=False)
    facts = [str(note.type), str(note.status), f"version {note.version}", f"updated {note.updated_at:%Y-%m-%d %H:%M}"]
    out.print(" · ".join([*facts, *(f"#{tag}" for tag in note.tags)]), style="dim", markup=False)
    for relation, ids in note.links.items():
        out.print(f"{relation}: {', '.join(ids)}", style="dim", markup=False)
    for source in note.sources:
        out.print(f"about {source.path}{':' if source.lines else ''}{source.lines}", style="dim", markup=False)
    out.print(f"\n{note.content}", markup=False)
