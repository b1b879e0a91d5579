"""A real `langgraph dev` server, driven over its HTTP API as Studio does."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_sync_client
from maintainer.graph import Maintainer
from maintainer.graph.sessions import thread_id

ROOT = Path(__file__).parents[2]
START_S = 60.0
KEY = "AKIAIOSFODNN7EXAMPLE"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def server(shop: Path, tmp_path: Path) -> Iterator[str]:
    url = f"http://127.0.0.1:{(port := free_port())}"
    quiet = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "true", "LANGSMITH_TRACING": "false"}
    ours = {"MAINTAINER_REPO": str(shop), "MAINTAINER_EMBEDDER": "none", "LANGGRAPH_STRICT_MSGPACK": "true"}
    command = [Path(sys.executable).with_name("langgraph"), "dev", "--no-browser", "--no-reload", "--port", str(port)]
    log = tmp_path / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--config", ROOT / "langgraph.json"],
            cwd=tmp_path,
            env={**os.environ, **quiet, **ours},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            wait_until_up(url, process, log)
            yield url
        finally:
            process.terminate()
            process.wait(timeout=20)


def wait_until_up(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/ok", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the server did not start: {log.read_text('utf-8', 'replace')[-3000:]}")


def test_a_session_of_the_command_line_goes_on_in_the_server(server: str, shop: Path) -> None:
    thread = thread_id("studio")
    question = {"request": f"Where are orders placed? My key is {KEY}.", "mode": "explore"}
    with get_sync_client(url=server) as client:
        client.threads.create(thread_id=thread, graph_id="maintainer", if_exists="do_nothing")
        out: Any = client.runs.wait(thread, "maintainer", input=question)
        steps = client.threads.get_history(thread, limit=20)
    assert "orders.py" in out["answer"], out
    assert out["turn"] == 1
    assert [p for p in (shop / ".maintainer").rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()] == []
    nodes = {each for step in steps for each in step["next"]}
    assert {"gather", "select", "structure", "llm_call", "record"} <= nodes

    with Maintainer(shop, embedder="none") as maintainer:
        answer = maintainer.run("And what do they cost?", mode="explore", session="studio")
        maintainer.run("And what do they cost?", mode="explore", session="made beside the server")
    assert answer.turn == 2
    assert remembered(server, "Where are orders placed?") == ["Where are orders placed?"]
    assert thread_id("made beside the server") in listed(server)


def remembered(server: str, question: str) -> list[str]:
    """Return the memories of the server's store that begin with a question, cut to its length."""
    with get_sync_client(url=server) as client:
        found = client.store.search_items(("memory", "episodic"), limit=100)["items"]
    told = [item["value"]["content"].removeprefix("Q: ") for item in found]
    return [content[: len(question)] for content in told if content.startswith(question)]


def listed(server: str) -> set[str]:
    """Return the threads the server lists, as soon as it has looked for new sessions."""
    with get_sync_client(url=server) as client:
        for _ in range(60):
            threads = client.threads.search(metadata={"session": "made beside the server"})
            if threads:
                break
            time.sleep(0.5)
        return {thread["thread_id"] for thread in threads}
