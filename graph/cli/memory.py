"""`maintainer memory`: what is remembered across sessions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...tools.home import home_of
from . import known
from .options import Home, Json, Repo, console, print_json

if TYPE_CHECKING:
    from ...tools.memory import MemoryTool

Type = Annotated[str | None, typer.Option("--type", help="working, episodic or semantic.")]
Limit = Annotated[int, typer.Option("--limit", min=1, help="How many at most.")]
Text = Annotated[str, typer.Argument(help="What is looked for.")]
Id = Annotated[str, typer.Argument(help="Id of a memory, as search shows it.", metavar="MEMORY")]


def register(app: typer.Typer) -> None:
    """Add the group `memory`, and the commands about what a session knows."""
    group = typer.Typer(name="memory", help="What is remembered across sessions; alone it sums that up.")

    @group.callback(invoke_without_command=True)
    def told(context: typer.Context, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
        if context.invoked_subcommand is None:
            summary(repo=repo, home=home, as_json=as_json)

    group.command("search")(search)
    group.command("add")(add)
    group.command("summary")(summary)
    group.command("stats")(stats)
    group.command("remove")(remove)
    group.command("forget")(forget)
    group.command("consolidate")(consolidate)
    group.command("clear")(clear)
    app.add_typer(group)
    known.register(app)


def search(
    query: Text,
    memory_type: Type = None,
    limit: Limit = 5,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Find memories, the closest first."""
    _show({"action": "search", "query": query, "memory_type": memory_type, "limit": limit}, repo, home, as_json)


def add(
    content: Annotated[str, typer.Argument(help="What to remember.")],
    memory_type: Annotated[str, typer.Option("--type", help="working, episodic or semantic.")] = "semantic",
    importance: Annotated[float, typer.Option("--importance", min=0, max=1)] = 0.8,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Remember something."""
    request = {"action": "add", "content": content, "memory_type": memory_type, "importance": importance}
    _show(request, repo, home, as_json)


def summary(limit: Limit = 5, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Show how much is remembered, and what is most important and newest."""
    _show({"action": "summary", "limit": limit}, repo, home, as_json)


def stats(repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Show counts, importance and ages by type."""
    _show({"action": "stats"}, repo, home, as_json)


def remove(memory_id: Id, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Remove one memory."""
    _show({"action": "remove", "memory_id": memory_id}, repo, home, as_json)


def forget(
    by: Annotated[str, typer.Option("--by", help="importance, age or capacity.")] = "importance",
    threshold: Annotated[float, typer.Option("--below", help="Importance below which to forget.")] = 0.1,
    max_age_days: Annotated[float, typer.Option("--days", help="Age in days beyond which to forget.")] = 30.0,
    capacity: Annotated[int, typer.Option("--keep", help="How many of the strongest to keep.")] = 1000,
    memory_type: Type = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Forget what is unimportant, old, or too much."""
    request = {
        "action": "forget",
        "strategy": by,
        "threshold": threshold,
        "max_age_days": max_age_days,
        "capacity": capacity,
        "memory_type": memory_type,
    }
    _show(request, repo, home, as_json)


def consolidate(
    threshold: Annotated[float, typer.Option("--above", help="Importance from which to move.")] = 0.7,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Move important working memories to the episodic ones."""
    _show({"action": "consolidate", "threshold": threshold}, repo, home, as_json)


def clear(
    memory_type: Type = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Remove everything, or one type."""
    confirm = yes or typer.confirm(f"Remove all {memory_type or ''} memories for good?", err=True)
    _show({"action": "clear", "memory_type": memory_type, "confirm": confirm}, repo, home, as_json)


@contextmanager
def _memory(repo: Path, home: Path | None) -> "Iterator[MemoryTool]":
    from ...tools.home import open_repository
    from ...tools.memory import MemoryTool

    memory = MemoryTool(home_of(open_repository(repo), home) / "memory")
    try:
        yield memory
    finally:
        memory.close()


def _show(request: dict[str, Any], repo: Path, home: Path | None, as_json: bool) -> None:
    with _memory(repo, home) as memory:
        result = memory.run({key: value for key, value in request.items() if value is not None})
    if as_json:
        print_json(result)
        return
    out = console()
    rows = result.get("memories", [result["memory"]] if "memory" in result else None)
    if rows is None:
        for key, value in result.items():
            out.print(f"{key:10} {value}", markup=False)
        return
    for row in rows:
        out.print(
            f"{row['id']}  {row['type']:8} {row['importance']:.2f}  {' '.join(row['content'].split())}", markup=False
        )
    if not rows:
        out.print("nothing")
