from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.tools.archive import Archive


@pytest.fixture
def open_archive(tmp_path: Path) -> Iterator[Callable[..., Archive]]:
    """Open the archive of this test, as often as it likes; all are closed at the end."""
    opened: list[Archive] = []

    def open_one(**settings: int) -> Archive:
        opened.append(Archive(tmp_path, **settings))
        return opened[-1]

    yield open_one
    for archive in opened:
        archive.close()
