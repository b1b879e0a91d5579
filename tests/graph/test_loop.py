"""Whatever a model does, the ceiling holds, the session stays whole and the answer is never empty."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import count, repeat
from pathlib import Path
from typing import Any

import pytest
from maintainer.graph import Maintainer
from maintainer.nodes.act import TOLD
from maintainer.state.session import Prompt, Reply, ToolCall, Usage
from maintainer.tools.fakes import ScriptedModel, asking
from maintainer.tools.models import ContextTooLong
from maintainer.tools.models.messages import messages
from maintainer.tools.tokens import open_counter

BUDGET = 4000
CEILING = BUDGET - 800
COUNTER = open_counter()
Open = Callable[..., AbstractContextManager[Maintainer]]


@pytest.fixture
def logs(shop: Path) -> Path:
    (shop / "logs").mkdir()
    line = "2026-01-05 12:00:{0:02d} ERROR checkout: timeout after 30s order={1}\n"
    (shop / "logs" / "app.log").write_text("".join(line.format(n % 60, n) for n in range(18_000)), "utf-8")
    (shop / "logs" / "one_line.json").write_text(json.dumps([{"id": n, "key": "值"} for n in range(40_000)]), "utf-8")
    return shop


@pytest.fixture
def run(logs: Path) -> Callable[..., Any]:
    """Run one turn of a scripted model and check what must hold whatever it did."""

    def play(model: ScriptedModel, request: str = "Why do checkouts fail?", **settings: Any) -> Any:
        with Maintainer(logs, model=model, embedder="none", budget=BUDGET, **settings) as maintainer:
            answer = maintainer.run(request, mode="explore", session="s")
            config = {"configurable": {"thread_id": maintainer.sessions()[0].thread_id}}
            state = maintainer.graph.get_state(config)
        assert answer.text.strip()
        assert answer.status == "finished"
        assert state.tasks == ()
        for prompt in model.prompts:
            assert sent_tokens(prompt) <= prompt.tokens <= CEILING
            assert_pairs(prompt)
        return answer

    return play


def sent_tokens(prompt: Prompt) -> int:
    """Return the tokens of the texts that go to the provider, counted anew (definitions and overhead come on top)."""
    sent = [str(message.content) + json.dumps(getattr(message, "tool_calls", []) or "") for message in messages(prompt)]
    return sum(COUNTER.count(text) for text in sent) - sum(COUNTER.count('""') for _ in sent)


def assert_pairs(prompt: Prompt) -> None:
    """Every call is followed by its result, in one block per step, as providers demand."""
    waiting: list[str] = []
    for message in list(messages(prompt))[2:]:
        calls = [call["id"] for call in getattr(message, "tool_calls", [])]
        if calls:
            assert not waiting
            waiting = calls
        else:
            assert message.tool_call_id == waiting.pop(0)  # type: ignore[attr-defined]
    assert not waiting


def test_megabytes_of_logs_and_one_line_json_fit_and_can_be_read_again(run: Callable[..., Any]) -> None:
    model = ScriptedModel(
        [
            asking("terminal", command="cat logs/app.log"),
            asking("terminal", command="cat logs/one_line.json"),
            asking("read_lines", path="logs/app.log"),
            asking("terminal", command="grep -c ERROR logs/app.log"),
            "18,000 errors, see logs/app.log:1.",
        ]
    )
    answer = run(model)
    assert [(each.path, each.valid) for each in answer.citations] == [("logs/app.log", True)]
    last = model.prompts[-1].exchanges
    assert last[-1].result == "18000"
    assert last[0].handle
    assert "order=0" not in model.prompts[0].user


def test_a_loop_is_told_then_stopped_with_what_is_known(run: Callable[..., Any]) -> None:
    answer = run(ScriptedModel(repeat(asking("terminal", command="wc -l logs/app.log"))))
    assert "called the same way again" in answer.detail
    assert "`terminal: wc -l logs/app.log` → 18000 logs/app.log" in answer.text
    assert answer.stats["commands_executed"] == 4


def test_a_loop_can_be_left_when_it_is_told(run: Callable[..., Any]) -> None:
    def look(prompt: Prompt) -> Reply | str:
        told = any(each.result == TOLD for each in prompt.exchanges)
        return "It has 18,000 lines." if told else asking("terminal", command="wc -l logs/app.log")

    answer = run(ScriptedModel(repeat(look)))
    assert (answer.text, answer.detail) == ("It has 18,000 lines.", "")


def never_stops() -> Iterator[Reply]:
    return (asking("terminal", command=f"head -n {number} logs/app.log") for number in count(1))


def test_a_model_that_never_stops_is_asked_for_its_last_word(run: Callable[..., Any]) -> None:
    model = ScriptedModel(never_stops())
    answer = run(model, max_steps=7)
    assert len(model.prompts) == 7
    assert model.offered[-1] == []
    assert answer.detail == "stopped after 7 model calls"
    assert answer.model == "none"


def test_a_turn_has_a_limit_of_tokens(run: Callable[..., Any]) -> None:
    model = ScriptedModel(
        reply.model_copy(update={"usage": Usage(input_tokens=3000, output_tokens=200, calls=1)})
        for reply in never_stops()
    )
    answer = run(model, turn_tokens=9_000)
    assert len(model.prompts) == 4
    assert answer.detail == "stopped after 9600 of 9000 tokens"
    assert answer.usage.calls == 4


def test_thirty_tools_at_once_are_all_answered(run: Callable[..., Any]) -> None:
    many = Reply(
        text="",
        calls=[
            ToolCall(id="same", name="terminal", arguments={"command": f"head -n {n}00 logs/app.log"})
            for n in range(30)
        ],
    )
    model = ScriptedModel([many, "Enough."])
    answer = run(model)
    assert answer.stats["tool_calls"] == 30
    assert answer.stats["commands_executed"] == 8


GARBAGE = [
    ToolCall(id="", name="terminal", arguments={"cmd": "ls"}),
    ToolCall(id="", name="no such tool\n", arguments={}),
    ToolCall(id="", name="x" * 100_000, arguments={"command": "y" * 100_000}),
    ToolCall(id="", name="terminal", arguments={"command": "echo " + "词" * 3_000}),
    ToolCall(id="", name="read_lines", arguments={"path": "\ud800", "first": 2**70}),
    ToolCall(id="", name="plan_update", arguments={"title": "x", "steps": [[[[[[]]]]]]}),
    ToolCall(id="", name="delegate", arguments={"kind": "wizard"}),
]


def test_garbage_is_answered_and_can_be_stored(run: Callable[..., Any]) -> None:
    model = ScriptedModel([Reply(text="\ud83d" + "think " * 50_000, calls=GARBAGE), "Sorry."])
    answer = run(model)
    assert answer.stats["tool_calls"] == len(GARBAGE)
    results = " ".join(each.result for each in model.prompts[1].exchanges)
    assert "There is no tool" in results or "cleared" in results


@pytest.mark.parametrize("reply", ["", " \n\t", Reply(text="", calls=[])], ids=["empty", "blank", "nothing at all"])
def test_an_empty_answer_is_replaced_by_what_is_known(run: Callable[..., Any], reply: Any) -> None:
    answer = run(ScriptedModel([reply]))
    assert "answered nothing" in answer.detail
    assert answer.model == "none"


def test_a_request_found_too_long_is_built_again_smaller_and_asked_once_more(run: Callable[..., Any]) -> None:
    model = ScriptedModel([ContextTooLong("8,000 > 4,096"), "It is in logs/app.log:1."])
    answer = run(model)
    first, second = model.prompts
    assert second.tokens <= 0.7 * CEILING < first.tokens
    assert answer.text == "It is in logs/app.log:1."
    assert "8,000 > 4,096" in [failure.reason for failure in answer.failures]


def test_a_request_that_stays_too_long_is_answered_without_the_model(run: Callable[..., Any]) -> None:
    model = ScriptedModel([ContextTooLong("too long"), ContextTooLong("too long")])
    answer = run(model)
    assert len(model.prompts) == 2
    assert "stayed too long" in answer.detail


def test_a_provider_that_counts_more_tokens_gets_smaller_requests(run: Callable[..., Any]) -> None:
    def heavy(prompt: Prompt) -> Reply:
        usage = Usage(input_tokens=int(prompt.tokens * 1.5), output_tokens=10, calls=1)
        return asking("terminal", command="cat logs/app.log").model_copy(update={"usage": usage})

    model = ScriptedModel([heavy, "Done reading."])
    run(model)
    assert model.prompts[1].tokens <= CEILING / 1.5


def test_the_session_goes_on_after_the_worst_turn(logs: Path) -> None:
    model = ScriptedModel([Reply(text="", calls=GARBAGE), "", "The second answer."])
    with Maintainer(logs, model=model, embedder="none") as maintainer:
        maintainer.run("first", mode="explore", session="s")
    with Maintainer(logs, model=model, embedder="none") as maintainer:
        answer = maintainer.run("second", mode="explore", session="s")
    assert (answer.turn, answer.text) == (2, "The second answer.")


@pytest.mark.parametrize("budget", [1500, 2000])
def test_a_small_budget_and_a_provider_that_counts_double_do_not_end_a_session(logs: Path, budget: int) -> None:
    def heavy(prompt: Prompt) -> Reply:
        return Reply(text="It is in logs/app.log:1.", usage=Usage(input_tokens=2 * prompt.tokens, calls=1))

    model = ScriptedModel([heavy, ContextTooLong("too long"), heavy, heavy])
    with Maintainer(logs, model=model, embedder="none", budget=budget, reply_tokens=200) as maintainer:
        answers = [maintainer.run(f"Question {n}?", mode="explore", session="s") for n in range(3)]
    assert [answer.status for answer in answers] == ["finished"] * 3
    assert all(answer.text.strip() for answer in answers)
    assert all(prompt.tokens <= budget - 200 for prompt in model.prompts)
