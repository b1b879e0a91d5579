"""Auto: how often a request gets its mode, by its words and by words and meaning; and where the weights come from.

python -m benchmarks modes [--folds 5] [--seed 0] [--write]

One linear model, softmax regression, learns each example twice, with the vector of its meaning and without, so that its
weights for words serve both. It is measured by cross-validation, where examples of one frame stay together, and, as it
is shipped, on two tables it never learns from: everyday requests (`mode_requests_fresh.tsv`) and roundabout ones
(`mode_requests_held_out.tsv`). `--write` learns from all examples and writes
`tools/mode_words.tsv` and `tools/mode_weights.json`.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from maintainer.tools.embeddings import open_embedder
from maintainer.tools.mode_choice import CLEAR, pick_mode
from maintainer.tools.mode_meaning import ModeMeaning
from maintainer.tools.mode_words import KINDS, SCALE, runs_of
from numpy.typing import NDArray

from .mode_examples import Example, load, requests

TOOLS = Path(__file__).parents[1] / "tools"
KEPT = 12_000
"""Runs that are shipped: those whose weights matter most."""
FRAMES = 2
"""Frames or requests a run must stand in to be learnt."""
PENALTY = 0.1
"""Of the squared weights, per class; by cross-validation among 0.03, 0.1 and 0.25."""
WORDS = 0.4
"""Size of the words beside the meaning; 0.2 and 0.75 were no better."""
ROUNDS, STEP = 200, 0.15
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Model:
    """What was learnt."""

    words: Mapping[str, Numbers]
    """Weight of a run for each of `KINDS`; a request's sum is divided by the root of the number of its runs."""
    meaning: Numbers
    """Shape (dimension + 1, kinds); the last row is added to every request that has a vector."""


