"""Sub-agents: clean windows, a report each, a failing one alone, resumed alone."""

import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import pytest
from langgraph.runtime import RunControl
from maintainer.graph import Maintainer
from maintainer.graph.subagents import STEPS, LinkedControl
from maintainer.state.errors import ModelError
from maintainer.state.session import Prompt, Reply, ToolCall, Usage
from maintainer.tools.fakes import ScriptedModel, asking

ASKED = "Look at the cart and taxes"
CART, TAX = "Find where the cart keeps its items", "Find where taxes are computed"
FOUND = "- The cart keeps its items in a list (shop/services/checkout.py:1).\n\nOpen questions:\n- Is it thread-safe?"


def handing_out(*tasks: str) -> Reply:
    calls = [ToolCall(id="", name="delegate", arguments={"kind": "explorer", "task": task}) for task in tasks]
    return Reply(text="", calls=calls)


class Cast(ScriptedModel):
    """A model that plays one script for the parent and one for each task."""

    def __init__(self, parent: list[Any], **agents: list[Any]) -> None:
        self.parent = ScriptedModel(parent, name="parent")
        self.agents = {name: ScriptedModel(script, name=name) for name, script in agents.items()}
        super().__init__([], name="cast")

    def reply(self, prompt: Prompt, *rest: Any, **named: Any) -> Reply:
        words = {"cart": CART, "tax": TAX}
        part = next((each for name, each in self.agents.items() if words[name] in prompt.user), self.parent)
        if ASKED in prompt.user:
            part = self.parent
        return part.reply(prompt, *rest, **named)


def run(shop: Path, model: Cast, **settings: Any) -> Any:
    with Maintainer(shop, model=model, embedder="none", **settings) as maintainer:
        return maintainer.run(ASKED, mode="explore", session="s")


def reports(model: Cast) -> list[str]:
    return [each.result for each in model.parent.prompts[-1].exchanges]


def test_each_sub_agent_has_a_clean_window_few_tools_and_returns_a_report(shop: Path) -> None:
    model = Cast([handing_out(CART), "Thanks."], cart=[asking("terminal", command="ls shop"), FOUND])
    answer = run(shop, model)
    assert (answer.text, answer.stats["delegations_done"]) == ("Thanks.", 1)
    seen = model.agents["cart"].prompts
    assert all(ASKED not in prompt.user for prompt in seen)
    offered = {each["function"]["name"] for each in model.agents["cart"].offered[0]}
    assert "terminal" in offered
    assert not offered & {"delegate", "plan_update", "note_write"}
    (report,) = reports(model)
    head, finding, *questions = report.splitlines()
    assert head.startswith("[explorer: done, ")
    assert finding.startswith("1. The cart keeps its items")
    assert questions == ["Open questions:", "- Is it thread-safe?"]


def test_the_trace_can_be_opened_by_its_handle(shop: Path) -> None:
    def open_trace(prompt: Prompt) -> Reply:
        handle = prompt.exchanges[0].result.split("trace ")[1].split("]")[0]
        return asking("expand", handle=handle)

    model = Cast([handing_out(CART), open_trace, "Thanks."], cart=[asking("terminal", command="ls shop"), FOUND])
    run(shop, model)
    trace = reports(model)[-1]
    assert "[task]" in trace
    assert "terminal {'command': 'ls shop'}" in trace


def test_sub_agents_work_at_the_same_time(shop: Path) -> None:
    together = threading.Barrier(2, timeout=60)

    def wait(_: Prompt) -> str:
        together.wait()
        return FOUND

    model = Cast([handing_out(CART, TAX), "Both."], cart=[wait], tax=[wait])
    assert run(shop, model).stats["delegations"] == 2
    assert len(reports(model)) == 2


def test_a_failing_one_costs_only_its_own_part(shop: Path) -> None:
    model = Cast([handing_out(CART, TAX), "One of two."], cart=[ModelError("the model is down")], tax=[FOUND])
    answer = run(shop, model)
    assert (answer.stats["delegations_error"], answer.stats["delegations_done"]) == (1, 1)
    failed, good = reports(model)
    assert "Problem: ModelError: the model is down" in failed
    assert good.startswith("[explorer: done")


