"""What the tests of the RAG tool share."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Served = tuple[str, subprocess.Popen[bytes]]
"""URL and process of a server."""


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Return what starts a Chroma server, on a free port or the given one; all are ended at the end."""
    started: list[subprocess.Popen[bytes]] = []

    def start(port: int = 0) -> Served:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            port = probe.getsockname()[1]
        chroma = str(Path(sys.executable).with_name("chroma"))
        command = [chroma, "run", "--host", "127.0.0.1", "--port", str(port), "--path", str(tmp_path / "server")]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        started.append(process)
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        return f"http://127.0.0.1:{port}", process

    yield start
    for process in started:
        process.kill()
        process.wait()
