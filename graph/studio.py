"""What `langgraph dev` opens: the same graph over the same SQLite file, for stepping through it in Studio.

The repository to look after comes from MAINTAINER_REPO, by default the folder the server is started in. The server
calls these from its event loop, where nothing may block: so what takes time to open is opened in a thread.
"""

import asyncio
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from ..tools.clock import SystemClock
from ..tools.home import open_home, open_repository
from ..tools.memory import MEMORIES
from ..tools.settings_file import load_options, served_repository
from .checkpoints import Checkpointer, open_store
from .sessions.served import ServedStore

if TYPE_CHECKING:
    from ..tools.memory.store import EmbeddedStore
    from .build import App

_OPENING = Lock()


async def graph() -> "App":
    """Return the graph, without a checkpointer of its own: the server brings the one below."""
    return await asyncio.to_thread(_graph)


async def checkpointer() -> Checkpointer:
    """Return the store that the command line uses too, so both see the same sessions and heed the same locks."""
    return await asyncio.to_thread(_checkpointer)


def store() -> "EmbeddedStore":
    """Return the store of memories that the command line uses too: Studio shows and edits the same ones."""
    from ..tools.memory.store import EmbeddedStore

    return EmbeddedStore(open_home(open_repository(served_repository()), None) / "memory" / MEMORIES)


def _graph() -> "App":
    with _OPENING:
        return _built()


@cache
def _built() -> "App":
    from .build import build_graph

    return build_graph(served_repository())


def _checkpointer() -> Checkpointer:
    home = open_home(open_repository(served_repository()), None)
    options = load_options(repository_file=home / "settings.yaml")
    return ServedStore(open_store(home, options), home, SystemClock())
