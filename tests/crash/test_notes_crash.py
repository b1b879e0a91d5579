"""Notes that were acknowledged survive kill -9 at any point; `make crash` kills 200 times, the suite a fixed few."""

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


def test_a_few_kills_lose_no_note() -> None:
    figures = kill(15, seed=11)
    assert figures["wrong"] == []
    assert figures["kills"] == 15
    assert figures["acknowledged"] > 15


@pytest.mark.crash
def test_two_hundred_kills_lose_no_note() -> None:
    figures = kill(200, seed=21)
    assert figures["wrong"] == []
    assert figures["kills"] == 200
