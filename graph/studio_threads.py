"""The sessions of the command line in Studio's list of threads: the server lists only what it is told of.

The server runs `app` beside its own routes; all it has is a lifetime, in which new sessions are looked for. Needs the
extra `studio`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph_sdk import get_client
from starlette.applications import Starlette

from ..tools.clock import SystemClock
from ..tools.home import open_home, open_repository
from ..tools.settings_file import served_repository
from .sessions.catalogue import SessionCatalogue, SessionRecord

_LOG = logging.getLogger(__name__)
EVERY_S = 5.0
"""How soon a new session of the command line is in the list."""


@asynccontextmanager
async def _listing(_: Starlette) -> AsyncIterator[None]:
    task = asyncio.create_task(_list_new_sessions())
    yield
    task.cancel()


async def _list_new_sessions() -> None:
    """Tell the server of every session that appears, as long as it runs."""
    server, known = get_client(), set[str]()
    while True:
        try:
            for record in await asyncio.to_thread(_records):
                if record.thread_id not in known:
                    await server.threads.create(
                        thread_id=record.thread_id,
                        graph_id="maintainer",
                        if_exists="do_nothing",
                        metadata={"session": record.name},
                    )
                    known.add(record.thread_id)
        except Exception as error:  # noqa: BLE001 - one failure must not end the listing; it is told and tried again
            _LOG.warning("sessions cannot be listed, tried again in %g s: %s", EVERY_S, error)
        await asyncio.sleep(EVERY_S)


def _records() -> list[SessionRecord]:
    home = open_home(open_repository(served_repository()), None)
    return list(SessionCatalogue(home / "sessions", SystemClock()).list())


app = Starlette(lifespan=_listing)
