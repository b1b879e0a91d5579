import os
import resource
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def open_tool(folder: Path, clock: FixedClock) -> Iterator[Callable[[], NoteTool]]:
    """Opens the folder as another process would: with nothing in memory. Search by words alone, which is quick."""
    opened: list[NoteTool] = []

    def open_again() -> NoteTool:
        opened.append(NoteTool(folder, clock=clock, embedder=None))
        return opened[-1]

    yield open_again
    for tool in opened:
        tool.close()


@pytest.fixture
def tool(open_tool: Callable[[], NoteTool]) -> NoteTool:
    return open_tool()


@pytest.fixture
def room_for() -> Iterator[Callable[[int], None]]:
    """Lets no file grow beyond so many bytes, as on a full disk; -1 for no limit."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (before[0] if size < 0 else size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


@pytest.fixture
def as_ordinary_user(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Gives up root's right to write everywhere until the test ends."""
    root = os.geteuid() == 0
    for path in (tmp_path, *tmp_path.parents):
        if root and path.is_relative_to("/tmp/") and path != Path("/tmp"):
            path.chmod(path.stat().st_mode | 0o055)
    yield lambda: os.seteuid(65534) if root else None
    if root:
        os.seteuid(0)