@pytest.mark.parametrize(
    ("script", "status", "problem"),
    [
        (["It is somewhere."], "partial", "no finding has a source that holds"),
        (["See shop/nowhere.py:3."], "partial", "no finding has a source that holds"),
        ([""], "partial", "answered nothing"),
        ([asking("terminal", command=f"head -n {n} README.md") for n in range(1, STEPS + 1)], "budget", "model calls"),
    ],
    ids=["no source", "wrong source", "empty", "never stops"],
)
def test_done_needs_a_source_that_holds(shop: Path, script: list[Any], status: str, problem: str) -> None:
    model = Cast([handing_out(CART), "Thanks."], cart=script)
    assert run(shop, model).stats[f"delegations_{status}"] == 1
    assert problem in reports(model)[0]


def test_what_sub_agents_use_is_added_to_the_session(shop: Path) -> None:
    used = Reply(text=FOUND, usage=Usage(input_tokens=700, output_tokens=30, calls=1, cost_usd=0.25))
    model = Cast([handing_out(CART, TAX), "Thanks."], cart=[used], tax=[used])
    answer = run(shop, model)
    assert (answer.usage.input_tokens, answer.usage.cost_usd) == (1400, 0.5)
    assert answer.used == answer.usage


def test_a_sub_agent_stops_with_its_parent_and_not_the_other_way_round() -> None:
    parent = RunControl()
    child = LinkedControl(parent)
    child.request_drain("time_limit")
    assert (child.drain_reason, parent.drain_requested) == ("time_limit", False)
    parent.request_drain("shutdown")
    assert LinkedControl(parent).drain_requested
    assert not LinkedControl(None).drain_requested


@pytest.mark.parametrize(("reason", "status"), [("shutdown", "drained"), ("time_limit", "time_limit")])
def test_a_stopped_session_resumes_its_sub_agent_where_it_was(shop: Path, reason: str, status: str) -> None:
    stops = RunControl()

    def stop(_: Prompt) -> Reply:
        stops.request_drain(reason)
        return asking("terminal", command="ls shop")

    model = Cast([handing_out(CART)], cart=[stop])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        sessions: Any = maintainer._sessions
        from maintainer.graph.build import run_settings
        from maintainer.state.session import SessionInput

        with sessions.writing("s", repo=str(shop)) as session:
            turn = session.run(
                maintainer.graph,
                SessionInput(request=ASKED, mode="explore", turn_id="t1"),
                run_settings(maintainer.options),
                control=stops,
            )
    assert turn.status == status
    again = Cast(["Thanks."], cart=[FOUND])
    with Maintainer(shop, model=again, embedder="none") as maintainer:
        answer = maintainer.resume("s")
    assert (answer.text, answer.resumed) == ("Thanks.", ("delegate",))
    assert [each.call.arguments["command"] for each in again.agents["cart"].prompts[0].exchanges] == ["ls shop"]


KILLED = textwrap.dedent(
    """
    import os, sys, time
    from maintainer.graph import Maintainer
    from maintainer.state.session import Reply, ToolCall
    from maintainer.tools.fakes import ScriptedModel, asking

    class Model(ScriptedModel):
        def reply(self, prompt, *rest, **named):
            if "cart and taxes" in prompt.user:
                tasks = [{"kind": "explorer", "task": task} for task in sys.argv[2:]]
                return Reply(text="", calls=[ToolCall(id="", name="delegate", arguments=each) for each in tasks])
            if sys.argv[3] in prompt.user:
                return Reply(text="Taxes are in shop/services/checkout.py:1.")
            if not prompt.exchanges:
                return asking("terminal", command="ls shop")
            thread = {"configurable": {"thread_id": maintainer.sessions()[0].thread_id}}
            while not any(task.result for task in maintainer.graph.get_state(thread).tasks):
                time.sleep(0.05)  # until the other one's report is stored
            os._exit(9)

    with Maintainer(sys.argv[1], model=Model([]), embedder="none") as maintainer:
        maintainer.run("Look at the cart and taxes", mode="explore", session="s")
    """
)


def test_after_a_crash_only_the_unfinished_sub_agent_runs_on(shop: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, shop, CART, TAX], capture_output=True, text=True)
    assert done.returncode == 9, done.stderr
    model = Cast(["Thanks."], cart=[FOUND], tax=[])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        answer = maintainer.resume("s")
    assert (answer.text, set(answer.resumed)) == ("Thanks.", {"delegate"})
    assert [each.call.arguments["command"] for each in model.agents["cart"].prompts[0].exchanges] == ["ls shop"]
    assert model.agents["tax"].prompts == []
    assert [report.split(",")[0] for report in reports(model)] == ["[explorer: done"] * 2
