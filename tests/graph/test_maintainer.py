import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from maintainer.graph import Maintainer, build_graph
from maintainer.graph.cli import build_app
from maintainer.state.errors import ConfigError, MaintainerError, ModelError, SessionError, UnknownSession
from maintainer.state.session import Prompt, Reply, ToolCall
from maintainer.tools.fakes import ScriptedModel, asking
from typer.testing import CliRunner


def calls(*commands: str) -> Reply:
    return Reply(text="", calls=[ToolCall(id="", name="terminal", arguments={"command": each}) for each in commands])


def test_without_a_model_the_answer_rests_on_places_that_exist(shop: Path) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        answer = maintainer.run("Where are orders placed?", mode="explore")
    assert answer.model == "none"
    assert "shop/api/orders.py" in answer.text
    assert answer.citations
    assert all(citation.valid for citation in answer.citations)
    assert "No model wrote this" in answer.text


def test_a_list_of_evidence_is_nobody_s_plan(shop: Path) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        maintainer.run("How is this built?", mode="explore")
        answer = maintainer.run("拆分订单服务", mode="plan")
    assert "manage.py, scripts, wsgi.py" not in answer.text


@pytest.mark.parametrize(
    ("request_", "mode"),
    [
        ("Where is the cart kept?", "explore"),
        ("这个商店有什么安全问题?", "analyze"),
        ("Plan the next steps", "plan"),
    ],
)
def test_auto_picks_a_mode_and_says_why(shop: Path, request_: str, mode: str) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        answer = maintainer.run(request_)
    assert answer.mode == mode
    assert answer.mode_reason
    assert answer.text.startswith(answer.mode_reason)


def test_tool_results_come_back_in_a_prompt_built_anew(shop: Path) -> None:
    model = ScriptedModel([calls("wc -l README.md", "head -n 1 wsgi.py"), "It is in wsgi.py:1."])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        answer = maintainer.run("Where does it start?", mode="explore")
    first, second = model.prompts
    assert first.exchanges == []
    assert [each.call.arguments["command"] for each in second.exchanges] == ["wc -l README.md", "head -n 1 wsgi.py"]
    assert "README.md" in second.exchanges[0].result
    assert first.system == second.system
    assert answer.stats["commands_executed"] == 2
    assert [(each.path, each.valid) for each in answer.citations] == [("wsgi.py", True)]


def test_every_prompt_stays_under_the_ceiling(shop: Path) -> None:
    model = ScriptedModel([calls("cat shop/services/*.py"), calls("git log -p"), "Done."])
    with Maintainer(shop, model=model, embedder="none", budget=2500) as maintainer:
        maintainer.run("Read everything", mode="explore")
    assert len(model.prompts) == 3
    assert all(0 < prompt.tokens <= 2500 - 800 for prompt in model.prompts)


