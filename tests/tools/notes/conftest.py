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
