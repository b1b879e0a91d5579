"""What needs a yes waits for one, in the state, for as long as it takes; a user can speak between steps."""

from pathlib import Path
from typing import Any

import pytest
from maintainer.graph import Maintainer
from maintainer.state.errors import ConfigError, UnknownSession
from maintainer.state.session import Prompt, Reply, ToolCall
from maintainer.tools.fakes import ScriptedModel, asking

PYTHON = asking("terminal", command="python3 --version")
PLAN = {"title": "Split", "steps": [{"text": "List callers"}, {"text": "Move pricing", "after": [1]}]}


def opened(shop: Path, model: ScriptedModel, **settings: Any) -> Maintainer:
    return Maintainer(shop, model=model, embedder="none", **{"approvals": True, **settings})


def results(prompt: Prompt) -> list[str]:
    return [each.result for each in prompt.exchanges]


def test_a_command_outside_the_list_waits_and_runs_after_a_yes_in_another_process(shop: Path) -> None:
    with opened(shop, ScriptedModel([PYTHON])) as maintainer:
        waiting = maintainer.run("Which Python?", mode="explore", session="s")
    assert waiting.status == "interrupted"
    ((question,),) = [each["questions"] for each in waiting.questions]
    assert question["what"] == "python3 --version"
    assert "not on the list" in question["reason"]
    assert "outside the sandbox" in question["risk"]
    model = ScriptedModel(["It is Python 3."])
    with opened(shop, model) as maintainer:
        answer = maintainer.resume("s", "once")
    assert (answer.status, answer.text) == ("finished", "It is Python 3.")
    assert results(model.prompts[0])[0].startswith("Python 3")


def test_a_no_is_told_to_the_model_and_never_asked_again(shop: Path) -> None:
    model = ScriptedModel([PYTHON, PYTHON, "I cannot know."])
    with opened(shop, model) as maintainer:
        maintainer.run("Which Python?", mode="explore", session="s")
        answer = maintainer.resume("s", "never")
    assert answer.status == "finished"
    assert all("the user said no" in result for result in results(model.prompts[-1]))


def test_once_is_for_one_call_and_session_for_all_that_follow(shop: Path) -> None:
    model = ScriptedModel([PYTHON, PYTHON, PYTHON, "done", PYTHON, "done again"])
    with opened(shop, model) as maintainer:
        maintainer.run("Which Python?", mode="explore", session="s")
        second = maintainer.resume("s", "once")
        assert second.status == "interrupted", "the same command in a later step is asked about again"
        third = maintainer.resume("s", "session")
        assert (third.status, third.text) == ("finished", "done")
        assert maintainer.run("And now?", mode="explore", session="s").text == "done again"
        elsewhere = maintainer
        model._script = iter([PYTHON, "x"])
        assert elsewhere.run("Which?", mode="explore", session="other").status == "interrupted"


def test_several_commands_are_decided_one_by_one(shop: Path) -> None:
    commands = ["python3 --version", "wc -l README.md", "perl --version"]
    reply = Reply(text="", calls=[ToolCall(id="", name="terminal", arguments={"command": each}) for each in commands])
    model = ScriptedModel([reply, "done"])
    with opened(shop, model) as maintainer:
        waiting = maintainer.run("Versions?", mode="explore", session="s")
        asked = {each["what"]: each["call"] for each in waiting.questions[0]["questions"]}
        assert set(asked) == {"python3 --version", "perl --version"}
        maintainer.resume("s", {asked["python3 --version"]: "once", asked["perl --version"]: "use Python only"})
    python, count, perl = results(model.prompts[-1])
    assert python.startswith("Python 3")
    assert "README.md" in count
    assert perl.endswith("The user says: use Python only")


def test_a_plan_is_followed_only_after_the_user_agreed(shop: Path) -> None:
    model = ScriptedModel([asking("plan_update", **PLAN), asking("plan_update", **PLAN), "The plan is laid out."])
    with opened(shop, model) as maintainer:
        waiting = maintainer.run("Plan the split", mode="plan", session="s")
        assert "1. [ ] List callers" in waiting.questions[0]["questions"][0]["what"]
        again = maintainer.resume("s", "测试放在第一步")
        assert again.status == "interrupted"
        assert "The user says: 测试放在第一步" in results(model.prompts[-1])[0]
        answer = maintainer.resume("s", "once")
    assert len(answer.notes) == 1


def test_without_approvals_nothing_waits(shop: Path) -> None:
    model = ScriptedModel([PYTHON, "No way."])
    with opened(shop, model, approvals=False) as maintainer:
        assert maintainer.run("Which Python?", mode="explore").status == "finished"
    assert "refused" in results(model.prompts[-1])[0]


def test_a_message_between_steps_is_part_of_the_next_request(shop: Path) -> None:
    def interfere(_: Prompt) -> Reply:
        maintainer.steer("只看 shop/services", "s")
        return asking("terminal", command="ls shop")

    model = ScriptedModel([interfere, asking("terminal", command="ls shop/services"), "Only services."])
    with opened(shop, model) as maintainer:
        maintainer.run("Where are orders placed?", mode="explore", session="s")
        state = maintainer.graph.get_state({"configurable": {"thread_id": maintainer.sessions()[0].thread_id}}).values
    assert ["只看 shop/services" in prompt.user for prompt in model.prompts] == [False, True, True]
    assert state["history"][-2].content == "Where are orders placed?\n\n只看 shop/services"
    assert [prompt.user.count("只看 shop/services") for prompt in model.prompts][2] == 1


def test_steering_needs_a_text_and_a_session(shop: Path) -> None:
    with opened(shop, ScriptedModel([])) as maintainer:
        with pytest.raises(ConfigError, match="must say what to add"):
            maintainer.steer(" ", "s")
        with pytest.raises(UnknownSession):
            maintainer.steer("hello", "nobody")
