"""Tool calls are run in parallel, kept as pairs, and loops come to an end."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from maintainer.nodes.act import MOST_CALLS, TOLD, act
from maintainer.state.session import Exchange, Reply, SessionState, ToolCall
from maintainer.tools.tokens import open_counter
from maintainer.tools.toolset.gate import Gate
from maintainer.tools.toolset.tool import Arguments, Asked, Caller, Outcome, Tool


class Word(Arguments):
    word: str = ""


class Kept:
    def put(self, text: str) -> str:
        return f"h{len(text)}"


GATE = Gate(open_counter(), Kept(), lambda text: text, max_tokens=200)


def tool(run: Callable[[Any, Caller], Outcome], **more: Any) -> dict[str, Tool]:
    return {"say": Tool(name="say", description="Say it.", arguments=Word, run=run, **more)}


def echo(arguments: Word, _: Caller) -> Outcome:
    return Outcome(text=f"said {arguments.word}", counts={"said": 1}, notes=[f"n_{arguments.word}"])


def state(*words: str, exchanges: Sequence[Exchange] = (), step: int = 1, **more: Any) -> SessionState:
    calls = [ToolCall(id=f"c{step}{place}", name="say", arguments={"word": word}) for place, word in enumerate(words)]
    reply = Reply(text="hm", calls=calls, model="m", thinking=[{"type": "thinking"}])
    return SessionState(request="?", session="s", turn=1, reply=reply, exchanges=list(exchanges), step=step, **more)


def test_every_call_gets_its_result_in_order_with_what_the_provider_wants_back() -> None:
    update = act(state("a", "b"), tools=tool(echo), gate=GATE)
    assert [(each.call.id, each.result) for each in update["exchanges"]] == [("c10", "said a"), ("c11", "said b")]
    assert {(each.reasoning, each.model, str(each.thinking)) for each in update["exchanges"]} == {
        ("hm", "m", "[{'type': 'thinking'}]")
    }
    assert (update["stats"], update["notes"]) == ({"tool_calls": 2, "said": 2}, ["n_a", "n_b"])


def test_calls_of_one_reply_run_at_the_same_time() -> None:
    together = threading.Barrier(3, timeout=20)

    def wait(arguments: Word, _: Caller) -> Outcome:
        together.wait()
        return Outcome(text=arguments.word)

    update = act(state("a", "b", "c"), tools=tool(wait), gate=GATE)
    assert [each.failed for each in update["exchanges"]] == [False] * 3


def test_a_call_made_twice_in_one_reply_is_run_once_and_answered_twice() -> None:
    update = act(state("a", "a", "b"), tools=tool(echo), gate=GATE)
    assert [each.result for each in update["exchanges"]] == ["said a", "said a", "said b"]
    assert update["stats"] == {"tool_calls": 3, "said": 2}


def test_thirty_calls_at_once_are_all_answered_and_eight_are_run() -> None:
    update = act(state(*map(str, range(30))), tools=tool(echo), gate=GATE)
    assert len(update["exchanges"]) == 30
    assert [each.failed for each in update["exchanges"]] == [False] * MOST_CALLS + [True] * (30 - MOST_CALLS)
    assert "at most 8 are run" in update["exchanges"][-1].result
    assert update["stats"]["said"] == MOST_CALLS


def played(run: Callable[[Any, Caller], Outcome], times: int) -> tuple[list[str], list[str]]:
    """Return the results and the outcomes of the same call made again and again."""
    exchanges: list[Exchange] = []
    results, outcomes = [], []
    for step in range(1, times + 1):
        update = act(state("a", exchanges=exchanges, step=step), tools=tool(run), gate=GATE)
        exchanges += update["exchanges"]
        results.append(update["exchanges"][0].result)
        outcomes.append(update["outcome"])
    return results, outcomes


def test_the_same_call_with_the_same_result_is_told_at_the_third_time_and_stopped_at_the_fourth() -> None:
    results, outcomes = played(echo, 4)
    assert results == ["said a", "said a", TOLD, TOLD]
    assert outcomes[:3] == ["", "", ""]
    assert outcomes[3].startswith("stopped: say was called the same way again")


def test_the_same_call_with_new_results_is_no_loop() -> None:
    numbers = iter(range(10))
    results, outcomes = played(lambda *_: Outcome(text=str(next(numbers))), 6)
    assert results == ["0", "1", "2", "3", "4", "5"]
    assert not any(outcomes)


def test_long_results_are_capped_and_keep_their_handle() -> None:
    update = act(state("a"), tools=tool(lambda *_: Outcome(text="word " * 5000)), gate=GATE)
    (exchange,) = update["exchanges"]
    assert open_counter().count(exchange.result) <= 200
    assert exchange.handle == "h25000"


def asks(_: Any, __: Caller) -> Asked:
    return Asked(what="say it aloud", reason="it is loud")


@pytest.mark.parametrize(
    ("decided", "result"),
    [
        ({}, "Not run: it is loud. Find another way, or ask the user."),
        ({"approvals": {"c10": "once"}}, "said a"),
        ({"approvals": {"c10": "never"}}, "Not run: the user said no. Find another way, or ask the user."),
        ({"agreed": {"say it aloud": "session"}}, "said a"),
        ({"agreed": {"something else": "session"}}, "Not run: it is loud. Find another way, or ask the user."),
        (
            {"approvals": {"c10": "never"}, "remarks": {"c10": "whisper"}},
            "Not run: the user said no. Find another way, or ask the user. The user says: whisper",
        ),
    ],
)
def test_what_needs_a_yes_runs_only_with_one(decided: Mapping[str, Any], result: str) -> None:
    update = act(state("a", **decided), tools=tool(echo, ask=asks), gate=GATE)
    assert update["exchanges"][0].result == result


def test_what_the_user_says_between_steps_joins_the_request() -> None:
    box = {"m1": "only the cart", "m2": "in Chinese"}
    update = act(state("a", heard=["m0"]), tools=tool(echo), gate=GATE, mail=lambda session, heard: box)
    assert update["request"] == "?\n\nonly the cart\n\nin Chinese"
    assert update["heard"] == ["m0", "m1", "m2"]
    assert "request" not in act(state("a"), tools=tool(echo), gate=GATE)