def test_a_second_process_goes_on_with_the_session(shop: Path) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        maintainer.run("Where are coupons checked?", mode="explore", session="coupons")
    script = (
        "import sys, json; from maintainer.graph import Maintainer\n"
        "with Maintainer(sys.argv[1], embedder='none') as m:\n"
        "    answer = m.run('And where are they stored?', mode='explore')\n"
        "    print(json.dumps([answer.session, answer.turn]))"
    )
    done = subprocess.run([sys.executable, "-c", script, shop], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["coupons", 2]


def test_earlier_turns_are_in_the_next_prompt(shop: Path) -> None:
    model = ScriptedModel(["Coupons are checked in shop/services/coupons.py:1.", "Because of rounding."])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        maintainer.run("Where are coupons checked?", mode="explore")
        maintainer.run("Why?", mode="explore")
    assert "Coupons are checked in shop/services/coupons.py:1." in model.prompts[1].user


def test_an_unreachable_model_loses_nothing(shop: Path) -> None:
    model = ScriptedModel([ModelError("cannot be reached: start the server"), "Here it is."])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        with pytest.raises(ModelError, match="cannot be reached"):
            maintainer.run("Where are coupons checked?", mode="explore")
        answer = maintainer.resume()
    assert answer.text == "Here it is."
    assert answer.resumed == ("llm_call",)
    assert answer.turn == 1


def test_stream_ends_with_the_answer_after_the_six_nodes(shop: Path) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        events = list(maintainer.stream("How is this built?", mode="explore"))
    nodes = [event.name for event in events if event.kind == "node"]
    assert [each for each in nodes if each in {"gather", "select", "structure", "llm_call", "note_writer"}] == [
        "gather",
        "select",
        "structure",
        "llm_call",
        "note_writer",
    ]
    assert events[-1].answer is not None


def test_a_scratch_desk_is_empty_again_after_the_turn(shop: Path) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        maintainer.run("How is this built?", mode="explore", session="s")
        state = maintainer.graph.get_state({"configurable": {"thread_id": maintainer.sessions()[0].thread_id}}).values
    assert state["candidates"] == state["selected"] == state["first_look"] == []
    assert len(state["history"]) == 2


def test_the_bare_graph_runs_without_a_checkpointer(shop: Path) -> None:
    graph = build_graph(shop, embedder="none")
    out = graph.invoke({"request": "Where are orders placed?", "mode": "explore"})
    assert "orders.py" in out["answer"]
    assert {"gather", "select", "structure", "compress", "llm_call", "note_writer"} <= set(graph.nodes)


@pytest.mark.parametrize(
    ("request_", "mode", "says"),
    [("", "auto", "request is ''"), (" \n", "auto", "must say"), ("x", "guess", "mode is 'guess'")],
)
def test_a_wrong_request_names_the_rule(shop: Path, request_: str, mode: str, says: str) -> None:
    with Maintainer(shop, embedder="none") as maintainer, pytest.raises(ConfigError, match=says):
        maintainer.run(request_, mode=mode)  # type: ignore[arg-type]


def test_resume_without_a_session_says_how_to_start_one(shop: Path) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        with pytest.raises(SessionError, match="start one"):
            maintainer.resume()
        with pytest.raises(UnknownSession):
            maintainer.resume("nobody")


def test_odd_characters_in_a_request_are_no_error(shop: Path) -> None:
    with Maintainer(shop, embedder="none") as maintainer:
        answer = maintainer.run("Where is \ud800 <|endoftext|> 你好 \x00?", mode="explore")
    assert answer.status == "finished"


@pytest.mark.parametrize("reply", ["", "   \n"])
def test_a_silent_model_still_gets_the_user_an_answer(shop: Path, reply: str) -> None:
    def silent(_: Prompt) -> Reply:
        return Reply(text=reply)

    with Maintainer(shop, model=ScriptedModel([silent] * 3), embedder="none") as maintainer:
        answer = maintainer.run("Where are orders placed?", mode="explore")
    assert "shop/" in answer.text
    assert any("nothing" in failure.reason for failure in answer.failures)


@pytest.mark.parametrize("path", ["missing", "file.txt"])
def test_what_is_no_repository_is_refused_in_one_line(tmp_path: Path, path: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(MaintainerError) as caught:
        Maintainer(tmp_path / path)
    assert "\n" not in str(caught.value)


def test_what_changed_since_the_last_turn_is_in_the_prompt(shop: Path) -> None:
    model = ScriptedModel(["Coupons have a bug in shop/services/coupons.py:1-3.", "I see."])
    changed = shop / "shop/services/coupons.py"
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        note = maintainer.run("What is wrong with coupons?", mode="explore").notes[0]
        changed.write_text("# all new\n" * 3)
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, "commit", "-qam", "Coupons anew"], cwd=shop, check=True)
        maintainer.run("And now?", mode="explore")
    told = model.prompts[1].user
    assert "HEAD moved" in told
    assert "shop/services/coupons.py" in told
    assert f"Notes about code that has changed since: {note}" in told


@pytest.mark.parametrize("afterwards", ["cloned anew", "taken away"])
def test_a_session_outlives_the_history_it_remembers(shop: Path, afterwards: str) -> None:
    model = ScriptedModel(["Coupons have a bug in shop/services/coupons.py:1-3.", "I see."])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        note = maintainer.run("What is wrong with coupons?", mode="explore").notes[0]
    (shop / "shop/services/coupons.py").write_text("# all new\n" * 3)
    shutil.rmtree(shop / ".git")
    if afterwards == "cloned anew":
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "Another history"]):
            subprocess.run(["git", *command], cwd=shop, check=True)
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        assert maintainer.run("And now?", mode="explore").status == "finished"
    assert note in model.prompts[1].user, "without the old commit every note is compared with the code"
    assert ("HEAD moved" in model.prompts[1].user) == (afterwards == "cloned anew")


