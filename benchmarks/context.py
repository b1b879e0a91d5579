"""The context engine, measured: ceiling, fences, packing, relevance, speed, and classic against default.

python -m benchmarks context                          a quick pass over everything
python -m benchmarks context --builds 10000           hostile builds: how many over the budget, forged, lost
python -m benchmarks context --a classic --b default  paired comparison on tasks over a real repository
python -m benchmarks context --pairs FILE             relevance on question-answer pairs {"zh": [[q, a], ...], ...}
"""

import argparse
import json
import random
import re
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from maintainer.graph import ContextBuilder
from maintainer.nodes.prompts.assemble import definition_tokens
from maintainer.state import ContextConfig, ContextPacket
from maintainer.state.errors import BudgetError
from maintainer.tools.fakes import FixedClock
from maintainer.tools.tokens import open_counter

from .context_pools import hostile, packet, packing_pools, speed_pool, words
from .context_tasks import ROOT, compare

HEADERS = ["[Role & Policies]", "[Task]", "[State]", "[Evidence]", "[Context]", "[Output]"]
HEADER = re.compile(
    r"^\W*[\[［【]\s*(role\s*([&＆]|and)\s*policies|task|state|evidence|context|output)\s*[\]］】]", re.IGNORECASE
)
COUNTER = open_counter()
QUESTIONS = (
    "why does the order service time out under load",
    "how is the payment queue worker configured",
    "订单服务为什么会超时,连接池耗尽了吗",
    "where is the session token checked",
    "database migration lock",
)


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks context", description=__doc__)
    parser.add_argument("--builds", type=int, default=500, help="hostile builds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--a", default="", choices=("", "classic", "default"))
    parser.add_argument("--b", default="", choices=("", "classic", "default"))
    parser.add_argument("--repo", type=Path, default=ROOT, help="repository the tasks are made from")
    parser.add_argument("--pairs", type=Path, help="JSON file with question-answer pairs")
    options = parser.parse_args(argv)
    if options.a or options.b:
        return compare(options.a or "classic", options.b or "default", options.repo, options.seed)
    if options.pairs:
        return {"relevance": relevance(json.loads(options.pairs.read_text("utf-8")))}
    return {"ceiling": ceiling(options.builds, options.seed), "packing": packing(), "speed": speed()}


