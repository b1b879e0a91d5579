"""`maintainer steer`: say something to a turn that is under way in another process."""

from pathlib import Path
from typing import Annotated

import typer

from ...tools.home import home_of
from .options import Home, Json, Repo
from .session_home import Name, open_sessions, tell


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("steer", help="Add something to the request of a turn that is under way.")(steer)


def steer(
    session: Name,
    text: Annotated[str, typer.Argument(help="What to add, for example 'only look at shop/services'.")],
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Keep the words for the session; its next step hears them."""
    from ...state.errors import ConfigError
    from ...tools.clock import SystemClock
    from ...tools.home import open_repository
    from ...tools.mailbox import Mailbox

    if not text.strip():
        raise ConfigError("text", text, "must say what to add, for example 'only look at shop/services'")
    with open_sessions(repo, home) as sessions:
        name = sessions.catalogue.get(session).name
    id_ = Mailbox(home_of(open_repository(repo), home) / "mail", SystemClock()).post(name, text.strip())
    tell(as_json, {"session": name, "message": id_}, f"{name}: the next step will hear it")
