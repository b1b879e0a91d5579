"""What `langgraph dev` opens: the same graph over the same SQLite file, for stepping through it in Studio.

The repository to look after comes from MAINTAINER_REPO, by default the folder the server is started in.
"""

from functools import cache
from typing import TYPE_CHECKING

from ..tools.settings_file import load_options, served_repository

if TYPE_CHECKING:
    from .build import App
    from .checkpoints import Checkpointer


@cache
def graph() -> "App":
    """Return the graph, without a checkpointer of its own: the server brings the one below."""
    from .build import build_graph

    return build_graph(served_repository())


@cache
def checkpointer() -> "Checkpointer":
    """Return the store that the command line uses too, so both see the same sessions."""
    from ..tools.home import open_home, open_repository
    from .checkpoints import open_checkpointer

    repo = open_repository(served_repository())
    home = open_home(repo, None)
    options = load_options(repository_file=home / "settings.yaml")
    return open_checkpointer(options.checkpoints or str(home / "checkpoints.sqlite"))