def run(argv: list[str]) -> dict[str, Any]:
    """Return the shares of requests that get their mode, and write the weights where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks modes", description=__doc__)
    parser.add_argument("--folds", type=int, default=5, help="0: no cross-validation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    examples = load()
    embedder = open_embedder("default")
    assert embedder is not None, "the default encoder is installed with the program"
    found: dict[str, Any] = {"examples": len(examples), "groups": len({each.group for each in examples})}
    if options.folds or options.write:
        vectors = np.asarray(embedder.embed([each.said for each in examples]), dtype=np.float64)
    if options.folds:
        found["cross_validated"] = _cross_validated(examples, vectors, options.folds, options.seed)
    if options.write:
        _write(embedder.name, learn(examples, vectors))
    meaning = ModeMeaning(embedder)
    for table in ("fresh", "held_out"):
        asked = requests(f"mode_requests_{table}.tsv")
        found[table] = {
            "by_words": shares(asked, [_picked(each.said, {}) for each in asked]),
            "by_both": shares(asked, [_picked(each.said, meaning(each.said)) for each in asked]),
        }
    return found


def learn(examples: Sequence[Example], vectors: Numbers) -> Model:
    """Return the model of examples whose meanings are vectors, shape (examples, dimension)."""
    texts = [sorted({run.text for run in runs_of(each.said)}) for each in examples]
    groups: dict[str, set[str]] = defaultdict(set)
    for each, said in zip(examples, texts, strict=True):
        for text in said:
            groups[text].add(each.group)
    count = len({each.group for each in examples})
    rarity = {
        text: WORDS * (1 + np.log((1 + count) / (1 + len(of)))) for text, of in groups.items() if len(of) >= FRAMES
    }
    known = sorted(rarity)
    words, _ = _fit(examples, texts, {text: rarity[text] for text in known}, vectors)
    matter = {text: np.ptp(words[at]) * rarity[text] * len(groups[text]) ** 0.25 for at, text in enumerate(known)}
    kept = sorted({"<", *sorted(known, key=lambda text: -matter[text])[:KEPT]})  # "<" stands in every request
    words, meaning = _fit(examples, texts, {text: rarity[text] for text in kept}, vectors)
    return Model(words={text: words[at] * rarity[text] for at, text in enumerate(kept)}, meaning=meaning)


def _fit(
    examples: Sequence[Example], texts: Sequence[Sequence[str]], inputs: Mapping[str, float], vectors: Numbers
) -> tuple[Numbers, Numbers]:
    """Return weights of words, shape (inputs, kinds), and of meaning, by softmax regression (Adam, all at once)."""
    place = {text: at for at, text in enumerate(inputs)}
    row, at, value = [], [], []
    for number, said in enumerate(texts):
        for text in said:
            if text in place:
                row.append(number)
                at.append(place[text])
                value.append(inputs[text] / np.sqrt(len(said)))
    rows, columns, values = np.array(row), np.array(at), np.array(value)
    starts = np.searchsorted(rows, np.arange(len(texts)))
    wanted = np.eye(len(KINDS))[[KINDS.index(each.kind) for each in examples]]
    share = np.array([[each.weight / 2] for each in examples])
    meant = np.hstack([vectors, np.ones((len(vectors), 1))])
    words, meaning = np.zeros((len(place), len(KINDS))), np.zeros((meant.shape[1], len(KINDS)))
    mean, square = [np.zeros_like(words), np.zeros_like(meaning)], [np.zeros_like(words), np.zeros_like(meaning)]
    for count in range(1, ROUNDS + 1):
        said = np.add.reduceat(words[columns] * values[:, None], starts)
        alone, both = ((_chances(each) - wanted) * share for each in (said, said + meant @ meaning))
        missed = (alone + both)[rows] * values[:, None]
        slopes = [
            np.stack([np.bincount(columns, each, len(place)) for each in missed.T], 1) + PENALTY * words,
            meant.T @ both + PENALTY * meaning,
        ]
        step = STEP * (1 - (count - 1) / ROUNDS)
        for part, slope in enumerate(slopes):
            mean[part] = 0.9 * mean[part] + 0.1 * slope
            square[part] = 0.99 * square[part] + 0.01 * slope**2
            move = (mean[part] / (1 - 0.9**count)) / (np.sqrt(square[part] / (1 - 0.99**count)) + 1e-8)
            (words, meaning)[part][:] -= step * move
    return words, meaning


def _chances(logits: Numbers) -> Numbers:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True))


def _cross_validated(examples: Sequence[Example], vectors: Numbers, folds: int, seed: int) -> dict[str, Any]:
    """Return shares by models that have seen no example of the same frame; one example stands for a frame."""
    groups = sorted({each.group for each in examples})
    np.random.default_rng(seed).shuffle(groups)
    fold = {group: at % folds for at, group in enumerate(groups)}
    first = {each.group: at for at, each in reversed(list(enumerate(examples)))}
    asked, by_words, by_both = [], [], []
    for held in range(folds):
        kept = [at for at, each in enumerate(examples) if fold[each.group] != held]
        model = learn([examples[at] for at in kept], vectors[kept])
        for at in (at for group, at in first.items() if fold[group] == held):
            texts = {run.text for run in runs_of(examples[at].said)}
            said = sum((model.words[text] for text in texts if text in model.words), np.zeros(len(KINDS)))
            said = said / np.sqrt(len(texts))
            asked.append(examples[at])
            by_words.append(KINDS[int(said.argmax())])
            by_both.append(KINDS[int((said + np.append(vectors[at], 1.0) @ model.meaning).argmax())])
    return {"by_words": shares(asked, by_words), "by_both": shares(asked, by_both)}


def shares(asked: Sequence[Example], picked: Sequence[str]) -> dict[str, float]:
    """Return the share of requests that got their kind: of all, by source, by language and by kind."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for each, kind in zip(asked, picked, strict=True):
        language = "en" if each.said.isascii() else "zh"
        for part in ("all", each.source, language, each.kind):
            total[part] += 1
            right[part] += kind == each.kind
    return {part: round(right[part] / total[part], 3) for part in total}


def _picked(said: str, meaning: Mapping[str, float]) -> str:
    choice = pick_mode(said, meaning=meaning)
    return "unclear" if choice.confidence < CLEAR else choice.mode


def _write(embedder: str, model: Model) -> None:
    words = {text: np.rint((each[:-1] - each[-1]) * SCALE).astype(int) for text, each in model.words.items()}
    rows = [f"{text}\t{' '.join(map(str, each))}\n" for text, each in words.items() if each.any()]
    (TOOLS / "mode_words.tsv").write_text("".join(rows), "utf-8")
    shifted = (model.meaning - model.meaning[:, -1:]).round(3)
    plain = {kind: shifted[:, at].tolist() for at, kind in enumerate(KINDS[:-1])}
    text = json.dumps({"embedder": embedder, "weights": plain})
    (TOOLS / "mode_weights.json").write_text(text + "\n", "utf-8")
