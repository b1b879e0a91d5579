"""One model call of a turn: limits hold, the last answer is never empty, usage and citations are kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from maintainer.nodes.llm_call import SHRINK, corrected, llm_call
from maintainer.state.errors import ModelError
from maintainer.state.session import Exchange, Prompt, Reply, SessionState, ToolCall, Usage
from maintainer.tools.fakes import ScriptedModel, asking
from maintainer.tools.models import ContextTooLong
from maintainer.tools.places import Places

DEFINITION = {"type": "function", "function": {"name": "terminal", "description": "", "parameters": {}}}
PAIR = Exchange(call=ToolCall(id="c", name="terminal", arguments={"command": "ls"}), result="a.py")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "a.py").write_text("x = 1\n", "utf-8")
    return Places(tmp_path)


def write(_: SessionState, *, why: str) -> str:
    return f"evidence only ({why})"


def ask(
    model: ScriptedModel | None, places: Places, *, definitions: Sequence[Any] = (DEFINITION,), **state: Any
) -> tuple[Any, SessionState]:
    before = SessionState(**{"request": "?", "prompt": Prompt(system="s", user="u", tokens=100), **state})
    update = llm_call(
        before,
        model=model,
        definitions=definitions,
        write=write,
        places=places,
        max_steps=3,
        reply_tokens=50,
        ceiling=1000,
        turn_tokens=1000,
    )
    return update, before


def test_calls_go_on_and_an_answer_ends_the_turn_with_its_citations(places: Places) -> None:
    model = ScriptedModel([asking("terminal", command="ls"), "It is in a.py:1."])
    update, _ = ask(model, places)
    assert [call.id for call in update["reply"].calls] == ["c00010000"]
    assert "answer" not in update
    update, _ = ask(model, places, step=1)
    assert (update["answer"], update["step"], update["outcome"]) == ("It is in a.py:1.", 2, "")
    assert [(each.path, each.valid) for each in update["citations"]] == [("a.py", True)]


def test_without_a_model_the_evidence_speaks(places: Places) -> None:
    update, _ = ask(None, places)
    assert (update["answer"], update["reply"].model) == ("evidence only ()", "none")


def test_a_citation_or_a_claim_that_does_not_hold_is_marked_in_the_answer(places: Places) -> None:
    update, _ = ask(ScriptedModel(["See b.py:7. All tests pass."]), places)
    assert "> - b.py:7: no such file: 'b.py'" in update["answer"]
    assert "> - All tests pass." in update["answer"]
    assert update["reply"].text == "See b.py:7. All tests pass."


def test_the_last_call_offers_no_tools_and_says_why(places: Places) -> None:
    model = ScriptedModel(["enough"])
    update, _ = ask(model, places, step=2, language="zh")
    assert model.offered == [[]]
    assert model.prompts[0].user.endswith("不再调用工具(stopped after 3 model calls):请根据已知内容作答。")
    assert update["outcome"] == "stopped after 3 model calls"


def test_a_turn_over_its_tokens_gets_its_last_word(places: Places) -> None:
    update, _ = ask(ScriptedModel(["enough"]), places, used=Usage(input_tokens=900, output_tokens=100))
    assert update["outcome"] == "stopped after 1000 of 1000 tokens"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   \n",
        asking("terminal", command="ls"),
        '```json\n{"name": "terminal", "arguments": {"command": "ls"}}\n```',
    ],
    ids=["empty", "blank", "another call", "a call written out"],
)
def test_a_last_answer_that_is_none_is_replaced_by_the_evidence(places: Places, reply: Any) -> None:
    update, _ = ask(ScriptedModel([reply]), places, step=2)
    assert update["answer"] == "evidence only (stopped after 3 model calls)"
    assert update["reply"].calls == []


def test_an_empty_answer_in_mid_turn_says_what_it_is(places: Places) -> None:
    update, _ = ask(ScriptedModel([Reply(text="", notices=["cut off at 50 tokens"])]), places)
    assert update["answer"] == "evidence only (scripted answered nothing; cut off at 50 tokens)"
    assert update["failures"][0].reason == "cut off at 50 tokens"


def test_a_failing_model_is_an_error_before_and_an_answer_after_tools_were_used(places: Places) -> None:
    with pytest.raises(ModelError, match="down"):
        ask(ScriptedModel([ModelError("down")]), places)
    update, _ = ask(ScriptedModel([ModelError("down")]), places, exchanges=[PAIR])
    assert update["answer"].splitlines() == [
        "What the tools showed before that:",
        "- `terminal: ls` → a.py",
        "",
        "evidence only (down)",
    ]
    assert update["failures"][0].reason == "down"


def test_a_request_too_long_is_made_smaller_once_and_then_given_up(places: Places) -> None:
    update, _ = ask(ScriptedModel([ContextTooLong("8k")]), places)
    assert (update["reply"], update["shrink"]) == (None, SHRINK)
    assert "step" not in update, "it was no step"
    update, _ = ask(ScriptedModel([ContextTooLong("8k")]), places, shrink=SHRINK)
    assert "stayed too long" in update["answer"]


FIXED = {"Role & Policies": 200, "Task": 500, "Evidence": 90, "tools": 400, "Output": 50, "overhead": 10}


def test_a_correction_leaves_what_every_request_needs(places: Places) -> None:
    large = Prompt(system="s", user="u", tokens=900, sections=FIXED)
    update, _ = ask(ScriptedModel([ContextTooLong("8k")]), places, prompt=large)
    assert update["shrink"] == pytest.approx(0.8), "not 0.7: 800 of 1000 tokens are needed"
    reply = Reply(text="ok", usage=Usage(input_tokens=1800))
    update, _ = ask(ScriptedModel([reply]), places, prompt=large)
    assert update["token_factor"] == pytest.approx(1.25), "not 2.0"


def test_a_request_that_cannot_be_made_smaller_is_given_up_at_once(places: Places) -> None:
    full = Prompt(system="s", user="u", tokens=900, sections={**FIXED, "tools": 700})
    update, _ = ask(ScriptedModel([ContextTooLong("8k")]), places, prompt=full)
    assert "stayed too long" in update["answer"]


def test_what_a_call_used_is_added_and_the_user_is_told_what_happened(places: Places) -> None:
    usage = Usage(input_tokens=150, output_tokens=7, calls=1, cost_usd=0.5)
    update, _ = ask(ScriptedModel([Reply(text="ok", usage=usage, notices=["first is down"])]), places)
    assert update["spent"] == update["used"] == usage
    assert update["token_factor"] == 1.5
    assert update["outcome"] == "first is down"
    assert [(each.where, each.reason) for each in update["failures"]] == [("llm_call", "first is down")]


@pytest.mark.parametrize(
    ("factor", "ours", "reported", "expected"),
    [
        (1.0, 1000, 1300, 1.3),
        (1.3, 1000, 1000, 1.27),
        (1.0, 1000, 700, 1.0),
        (1.2, 1000, 0, 1.2),
        (1.2, 0, 1000, 1.2),
        (1.0, 10, 1000, 2.0),
    ],
)
def test_the_provider_s_count_corrects_ours_quickly_up_and_slowly_down(
    factor: float, ours: int, reported: int, expected: float
) -> None:
    assert corrected(factor, ours, reported) == pytest.approx(expected)
