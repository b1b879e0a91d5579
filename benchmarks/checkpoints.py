"""What checkpointing costs over months: size of the database, CPU a turn, time to read the state.

A turn has six nodes, as the maintainer's, and writes what they write: 30 candidates, 12 selected packets, a prompt of
12 kB, an answer of 3 kB. CPU for checkpointing is that of the run minus that of the same run without a checkpointer.
"""

import argparse
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph
from maintainer.graph.checkpoints import Checkpointer, KeepPolicy, open_checkpointer
from maintainer.state.packet import ContextPacket
from maintainer.state.session import Message, Prompt, Reply, SessionInput, SessionState, Usage

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEXT = "The order service reads prices twice; 价格读取了两次。 def price(order): return order.total\n"


def text(size: int, turn: int) -> str:
    return (f"{turn} " + TEXT * (size // len(TEXT) + 1))[:size]


def build(checkpointer: Checkpointer | None) -> Any:
    def packets(count: int) -> list[ContextPacket]:
        return [
            ContextPacket(content=text(500, number), timestamp=NOON, token_count=120, metadata={"type": "code"})
            for number in range(count)
        ]

    def structure(state: SessionState) -> dict[str, Any]:
        return {"prompt": Prompt(system=text(2000, 0), user=text(10_000, state.turn), tokens=3000)}

    def llm_call(state: SessionState) -> dict[str, Any]:
        return {"reply": Reply(text=text(3000, state.turn)), "answer": text(3000, state.turn), "spent": Usage()}

    def record(state: SessionState) -> dict[str, Any]:
        said = Message(role="assistant", content=state.answer, turn=state.turn, timestamp=NOON)
        return {"history": [*state.history, said][-20:], "candidates": [], "selected": [], "prompt": None}

    builder = StateGraph(SessionState, input_schema=SessionInput)
    nodes = {
        "open_turn": lambda state: {"turn": state.turn + 1, "answer": ""},
        "gather": lambda _: {"candidates": packets(30)},
        "select": lambda _: {"selected": packets(12)},
        "structure": structure,
        "llm_call": llm_call,
        "record": record,
    }
    for name, node in nodes.items():
        builder.add_node(name, node)
    for before, after in zip([START, *nodes], [*nodes, END], strict=True):
        builder.add_edge(before, after)
    return builder.compile(checkpointer=checkpointer)


def run(argv: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks checkpoints", description=__doc__)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--url", help="a PostgreSQL server; by default a SQLite file")
    parser.add_argument("--encrypted", action="store_true")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        key = b"0123456789abcdef0123456789abcdef" if options.encrypted else None
        saver = open_checkpointer(options.url or Path(folder) / "checkpoints.sqlite", key=key)
        try:
            return measure(saver, options.turns)
        finally:
            saver.close()


def measure(saver: Checkpointer, turns: int) -> dict[str, Any]:
    config = {"configurable": {"thread_id": "benchmark"}}
    app, bare = build(saver), build(None)
    sizes, with_saver, without = [], 0.0, 0.0
    for turn in range(turns):
        started = time.process_time()
        app.invoke({"request": f"question {turn}"}, config, durability="sync")
        saver.settle()
        saver.prune_thread("benchmark", KeepPolicy())
        with_saver += time.process_time() - started
        if turn % 10 == 0:  # the bare run costs the same every time
            started = time.process_time()
            bare.invoke({"request": f"question {turn}", **app.get_state(config).values})
            without += 10 * (time.process_time() - started)
        if turn % max(1, turns // 10) == 0:
            sizes.append(saver.size_bytes())
    reads = []
    for _ in range(50):
        started = time.perf_counter()
        app.get_state(config)
        reads.append(time.perf_counter() - started)
    started = time.perf_counter()
    history = len([*app.get_state_history(config)])
    history_ms = (time.perf_counter() - started) * 1000
    saver.delete_thread("benchmark")
    return {
        "turns": turns,
        "megabytes": round(sizes[-1] / 1e6, 1),
        "megabytes_on_the_way": [round(size / 1e6, 1) for size in sizes],
        "checkpoint_cpu_ms_per_turn": round((with_saver - without) / turns * 1000, 1),
        "whole_cpu_ms_per_turn": round(with_saver / turns * 1000, 1),
        "state_read_ms_median": round(statistics.median(reads) * 1000, 2),
        "history_rows": history,
        "history_ms": round(history_ms, 1),
    }