def test_what_was_asked_and_answered_can_be_recalled_in_another_session(shop: Path) -> None:
    model = ScriptedModel(["Coupons round down.", asking("recall", query="coupons"), "They round down."])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        maintainer.run("How do coupons round?", mode="explore", session="first")
        maintainer.run("What did we say of coupons?", mode="explore", session="second")
    recalled = model.prompts[2].exchanges[0].result
    assert "How do coupons round?" in recalled
    assert "Coupons round down." in recalled


@pytest.mark.parametrize("store", ["receipts/receipts.db", "memory/memories.sqlite", "index/turns/words.sqlite"])
def test_a_damaged_database_stops_a_session_only_until_the_doctor_has_set_it_aside(tmp_path: Path, store: str) -> None:
    (tmp_path / "cart.py").write_text("def cart():\n    return 1\n")
    with Maintainer(tmp_path, embedder="none") as maintainer:
        maintainer.run("Where is the cart?", mode="explore")
    damaged = tmp_path / ".maintainer" / store
    for ending in ("-wal", "-shm"):
        damaged.with_name(damaged.name + ending).unlink(missing_ok=True)
    damaged.write_bytes(b"no database " * 400)

    def failed() -> str:
        with pytest.raises(MaintainerError) as caught, Maintainer(tmp_path, embedder="none") as maintainer:
            maintainer.run("And now?", mode="explore")
        return str(caught.value)

    assert "doctor --repair" in failed()
    doctor = ["doctor", "--repo", str(tmp_path)]
    assert store in CliRunner().invoke(build_app(), doctor).output
    assert f"{damaged.name}.damaged" in CliRunner().invoke(build_app(), [*doctor, "--repair"]).output
    assert damaged.with_name(f"{damaged.name}.damaged").read_bytes() == b"no database " * 400
    with Maintainer(tmp_path, embedder="none") as maintainer:
        assert maintainer.run("And now?", mode="explore").status == "finished"


def test_calls_of_a_turn_share_at_least_nine_tenths_of_what_they_could(shop: Path) -> None:
    looks = [calls("wc -l README.md"), calls("head -n 3 wsgi.py"), calls("ls shop")]
    model = ScriptedModel([*looks, "In wsgi.py:1."])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        maintainer.run("Where does it start, and how is it configured?", mode="explore")
    texts = [f"{prompt.system}\n{prompt.user}" for prompt in model.prompts]
    for before, now in pairwise(texts):
        shared = next((at for at, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), len(now))
        assert shared >= 0.9 * min(len(before), len(now))


@pytest.mark.parametrize("damage", ["gone", "cut", "overwritten"])
def test_a_session_outlives_its_archive_and_says_what_it_has_lost(tmp_path: Path, damage: str) -> None:
    (tmp_path / "cart.py").write_text("def cart():\n    return 1\n")
    with Maintainer(tmp_path, embedder="none") as maintainer:
        maintainer.run("Where is the cart?", mode="explore")
    log = tmp_path / ".maintainer/archive/log/000000.log"
    if damage == "gone":
        shutil.rmtree(tmp_path / ".maintainer/archive")
    else:
        log.write_bytes(log.read_bytes()[:100] if damage == "cut" else b"?" * log.stat().st_size)
    with Maintainer(tmp_path, embedder="none") as maintainer:
        answers = [maintainer.run("Where is the cart?", mode="explore") for _ in range(2)]
    assert [answer.status for answer in answers] == ["finished", "finished"]
    lost = ["can no longer be read from the archive" in str(answer.failures) for answer in answers]
    assert lost == [True, False], "it is said once, and the turns after have a past again"
    found = ["000000.log" in str(answer.failures) for answer in answers]
    assert found == [damage != "gone", False], "the store's own word, once too"


def test_an_old_damaged_turn_costs_itself_only_and_the_report_says_so(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("def cart():\n    return 1\n")
    asked = ["Where is the harbour?", "Where is the cart?", "Where is the cart drawn?", "And the cart?"]
    with Maintainer(tmp_path, embedder="none") as maintainer:
        for request in asked[:3]:
            maintainer.run(request, mode="explore")
    log = tmp_path / ".maintainer/archive/log/000000.log"
    log.write_bytes(log.read_bytes().replace(b"the harbour", b"THE harbour"))
    with Maintainer(tmp_path, embedder="none") as maintainer:
        answers = [maintainer.run(asked[3], mode="explore") for _ in range(3)]
        report = maintainer.report(analyze=False)
    assert [turn.number for turn in report.turns] == [1, 2, 3, 4, 5, 6]
    assert "a text of turn 1 can no longer be read" in str(report.problems)
    assert [answer.status for answer in answers] == ["finished"] * 3
