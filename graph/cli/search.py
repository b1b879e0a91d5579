"""`maintainer search`, `maintainer index`, `maintainer map`: the repository's lines, their index, an overview."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Home, Json, Repo, console, print_json

if TYPE_CHECKING:
    from ...tools import RAGTool

Languages = Annotated[
    list[str] | None, typer.Option("--language", help="Only files in this language; may be repeated.")
]
Roles = Annotated[
    list[str] | None, typer.Option("--role", help="Only source, test, example, doc or data; may be repeated.")
]
_SHOWN = 20
"""Skipped files and problems printed; JSON has all of them."""


def register(app: typer.Typer) -> None:
    """Add the three commands."""
    app.command("search")(search)
    app.command("index")(index)
    app.command("map")(show_map)


def search(
    question: Annotated[str, typer.Argument(help="A question, an error, a name; English or Chinese.")],
    repo: Repo = Path(),
    home: Home = None,
    limit: Annotated[int, typer.Option("--limit", help="Most places, from 1 to 50.")] = 5,
    language: Languages = None,
    role: Roles = None,
    namespace: Annotated[str, typer.Option("--namespace", help="code, or one of added documents.")] = "",
    as_json: Json = False,
) -> None:
    """Show the lines of the repository, and of added documents, that answer a question."""
    from ...tools.code_index.ranking import among
    from ...tools.rag.answers import as_data, nothing
    from ...tools.search.text import has_cjk

    with _open(repo, home) as tool:
        passages = tool.search(question, limit, namespace=namespace, among=among(role or (), language or ()))
        notices = tool.notices
    if as_json:
        print_json({"results": [as_data(passage) for passage in passages], "notices": notices})
        return
    out = console()
    for passage in passages:
        out.print(f"[bold]{_plain(passage.place)}[/bold]  {passage.score:.2f}")
        out.print(passage.text + "\n", markup=False)
    if not passages:
        out.print(nothing(chinese=has_cjk(question)))
    _say(notices)


def index(
    repo: Repo = Path(),
    home: Home = None,
    vectors: Annotated[bool, typer.Option("--vectors", help="Wait for search by meaning, too.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Read every file again.")] = False,
    as_json: Json = False,
) -> None:
    """Bring the index up to date and say what it holds and what it leaves out."""
    with _progress(quiet=as_json) as progress, _open(repo, home, progress) as tool:
        if rebuild:
            tool.clear("code", confirm=True)
        done = tool.refresh(vectors=vectors)
        stats = tool.stats()
    if as_json:
        print_json({"indexed": done.indexed, "removed": done.removed, "unchanged": done.unchanged, **stats})
        return
    out = console()
    out.print(
        f"{done.indexed} files read, {done.removed} removed, {done.unchanged} unchanged; "
        f"{stats['files']} files, {stats['pieces']} pieces, {stats['symbols']} symbols, {stats['commits']} commits"
    )
    if stats["vectors"] is not None:
        out.print(f"vectors: {stats['vectors']['done']} of {stats['vectors']['of']}")
    for title, rows in (("left out", stats["skipped"]), ("read with gaps", stats["problems"])):
        for path, reason in list(rows.items())[:_SHOWN]:
            out.print(f"{title}: {path!r}: {reason}", markup=False)
        if len(rows) > _SHOWN:
            out.print(f"{title}: {len(rows) - _SHOWN} more; --json shows all")
    _say(stats["notices"])


def show_map(
    repo: Repo = Path(),
    home: Home = None,
    tokens: Annotated[int, typer.Option("--tokens", help="Ceiling of the map.", min=1)] = 1000,
    focus: Annotated[str, typer.Option("--focus", help="A question the map should turn to.")] = "",
    as_json: Json = False,
) -> None:
    """Show the signatures that matter most, within a ceiling of tokens."""
    with _open(repo, home) as tool:
        tool.refresh()
        drawn = tool.index.map(tokens, tool.counter, focus=focus)
        notices = tool.notices
    if as_json:
        print_json({**asdict(drawn), "notices": notices})
        return
    out = console()
    out.print(drawn.text, markup=False)
    console(stderr=True).print(
        f"{drawn.symbols} of {drawn.of_symbols} symbols, {drawn.files} of {drawn.of_files} files, {drawn.tokens} tokens"
    )
    _say(notices)


@contextmanager
def _open(repo: Path, home: Path | None, progress: Callable[[int, int], None] | None = None) -> "Iterator[RAGTool]":
    from ...tools import RAGTool
    from ...tools.git import Git
    from ...tools.home import open_home, open_repository
    from ...tools.settings_file import load_options

    folder = open_repository(repo)
    place = open_home(folder, home)
    options = load_options(repository_file=place / "settings.yaml")
    with RAGTool(
        folder,
        home=place / "index",
        embedder=options.embedder,
        key=options.api_key,
        server=options.chroma_url,
        commits=Git(folder),
        progress=progress,
    ) as tool:
        yield tool


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Yield what draws a bar on a terminal, or None elsewhere."""
    screen = console(stderr=True)
    if quiet or not screen.is_terminal:
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen, transient=True) as bars:
        bar = bars.add_task("indexing")
        yield lambda done, of: bars.update(bar, completed=done, total=of)


def _say(notices: list[str]) -> None:
    for notice in notices:
        console(stderr=True).print(f"note: {notice}", markup=False)


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)
