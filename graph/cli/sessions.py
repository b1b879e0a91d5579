"""`maintainer sessions`: list, keep, move and delete them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import past
from .options import Home, Json, Repo, console, print_json
from .session_home import Name, open_sessions, tell

if TYPE_CHECKING:
    from ..sessions import SessionRecord

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

DAY_S = 86_400


def register(app: typer.Typer) -> None:
    """Add the group `sessions`, and the commands that look into a session's past."""
    group = typer.Typer(name="sessions", help="List, keep, move and delete sessions; alone it lists them.")

    @group.callback(invoke_without_command=True)
    def listed(context: typer.Context, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
        if context.invoked_subcommand is None:
            list_(repo, home, as_json)

    for command in (list_, show, delete, prune, export, import_):
        group.command(command.__name__.rstrip("_"))(command)
    app.add_typer(group)
    past.register(app)


def list_(repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """List all sessions, the one used last first."""
    with open_sessions(repo, home) as sessions:
        records = sessions.catalogue.list()
    if as_json:
        print_json([record.to_dict() for record in records])
        return
    out = console()
    for record in records:
        _print_record(out, record)
    if not records:
        out.print("no sessions yet")


def show(name: Name, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Show what is known of a session: state, goal, marks, where it was forked from."""
    with open_sessions(repo, home) as sessions:
        record = sessions.catalogue.get(name)
        found = sessions.history(name)
        state = sessions.newest_state(name)
        lineage = sessions.catalogue.lineage(name)
    facts = {
        **record.to_dict(),
        "goal": state.goal if state else "",
        "waits_at": list(found[-1].next) if found else [],
        "steps_stored": len(found),
        "lineage": [list(part) for part in lineage],
    }
    if as_json:
        print_json(facts)
        return
    for key, value in facts.items():
        console().print(f"{key:14} {value}", markup=False)


def delete(name: Name, yes: Yes = False, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Delete everything of a session and prove it. Notes stay: they belong to the repository."""
    from ..sessions.stores import session_stores

    with open_sessions(repo, home) as sessions:
        sessions.catalogue.get(name)
        if not yes:
            typer.confirm(f"Delete session {name!r} for good?", abort=True, err=True)
        with session_stores(sessions.home) as stores:
            proof = sessions.delete(name, stores)
    if as_json:
        print_json(proof.to_dict())
        return
    for store in proof.stores:
        console().print(f"{store.store:12} {store.before} removed, {store.after} left", markup=False)


def prune(
    name: Annotated[str | None, typer.Argument(help="By default all sessions.", metavar="SESSION")] = None,
    steps: Annotated[int, typer.Option(help="The newest steps that stay.")] = 8,
    turns: Annotated[int, typer.Option(help="The newest ends of turns that stay.")] = 50,
    unused_days: Annotated[
        float | None, typer.Option("--unused-days", help="Delete whole sessions not used for so long.")
    ] = None,
    yes: Yes = False,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Remove old steps by policy (marked ones stay), or whole sessions nobody has used for long."""
    from datetime import UTC, datetime

    from ...state.errors import ConfigError
    from ..checkpoints import KeepPolicy
    from ..sessions.cleaning import clean
    from ..sessions.stores import session_stores

    if unused_days is not None and not unused_days >= 0:  # below 0, or no number at all
        raise ConfigError("--unused-days", unused_days, "must be a number of days of at least 0")
    policy = KeepPolicy(steps=steps, turns=turns)
    with open_sessions(repo, home) as sessions:
        chosen = [sessions.catalogue.get(name)] if name else sessions.catalogue.list()
        age_s = {record.name: (datetime.now(UTC) - record.updated_at).total_seconds() for record in chosen}
        old = [r for r in chosen if unused_days is not None and age_s[r.name] > unused_days * DAY_S]
        if old and not yes:
            typer.confirm(f"Delete {', '.join(repr(r.name) for r in old)} for good?", abort=True, err=True)
        with session_stores(sessions.home) as stores:
            done = clean(sessions, chosen, old, policy, stores, skip_busy=name is None)
    if as_json:
        print_json(
            {
                "steps_removed": done.removed,
                "deleted": [proof.to_dict() for proof in done.deleted],
                "in_use": done.in_use,
                "bytes_before": done.bytes_before,
                "bytes_after": done.bytes_after,
            }
        )
        return
    for pruned, count in done.removed.items():
        console().print(f"{pruned}: {count} steps removed", markup=False)
    for proof in done.deleted:
        console().print(f"{proof.session}: deleted", markup=False)
    for busy in done.in_use:
        console().print(f"{busy}: left as it is, another process is writing it", markup=False)
    console().print(f"{done.bytes_before:,} bytes before, {done.bytes_after:,} now")


def export(
    name: Name,
    file: Annotated[Path, typer.Argument(help="The file to write, by habit NAME.session.")],
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write a session into one portable file that another machine can import."""
    from ..sessions.stores import portable_stores

    with open_sessions(repo, home) as sessions, portable_stores(sessions.home) as stores:
        size = sessions.export(name, file, stores)
    tell(as_json, {"session": name, "file": str(file), "bytes": size}, f"{file}: {size:,} bytes")


def import_(
    file: Annotated[Path, typer.Argument(help="A file that `sessions export` wrote.")],
    as_name: Annotated[str | None, typer.Option("--as", help="Another name, where its own is taken.")] = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Import a session after every byte of its file was checked."""
    from ...tools.home import open_home, open_repository
    from ..sessions.stores import portable_stores

    open_home(open_repository(repo), home)
    with open_sessions(repo, home) as sessions, portable_stores(sessions.home) as stores:
        record = sessions.take(file, as_name, stores)
    tell(as_json, record.to_dict(), f"session {record.name!r} imported, {record.turns} turns")


def _print_record(out: Any, record: "SessionRecord") -> None:
    used = f"{record.updated_at.astimezone():%Y-%m-%d %H:%M}"
    origin = f"  forked from {record.parent!r} after turn {record.parent_turn}" if record.parent else ""
    out.print(f"{record.name:24} {record.turns:4} turns  {record.status:12} {used}{origin}", markup=False)
