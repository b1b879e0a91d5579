"""Auto: how often a request gets its mode, by words, by meaning and by both; and where its weights come from.

python -m benchmarks modes [--folds 10] [--seed 0] [--write]

The requests are in `mode_requests.tsv`, half of them Chinese. Meaning is measured on requests its weights have not seen
(cross-validation); the cues of the words were written with most of these requests in view, so their figures flatter
them. `--write` learns from all requests and writes `tools/mode_weights.json`.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from maintainer.tools.embeddings import open_embedder
from maintainer.tools.mode_choice import CLEAR, pick_mode
from numpy.typing import NDArray

REQUESTS = Path(__file__).with_name("mode_requests.tsv")
WEIGHTS = Path(__file__).parents[1] / "tools" / "mode_weights.json"
MODES = ("explore", "analyze", "plan", "unclear")
RIDGE = 2.0
"""Weight of the penalty, by cross-validation among 0.3, 1, 2 and 4."""
Numbers = NDArray[np.float64]


def run(argv: list[str]) -> dict[str, Any]:
    """Return the shares of requests that get their mode, and write the weights where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks modes", description=__doc__)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    requests = load()
    embedder = open_embedder("default")
    assert embedder is not None, "the default encoder is installed with the program"
    vectors = np.asarray(embedder.embed([said for said, _ in requests]), dtype=np.float64)
    seen = dict(_unseen(requests, vectors, options.folds, options.seed))
    if options.write:
        _write(embedder.name, learn(vectors, [mode for _, mode in requests]))
    return {
        "requests": len(requests),
        "by_words": _share(requests, {}),
        "by_meaning": float(np.mean([max(seen[said], key=seen[said].__getitem__) == mode for said, mode in requests])),
        "by_both": _share(requests, seen),
    }


def load() -> list[tuple[str, str]]:
    """Return requests with the mode each should get."""
    lines = (line for line in REQUESTS.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [(said, mode) for mode, said in (line.split("\t") for line in lines)]


def learn(vectors: Numbers, modes: Sequence[str]) -> Numbers:
    """Return weights, shape (dimension + 1, modes), by ridge regression on centred one-hot modes."""
    inputs = np.hstack([vectors, np.ones((len(vectors), 1))])
    wanted = np.eye(len(MODES))[[MODES.index(mode) for mode in modes]]
    square = inputs.T @ inputs + RIDGE * np.eye(inputs.shape[1])
    return np.asarray(np.linalg.solve(square, inputs.T @ (wanted - wanted.mean(0))))


def _unseen(
    requests: Sequence[tuple[str, str]], vectors: Numbers, folds: int, seed: int
) -> list[tuple[str, dict[str, float]]]:
    """Return each request with its scores by weights that were learnt without it."""
    order = np.random.default_rng(seed).permutation(len(requests))
    found = []
    for fold in range(folds):
        held = order[fold::folds]
        kept = np.setdiff1d(order, held)
        weights = learn(vectors[kept], [requests[at][1] for at in kept])
        scores = np.hstack([vectors[held], np.ones((len(held), 1))]) @ weights
        found += [
            (requests[at][0], dict(zip(MODES, row, strict=True))) for at, row in zip(held, scores.tolist(), strict=True)
        ]
    return found


def _share(requests: Sequence[tuple[str, str]], meaning: Mapping[str, Mapping[str, float]]) -> float:
    right = 0
    for said, mode in requests:
        choice = pick_mode(said, meaning=meaning.get(said, {}))
        right += mode == ("unclear" if choice.confidence < CLEAR else choice.mode)
    return right / len(requests)


def _write(embedder: str, weights: Numbers) -> None:
    plain = {mode: [round(float(each), 4) for each in weights[:, at]] for at, mode in enumerate(MODES)}
    WEIGHTS.write_text(json.dumps({"embedder": embedder, "weights": plain}) + "\n", "utf-8")
