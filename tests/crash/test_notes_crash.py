"""Notes that were acknowledged survive kill -9 at any point; `make crash` kills 200 times, the suite 20 times."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HARNESS = Path(__file__).with_name("notes_harness.py")


def kill(times: int, seed: int) -> dict[str, Any]:
    command = [sys.executable, str(HARNESS), "--kills", str(times), "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("{"), done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    print(done.stdout)
    return figures


def test_twenty_kills_lose_no_note() -> None:
    figures = kill(20, seed=11)
    assert figures["wrong"] == []
    assert figures["kills"] == 20
    assert figures["acknowledged"] > 20


@pytest.mark.crash
def test_two_hundred_kills_lose_no_note() -> None:
    figures = kill(200, seed=21)
    assert figures["wrong"] == []
    assert figures["kills"] == 200
