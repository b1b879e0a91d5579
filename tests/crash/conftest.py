"""What the tests of this folder share: work done in a process of its own."""

import json
import os
import traceback
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def in_child() -> Callable[[Callable[[], Any]], Any]:
    """Run work in a forked process, whose limits and rights are its own, and return what it returned."""
    return forked


def forked(work: Callable[[], Any]) -> Any:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            told = {"result": work()}
        except BaseException:  # noqa: BLE001 - whatever it is, the parent must see it
            told = {"crash": traceback.format_exc()}
        os.write(writer, json.dumps(told).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    told = json.loads(text)
    assert "crash" not in told, told["crash"]
    return told["result"]
