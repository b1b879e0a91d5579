"""Stand-ins behave like what they stand for."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import repeat

import pytest
from maintainer.state.errors import ModelError
from maintainer.state.session import Prompt, Reply, ToolCall
from maintainer.tools.clock import Clock, SystemClock
from maintainer.tools.fakes import FixedClock, ScriptedModel, asking
from pydantic import BaseModel

ASK = Prompt(system="rules", user="task")


@pytest.mark.parametrize("clock", [SystemClock(), FixedClock()], ids=["system", "fixed"])
def test_a_clock_tells_aware_utc_and_never_runs_backwards(clock: Clock) -> None:
    first, second = clock.now(), clock.now()
    assert first.utcoffset() == timedelta(0)
    assert second >= first


def test_a_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock(datetime(2026, 3, 1, tzinfo=UTC))
    assert clock.now() == clock.now()
    clock.advance(days=2, minutes=5)
    assert clock.now() == datetime(2026, 3, 3, 0, 5, tzinfo=UTC)


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(TypeError, match="must be timezone-aware"):
        FixedClock(datetime(2026, 3, 1))


def test_a_scripted_model_plays_its_steps_in_order_and_remembers_what_it_saw() -> None:
    model = ScriptedModel([asking("terminal", command="ls"), "two files", lambda prompt: f"seen: {prompt.user}"])
    first = model.reply(ASK, [{"type": "function"}])
    assert first.calls == [ToolCall(id="scripted_1_0", name="terminal", arguments={"command": "ls"})]
    assert [model.reply(ASK).text for _ in range(2)] == ["two files", "seen: task"]
    assert model.prompts == [ASK, ASK, ASK]
    assert model.offered == [[{"type": "function"}], [], []]


def test_a_scripted_failure_is_raised_and_the_script_goes_on() -> None:
    model = ScriptedModel([ModelError("down"), "up again"])
    with pytest.raises(ModelError, match="down"):
        model.reply(ASK)
    assert model.reply(ASK).text == "up again"


def test_asking_past_the_end_of_a_script_fails_loudly() -> None:
    model = ScriptedModel(["only this"])
    model.reply(ASK)
    with pytest.raises(AssertionError, match="ended after 1 steps"):
        model.reply(ASK)


def test_a_scripted_text_is_streamed_whole_word_by_word() -> None:
    heard: list[str] = []
    model = ScriptedModel([" two  words\n", ""])
    model.reply(ASK, on_text=heard.append)
    model.reply(ASK, on_text=heard.append)
    assert "".join(heard) == " two  words\n"
    assert len(heard) == 2


def test_threads_never_get_the_same_step_of_a_script() -> None:
    model = ScriptedModel(map(str, range(200)))
    with ThreadPoolExecutor(8) as pool:
        texts = [reply.text for reply in pool.map(model.reply, [ASK] * 200)]
    assert sorted(texts, key=int) == [str(number) for number in range(200)]


def test_an_endless_script_gives_every_call_an_id_of_its_own() -> None:
    model = ScriptedModel(repeat(Reply(text="", calls=[ToolCall(id="", name="terminal")] * 2)))
    ids = [call.id for _ in range(3) for call in model.reply(ASK).calls]
    assert len(set(ids)) == 6


class Verdict(BaseModel):
    good: bool


def test_forms_are_checked_against_the_schema_and_run_out_as_a_model_error() -> None:
    model = ScriptedModel([], forms=[{"good": True}, Verdict(good=False), lambda prompt: {"good": prompt.user == "u"}])
    assert [model.structured("s", "u", Verdict).good for _ in range(3)] == [True, False, True]
    with pytest.raises(ModelError, match="no form left for Verdict"):
        model.structured("s", "u", Verdict)
    assert [prompt.user for prompt in model.asked_forms] == ["u"] * 4
