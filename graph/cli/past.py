"""`maintainer history`, `fork`, `replay`, `diff` and `mark`: a session's past, and going on from any point of it."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .ask import show, watch
from .options import Home, Json, Repo, console, print_json
from .session_home import Name, open_sessions, tell

if TYPE_CHECKING:
    from ..sessions import Sessions

_POINTS = "A step number, a turn (t3), a mark, or 8 digits of an id"
Point = Annotated[str | None, typer.Argument(help=f"{_POINTS}.", metavar="[POINT]", show_default=False)]
At = Annotated[str | None, typer.Option("--at", help="POINT, given as an option.")]


def register(app: typer.Typer) -> None:
    """Add the five commands."""
    for command in (history, fork, replay, diff, mark):
        app.command(command.__name__)(command)


def history(
    name: Name,
    repo: Repo = Path(),
    home: Home = None,
    every: Annotated[bool, typer.Option("--all", help="Every stored step, not only ends of turns.")] = False,
    as_json: Json = False,
) -> None:
    """List the stored points of a session, oldest first."""
    with open_sessions(repo, home) as sessions:
        found = sessions.history(name)
    if as_json:
        print_json([step.to_dict() for step in found])
        return
    out = console()
    for step in found if every else [s for s in found if not s.next or s.mark or s is found[-1]]:
        where = f"before {', '.join(step.next)}" if step.next else "end of turn"
        extra = (f"  [{step.mark}]" if step.mark else "") + ("" if step.current else "  (left branch)")
        line = f"{step.number:5}  turn {step.turn:<4} {where:28} {step.at.astimezone():%Y-%m-%d %H:%M:%S}"
        out.print(f"{line}  {step.checkpoint_id[:13]}{extra}", markup=False)


def fork(
    name: Name,
    point: Point = None,
    at: At = None,
    new_name: Annotated[str | None, typer.Option("--as", help="Name of the new session.")] = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Start a new session from a point of another; it sees only the past before that point."""
    start = _start("fork", name, point, at)
    with open_sessions(repo, home) as sessions:
        record = sessions.fork(name, start, f"{name} at {start}" if new_name is None else new_name)
    go_on = shlex.quote(f"--session={record.name}")
    told = f"session {record.name!r} starts after turn {record.turns} of {name!r}; go on with {go_on}"
    tell(as_json, record.to_dict(), told)


def replay(
    name: Name,
    point: Point = None,
    at: At = None,
    new_name: Annotated[str | None, typer.Option("--as", help="Name of the new session.")] = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run the rest of a turn again from a point in its middle, in a fork; the session itself is not touched."""
    from ...state.errors import SessionError
    from ..maintainer import Maintainer
    from ..sessions.history import find

    start = _start("replay", name, point, at)
    with open_sessions(repo, home) as sessions:
        if not find(sessions.history(name), start).next:
            raise SessionError(
                f"{start!r} is the end of a turn, so nothing runs from there: choose a step before a node "
                f"(history --all), or start a new request there with maintainer fork"
            )
    with Maintainer(repo, home=home) as maintainer:
        record = maintainer.fork(name, start, f"{name} replay {start}" if new_name is None else new_name)
        answer = watch(maintainer.stream_resume(record.name), quiet=as_json)
    show(answer, as_json)


def diff(
    before: Annotated[str, typer.Argument(help="SESSION@POINT, for example main@t3 or main@12.")],
    after: Annotated[str, typer.Argument(help="Another point, of the same or another session.")],
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show what differs between two points: state, context and notes."""
    from ..sessions.contexts import context_between
    from ..sessions.history import diff as changes_between
    from ..sessions.line_notes import notes_between

    with open_sessions(repo, home) as sessions:
        then, now = _state(sessions, before), _state(sessions, after)
        changes = [
            *changes_between(then, now),
            *context_between(sessions.home, then.receipt, now.receipt),
            *notes_between(sessions.home, then.head, now.head),
        ]
    if as_json:
        print_json([{"field": c.field, "before": c.before, "after": c.after} for c in changes])
        return
    out = console()
    for change in changes:
        out.print(change.field, style="bold")
        out.print(f"  - {_short(change.before)}", style="red", markup=False)
        out.print(f"  + {_short(change.after)}", style="green", markup=False)
    if not changes:
        out.print("no difference")


def mark(
    name: Name,
    label: Annotated[str, typer.Argument(help="What to call the point.")],
    at: Annotated[str | None, typer.Option("--at", help="A point; by default the newest.")] = None,
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Give a point a name; it is never pruned."""
    from ..sessions.history import find

    with open_sessions(repo, home) as sessions:
        record = sessions.catalogue.get(name)
        found = sessions.history(name)
        step = find(found, at or found[-1].checkpoint_id if found else at or "")
        with sessions.writing(name, repo=record.repo) as session:
            record = session.mark(label, step.checkpoint_id)
    tell(as_json, record.to_dict(), f"step {step.number} of {name!r} is kept as {label!r}")


def _start(command: str, name: str, point: str | None, at: str | None) -> str:
    """Return where to start from: POINT, or `--at`."""
    from ...state.errors import SessionError

    start = point if at is None else at
    if start is None or (point is not None and at is not None):
        raise SessionError(
            f"maintainer {command} needs one point of {name!r} to start from: {_POINTS[0].lower()}{_POINTS[1:]}; "
            f"maintainer history {shlex.quote(name)} lists them"
        )
    return start


def _state(sessions: "Sessions", point: str) -> Any:
    from ...state.errors import SessionError

    name, separator, at = point.rpartition("@")
    if not separator:
        raise SessionError(f"{point!r} names no point: write SESSION@POINT, for example main@t3")
    return sessions.state_at(name, at)


def _short(value: Any, most: int = 300) -> str:
    text = str(value).replace("\n", "\\n")
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"
