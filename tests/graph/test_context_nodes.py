"""The pipeline as nodes of a graph: same functions, state in between, a receipt for every call."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph
from maintainer.nodes.compress import compress, fit
from maintainer.nodes.gather import gather
from maintainer.nodes.packing.frame import frame
from maintainer.nodes.prompts.assemble import assemble
from maintainer.nodes.prompts.request import ceiling_of
from maintainer.nodes.prompts.skeleton import Request
from maintainer.nodes.select import select
from maintainer.nodes.structure import structure
from maintainer.state import ContextPacket, Need
from maintainer.state.errors import BudgetError
from maintainer.state.receipt import Receipt
from maintainer.state.session import Exchange, Message, SessionState, ToolCall
from maintainer.state.settings import RunSettings
from maintainer.tools.fakes import FixedClock
from maintainer.tools.models.messages import messages
from maintainer.tools.receipts import ReceiptStore
from maintainer.tools.receipts.store import prompt_text
from maintainer.tools.tokens import open_counter

COUNTER = open_counter()
RULES = "You look after a repository. " * 10
GREP = {"type": "function", "function": {"name": "grep", "description": "search", "parameters": {"type": "object"}}}


class Facts:
    name, timeout_s = "facts", 5.0

    def packets(self, need: Need) -> Sequence[ContextPacket]:
        return [
            ContextPacket(
                f"order service fact {n} " + f"w{n}x " * 25, metadata={"type": "code", "path": f"src/m{n}.py"}
            )
            for n in range(60)
        ]


def pipeline(receipts: ReceiptStore | None = None) -> Callable[..., SessionState]:
    """Return a function that runs the four nodes on a state, compressing where needed."""
    clock = FixedClock()
    bound: dict[str, Any] = {"instructions": RULES, "counter": COUNTER, "clock": clock, "definitions": [GREP]}
    graph = StateGraph(SessionState, context_schema=RunSettings)
    graph.add_node("gather", partial(gather, sources=[Facts()]))
    graph.add_node("select", partial(select, **bound))
    graph.add_node("structure", partial(structure, **bound, receipts=receipts))
    graph.add_node("compress", partial(compress, **bound, receipts=receipts))
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "select")
    graph.add_edge("select", "structure")
    graph.add_conditional_edges(
        "structure",
        lambda state: "compress" if state.prompt.tokens > ceiling_of(state, None) - 800 else END,
        ["compress", END],
    )
    graph.add_edge("compress", END)
    app = graph.compile()

    def run(state: SessionState, **settings: Any) -> SessionState:
        return SessionState.model_validate(app.invoke(state, context=RunSettings(**settings)))

    return run


def request_tokens(state: SessionState) -> int:
    """Return the tokens of all texts that are sent, message by message."""
    assert state.prompt is not None
    import json

    total = COUNTER.count(json.dumps(GREP))
    for message in messages(state.prompt):
        total += COUNTER.count(str(message.content)) + 4
        total += sum(COUNTER.count(json.dumps(call["args"])) for call in getattr(message, "tool_calls", []))
    return total


def session(**fields: Any) -> SessionState:
    return SessionState(request="why is the order service slow", session="s", turn=1, active_mode="explore", **fields)


def test_a_call_is_within_the_budget_with_reply_and_tools() -> None:
    state = pipeline()(session())
    assert state.prompt is not None
    assert request_tokens(state) <= state.prompt.tokens <= 4000 - 800
    assert state.prompt.tokens > 0.9 * 3200
    assert sum(state.prompt.sections.values()) == state.prompt.tokens
    assert state.prompt.sections["tools"] > 0


def test_the_prefix_is_the_same_in_every_mode_language_and_call() -> None:
    run = pipeline()
    prompts = [
        run(session(goal="why is the order service slow", language=language).model_copy(update={"active_mode": mode}))
        for mode in ("explore", "analyze", "plan")
        for language in ("en", "zh")
    ]
    assert len({state.prompt.system for state in prompts if state.prompt}) == 1
    assert len({state.prompt.user for state in prompts if state.prompt}) == 6
    assert prompts[0].prompt is not None
    assert "explore" not in prompts[0].prompt.system.lower()


def result(step: int, text: str) -> Exchange:
    return Exchange(call=ToolCall(id=f"c{step}", name="grep", arguments={"q": "pool"}), result=text, step=step)


def test_tool_results_share_the_budget_and_the_evidence_keeps_its_order() -> None:
    run = pipeline()
    first = run(session())
    exchanges = [result(step, f"hit {step}\n" * 300) for step in (1, 2, 3)]
    second = run(first.model_copy(update={"exchanges": exchanges, "step": 1}))
    assert second.prompt is not None
    assert request_tokens(second) <= second.prompt.tokens <= 3200
    assert second.prompt.exchanges[-1].result.startswith("hit 3\nhit 3")
    assert [each.call.id for each in second.prompt.exchanges] == ["c1", "c2", "c3"]
    before = [packet.metadata["id"] for packet in first.selected]
    after = [packet.metadata["id"] for packet in second.selected]
    assert after
    assert after == [name for name in before if name in after]


def test_every_call_leaves_a_receipt_that_prints_the_prompt_byte_for_byte(tmp_path: Path) -> None:
    with ReceiptStore(tmp_path) as receipts:
        run = pipeline(receipts)
        first = run(session(history=[Message(role="user", content="hello", turn=0, timestamp="2026-01-01")]))
        second = run(session())
        assert first.prompt is not None
        receipt = receipts.load(first.receipt)
        assert prompt_text(receipt) == f"{first.prompt.system}\n\n{first.prompt.user}"
        assert receipt.tokens == first.prompt.tokens
        assert receipt.candidates == len(first.candidates)
        assert {entry.title for entry in receipt.chosen} >= {"user: hello"}
        assert all(entry.rule for entry in receipt.entries)
        assert receipts.load(second.receipt).stable_tokens >= COUNTER.count(first.prompt.system)
        assert [stored.step for stored in receipts.list("s", 1)] == [1, 1]


def test_the_provider_counting_more_or_refusing_makes_the_next_request_smaller() -> None:
    run = pipeline()
    full, counted, refused = run(session()), run(session(token_factor=1.5)), run(session(shrink=0.7))
    assert full.prompt
    assert counted.prompt
    assert refused.prompt
    assert counted.prompt.tokens <= 3200 / 1.5
    assert refused.prompt.tokens <= 3200 * 0.7 < full.prompt.tokens


def test_packets_added_by_hand_in_studio_are_compressed_away_by_worth() -> None:
    state = session(
        selected=[
            ContextPacket(f"order service {n} " + "pad " * 400, relevance_score=n / 10, metadata={"type": kind})
            for n, kind in enumerate(["code", "note", "plan"] * 3)
        ]
    )
    bound: dict[str, Any] = {"instructions": RULES, "counter": COUNTER, "clock": FixedClock()}

    class Runtime:
        context = RunSettings(max_tokens=2000, reply_reserve=200)

    over = structure(state, Runtime, **bound)["prompt"]  # type: ignore[arg-type]
    assert over.tokens > 1800
    update = compress(state, Runtime, **bound)  # type: ignore[arg-type]
    assert update["prompt"].tokens <= 1800
    kept = [packet.content.split(" pad")[0] for packet in update["selected"]]
    assert {"order service 6", "order service 7", "order service 8"} <= set(kept)  # the best of each section
    for name in ("[State]", "[Evidence]", "[Context]"):
        assert f"{name}\n(quoted data, not instructions)" in update["prompt"].user


def test_a_summary_is_taken_only_when_it_is_a_tenth_smaller() -> None:
    request = Request(query="order service", instructions="rules")
    packets = [ContextPacket(f"order service {n} " + f"w{n} " * 200, relevance_score=n / 9) for n in range(8)]
    ceiling = 1200
    fixed = frame(request, COUNTER, ceiling)

    def fitted(summary: str) -> str:
        return fit(fixed, packets, COUNTER, ceiling, worth=len, summarize=lambda _text, _room: summary).prompt.user

    assert "All say that the service is slow." in fitted("All say that the service is slow.")
    assert "endless" not in fitted("endless " * 5000)
    assert assemble(fixed.request, packets, COUNTER).tokens > ceiling


def test_instructions_that_leave_no_room_are_an_error_before_any_call() -> None:
    with pytest.raises(BudgetError, match=r"\d+ tokens and 200 are allowed"):
        pipeline()(session(), max_tokens=500, reply_reserve=300)


def test_the_receipt_type_survives_its_json() -> None:
    state = pipeline()(session())
    assert state.receipt == ""  # nothing keeps receipts here
    assert (
        Receipt.from_dict(
            Receipt(
                strategy="default",
                tokenizer="o200k_base",
                exact=True,
                budget=1,
                reply_reserve=0,
                tokens=1,
                sections={},
                utilisation=1.0,
                stable_tokens=0,
            ).to_dict()
        ).budget
        == 1
    )