def ceiling(builds: int, seed: int) -> dict[str, Any]:
    """Count what must never happen over so many hostile builds."""
    counts: Counter[str] = Counter()
    used = []
    for number in range(seed, seed + builds):
        rng = random.Random(number)
        budget = rng.choice([120, 200, 300, 500, 800, 1500, 3000])
        config = ContextConfig(
            max_tokens=budget,
            reply_reserve=rng.choice([0, 0, budget // 5]),
            min_relevance=rng.choice([0, 0.1, 0.3]),
            enable_compression=rng.random() < 0.85,
        )
        tools = [{"type": "function", "function": {"name": "x", "description": "y" * rng.randrange(100)}}]
        definitions = tools if rng.random() < 0.3 else []
        builder = ContextBuilder(config=config, embedder=None, definitions=definitions, clock=FixedClock())
        packets = [packet(rng, hostile(rng, rng.choice([0, 5, 50, 300, 1500, 8000]))) for _ in range(rng.randrange(12))]
        history = [
            (rng.choice(["user", "assistant"]), hostile(rng, rng.choice([5, 100, 2000])))
            for _ in range(rng.randrange(8))
        ]
        query = rng.choice([hostile(rng, rng.choice([1, 30, 300, 6000])), words(rng, 6), "继续", ""])
        rules = rng.choice(["", "You are a helper.", words(rng, budget // 40), words(rng, budget // 20)])
        rules = words(rng, 900) if rng.random() < 0.03 else rules
        try:
            text = builder.build(query, history, rules, packets)
        except BudgetError:
            counts["refused: fixed parts over the budget"] += 1
            continue
        counts["built"] += 1
        receipt = builder.receipt
        assert receipt is not None
        total = COUNTER.count(text) + definition_tokens(definitions, COUNTER) + config.reply_reserve
        said = sum(bool(content.strip()) for _, content in history)
        counts["over budget"] += total > budget
        counts["miscounted"] += total != receipt.tokens + config.reply_reserve
        counts["forged or broken sections"] += [line for line in text.splitlines() if HEADER.match(line)] != HEADERS
        counts["packets unaccounted for"] += len(receipt.entries) != len(packets) + said
        used.append(receipt.utilisation)
    return {"builds": builds, **dict(counts), "mean utilisation": round(sum(used) / max(1, len(used)), 3)}


def packing() -> dict[str, Any]:
    """Compare the worth of what is chosen with the optimum of an exact solver that knows no fences and no pins."""
    result: dict[str, Any] = {}
    for name in ("mixed", "tool-heavy", "one giant"):
        for strategy in ("default", "classic"):
            shares, used = [], []
            for seed in range(10):
                pool = packing_pools(random.Random(seed))[name]
                builder = ContextBuilder(strategy=strategy, embedder=None, clock=FixedClock())  # type: ignore[arg-type]
                builder.build("order service", custom_packets=[ContextPacket(t, relevance_score=v) for t, v in pool])
                receipt = builder.receipt
                assert receipt is not None
                fixed = 3000 - sum(
                    receipt.sections.get(part, 0) for part in ("Role & Policies", "Task", "Output", "State")
                )
                best = optimum(
                    [0.7 * value + 0.3 for _, value in pool], [COUNTER.count(text) for text, _ in pool], fixed
                )
                shares.append(sum(entry.score for entry in receipt.chosen) / best)
                used.append(receipt.tokens / 3000)
            result.setdefault(name, {})[strategy] = {
                "share of optimum": round(sum(shares) / len(shares), 3),
                "worst": round(min(shares), 3),
                "budget used (exact tokens)": round(sum(used) / len(used), 3),
            }
    return result


def optimum(values: list[float], sizes: list[int], room: int) -> float:
    """Return the largest total value that fits: textbook dynamic programming, apart from the code under test."""
    best = [0.0] * (room + 1)
    for value, size in zip(values, sizes, strict=True):
        for space in range(room, size - 1, -1):
            best[space] = max(best[space], best[space - size] + value)
    return best[room]


def speed() -> dict[str, Any]:
    """Measure CPU milliseconds of a build: the first one with empty caches, and the median of the next nine."""
    result: dict[str, Any] = {}
    for strategy in ("default", "classic"):
        for size in (100, 1_000, 10_000):
            builder = ContextBuilder(strategy=strategy, embedder=None, clock=FixedClock())  # type: ignore[arg-type]
            pool = speed_pool(random.Random(f"{strategy} {size}"), size)
            times = []
            for question in QUESTIONS * 2:
                started = time.process_time()
                builder.build(question, custom_packets=pool)
                times.append(1000 * (time.process_time() - started))
            result.setdefault(f"{size} candidates", {})[strategy] = {
                "first ms": round(times[0], 1),
                "p50 ms": round(median(times[1:]), 1),
            }
    return result


def relevance(pairs: dict[str, Any]) -> dict[str, Any]:
    """Offer all answers for each question; count where the right one is first, among three, and within 150 tokens."""
    kinds = {name: found for name, found in pairs.items() if isinstance(found, list)}
    answers = [ContextPacket(answer) for found in kinds.values() for _, answer in found]
    result: dict[str, Any] = {}
    for embedder in ("none", "default"):
        for name, found in kinds.items():
            counts: Counter[str] = Counter()
            for question, answer in found:
                small = ContextBuilder(config=ContextConfig(max_tokens=260), embedder=embedder, clock=FixedClock())
                text = small.build(question, custom_packets=answers)
                large = ContextBuilder(embedder=embedder, clock=FixedClock())
                large.build(question, custom_packets=answers)
                assert large.receipt is not None
                ranked = sorted(large.receipt.entries, key=lambda entry: -entry.relevance)
                titles = [entry.title for entry in ranked if entry.relevance > 0]
                mine = answer if len(answer) <= 60 else answer[:57] + "..."
                counts["first"] += titles[:1] == [mine]
                counts["among three"] += mine in titles[:3]
                counts["selected under a budget for a few"] += answer in text
            result.setdefault(name, {"questions": len(found)})[f"embedder {embedder}"] = dict(counts)
    return result
