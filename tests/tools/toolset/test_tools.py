"""Each tool of the model does what its description says, and says what went wrong."""

from collections.abc import Callable
from typing import Any

import pytest
from maintainer.state.notes import NoteType
from maintainer.state.session import ToolCall
from maintainer.tools.repair import INVALID_JSON
from maintainer.tools.tokens import open_counter
from maintainer.tools.toolset.delegate import MOST_TASKS, delegated
from maintainer.tools.toolset.offer import BY_WORTH, offered


def test_all_definitions_together_are_small_and_each_says_what_it_is_for(kit: Any) -> None:
    counter = open_counter()
    definitions = offered(kit.tools, 10_000, counter)
    assert sum(counter.count(str(each)) for each in definitions) <= 120 * len(definitions)
    for each in definitions:
        function = each["function"]
        assert function["parameters"]["type"] == "object"
        assert 5 <= len(function["description"].split()) <= 40
        assert "$ref" not in str(each)
        assert all("type" in schema for schema in function["parameters"]["properties"].values())


def test_a_small_window_is_offered_the_tools_it_would_miss_most(kit: Any) -> None:
    names = [each["function"]["name"] for each in offered(kit.tools, 300, open_counter())]
    assert names[:2] == ["terminal", "read_lines"]
    assert "plan_update" not in names
    assert offered(kit.tools, 20, open_counter()) == []
    assert set(kit.tools) == set(BY_WORTH)


def test_an_unknown_tool_is_answered_with_the_known_ones(kit: Any) -> None:
    outcome = kit.call("run_shell")
    assert outcome.failed
    assert "terminal, read_lines" in outcome.text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "command: Field required"),
        ({"command": ["ls"]}, "command: Input should be a valid string"),
        ({"command": "ls", "shell": True}, "shell: Extra inputs are not permitted"),
        ({"command": ""}, "command: String should have at least 1 character"),
        ({INVALID_JSON: '{"command": "l'}, 'no JSON object: {"command": "l'),
    ],
)
def test_wrong_arguments_are_answered_with_what_is_wrong_and_the_schema(kit: Any, arguments: Any, says: str) -> None:
    outcome = kit.call("terminal", **arguments)
    assert outcome.failed
    assert says in outcome.text
    assert "'required': ['command']" in outcome.text


def test_a_tool_that_breaks_is_an_answer(kit: Any) -> None:
    kit.archive.close()
    outcome = kit.call("expand", handle="abc")
    assert outcome.failed
    assert outcome.text.startswith("expand")


def test_the_terminal_counts_what_ran_and_what_was_refused(kit: Any) -> None:
    ran = kit.call("terminal", command="wc -l shop/cart.py")
    assert (ran.text, ran.failed, ran.counts) == ("2 shop/cart.py", False, {"commands_executed": 1})
    refused = kit.call("terminal", command="rm -rf shop")
    assert (refused.failed, refused.counts) == (True, {"commands_refused": 1})


def test_a_cd_in_one_session_moves_no_other(kit: Any, another_caller: Callable[..., Any]) -> None:
    kit.call("terminal", command="cd shop")
    assert kit.call("terminal", command="ls").text == "cart.py"
    assert "long.txt" in kit.call("terminal", command="ls", caller=another_caller(session="other")).text


def test_a_new_turn_sees_a_result_in_full_again(kit: Any, another_caller: Callable[..., Any]) -> None:
    command = "head -n 200 long.txt"
    first = kit.call("terminal", command=command).text
    assert "unchanged since turn 1" in kit.call("terminal", command=command).text
    assert kit.call("terminal", command=command, caller=another_caller(turn=2)).text == first


def test_lines_come_numbered_with_their_place(kit: Any) -> None:
    assert kit.call("read_lines", path="shop/cart.py").text == (
        "shop/cart.py:1-2\n1 def total(items):\n2     return sum(items)"
    )
    part = kit.call("read_lines", path="./long.txt", first=9, last=11).text
    assert part == "./long.txt:9-11\n 9 line 9\n10 line 10\n11 line 11\n[1000 lines in all]"
    assert "long.txt:1-400" in kit.call("read_lines", path="long.txt").text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"path": "nowhere.py"}, "no such file: 'nowhere.py'"),
        ({"path": "../secret"}, "outside the repository"),
        ({"path": "/etc/passwd"}, "outside the repository"),
        ({"path": "shop"}, "no regular file"),
        ({"path": "long.txt", "first": 2000}, "has 1000 lines; there is no 2000"),
        ({"path": "long.txt", "first": 5, "last": 4}, "there is no 5-4"),
        ({"path": "long.txt", "first": 0}, "greater than or equal to 1"),
        ({"path": "a\0b"}, "not a possible path"),
    ],
)
def test_lines_that_are_not_there_are_an_answer(kit: Any, arguments: Any, says: str) -> None:
    outcome = kit.call("read_lines", **arguments)
    assert outcome.failed
    assert says in outcome.text


def test_a_link_out_of_the_repository_and_a_pipe_are_not_read(kit: Any) -> None:
    import os

    (kit.repo / "link.txt").symlink_to("/etc/hostname")
    os.mkfifo(kit.repo / "pipe")
    assert "outside the repository" in kit.call("read_lines", path="link.txt").text
    assert "no regular file" in kit.call("read_lines", path="pipe").text


def test_a_handle_opens_a_part_of_the_full_text(kit: Any) -> None:
    handle = kit.archive.put("\n".join(f"row {number}" for number in range(1, 501)))
    part = kit.call("expand", handle=handle, first=300).text
    assert part.startswith("[lines 300-499 of 500]\nrow 300\n")
    assert kit.call("expand", handle="0123456789abcdef").failed


def test_code_is_found_by_what_it_does_with_its_place(kit: Any) -> None:
    assert kit.call("search_code", query="how is the total of items summed").text.startswith("shop/cart.py:1-2\n")
    assert "Nothing in the index answers this" in kit.call("search_code", query="quantum chromodynamics").text


def test_a_note_is_written_once_however_often_a_turn_runs(kit: Any) -> None:
    arguments = {"title": "Rounding", "content": "Totals are floats, shop/cart.py:2", "sources": ["shop/cart.py:2"]}
    first = kit.call("note_write", **arguments)
    again = kit.call("note_write", **arguments)
    assert first.notes == again.notes
    assert first.counts == {"notes_created": 1}
    note = kit.notes.read(first.notes[0])
    assert (note.type, note.sources[0].lines, note.id[:20]) == (NoteType.CONCLUSION, "2", "note_20260105_090000")


def test_a_note_is_rewritten_and_solved_by_its_id(kit: Any) -> None:
    (id_,) = kit.call("note_write", title="Build", content="CI is red", type="blocker").notes
    outcome = kit.call("note_write", title="Build", content="Fixed in CI", type="blocker", replaces=id_, solved=True)
    assert (outcome.notes, outcome.counts) == ([id_], {"notes_updated": 1})
    assert kit.notes.read(id_).status == "resolved"
    assert kit.call("note_write", title="x", content="y", replaces="note_20200101_000000_none").failed


def test_secrets_do_not_get_into_notes(kit: Any) -> None:
    key = "sk-proj-" + "Ab3dEf9hIj2kLm4n" * 3
    (id_,) = kit.call("note_write", title="Key", content=f"It uses {key}").notes
    assert key not in kit.notes.read(id_).content


def test_notes_are_found_by_words_in_either_language_and_read_by_id(kit: Any) -> None:
    (id_,) = kit.call("note_write", title="购物车总价", content="总价用浮点数计算").notes
    assert "总价用浮点数计算" in kit.call("notes_search", query="购物车的总价怎么算").text
    assert id_ in kit.call("notes_search", query=id_).text
    assert "No note fits" in kit.call("notes_search", query="kubernetes").text


def test_a_plan_is_one_note_of_the_session_and_ticked_off_with_evidence(kit: Any) -> None:
    steps = [{"text": "List callers", "status": "doing"}, {"text": "Move pricing", "after": [1]}]
    laid = kit.call("plan_update", title="Split cart", steps=steps)
    assert "1. [>] List callers\n2. [ ] Move pricing (after 1)" in laid.text
    steps[0] |= {"status": "done", "evidence": "grep -rn total shop, exit 0"}
    ticked = kit.call("plan_update", title="Split cart", steps=steps)
    assert ticked.notes == laid.notes
    assert kit.notes.read(ticked.notes[0]).content.startswith("1. [x] List callers — grep -rn total shop, exit 0")


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([{"text": "a", "status": "done"}], "step 1 is done without evidence"),
        ([{"text": "a", "status": "blocked"}], "step 1 is blocked without a reason"),
        ([{"text": "a", "after": [2]}, {"text": "b"}], "step 1 comes after 2, which must be an earlier step"),
        ([{"text": "a", "after": [1]}], "step 1 comes after 1"),
        ([{"text": "a"}, {"text": "b", "status": "doing", "after": [1]}], "step 2 is doing before step 1 is done"),
    ],
)
def test_a_plan_that_contradicts_itself_is_not_kept(kit: Any, steps: Any, says: str) -> None:
    outcome = kit.call("plan_update", title="x", steps=steps)
    assert outcome.failed
    assert says in outcome.text
    assert kit.notes.list() == []


def test_a_plan_changes_only_with_a_reason_and_the_one_before_stays_readable(
    kit: Any, another_caller: Callable[..., Any]
) -> None:
    first = kit.call("plan_update", title="Split cart", steps=[{"text": "List callers"}, {"text": "Move  it — all"}])
    more = [{"text": "List callers"}, {"text": "Move it — all"}, {"text": "Delete the old one"}]
    assert kit.call("plan_update", title="Split cart", steps=more).notes == first.notes, "what is added needs no reason"
    refused = kit.call("plan_update", title="Split cart", steps=more[1:])
    assert refused.failed
    assert "step 'List callers' is gone or worded anew: say why in `reason`" in refused.text
    assert "another order" in kit.call("plan_update", title="Split cart", steps=more[::-1]).text
    changed = kit.call("plan_update", title="Split cart", steps=more[1:], reason="callers are known")
    again = kit.call("plan_update", title="Split cart", steps=more[1:], reason="callers are known")
    assert changed.notes == again.notes != first.notes
    new, old = kit.notes.read(changed.notes[0]), kit.notes.read(first.notes[0])
    assert new.content.endswith(f"Planned anew: callers are known (before: {old.id})")
    assert new.links == {"supersedes": [old.id]}
    assert str(old.status) == "superseded"
    assert "List callers" in old.content
    more[1] |= {"status": "done", "evidence": "git diff, exit 0"}
    later = another_caller(turn_id="t2")
    assert kit.call("plan_update", title="Split cart", steps=more[1:], caller=later).notes == changed.notes


def test_a_plan_that_is_done_is_followed_by_another_without_a_reason(
    kit: Any, another_caller: Callable[..., Any]
) -> None:
    done = kit.call("plan_update", title="x", steps=[{"text": "a", "status": "done", "evidence": "ls, exit 0"}])
    following = kit.call("plan_update", title="y", steps=[{"text": "b"}], caller=another_caller(turn_id="t2"))
    assert following.notes != done.notes
    assert str(kit.notes.read(done.notes[0]).status) == "resolved"


def test_sessions_have_plans_of_their_own(kit: Any, another_caller: Callable[..., Any]) -> None:
    one = kit.call("plan_update", title="x", steps=[{"text": "a"}])
    two = kit.call("plan_update", title="x", steps=[{"text": "a"}], caller=another_caller(session="other"))
    assert one.notes != two.notes


def test_memories_are_recalled_by_words(kit: Any) -> None:
    kit.memory.add_exchange("Where is the price computed?", "In shop/cart.py:2")
    assert "shop/cart.py:2" in kit.call("recall", query="price").text
    assert kit.call("recall", query="zebra").text == "Nothing like that is remembered."


def test_only_well_formed_tasks_up_to_the_limit_reach_sub_agents(kit: Any) -> None:
    good = [
        ToolCall(id=f"d{number}", name="delegate", arguments={"kind": "explorer", "task": "Find where prices are made"})
        for number in range(MOST_TASKS + 2)
    ]
    bad = ToolCall(id="bad", name="delegate", arguments={"kind": "wizard", "task": "magic magic"})
    assert [call.id for call in delegated([bad, *good], kit.tools)] == ["d0", "d1", "d2", "d3"]
    assert "at most 4 sub-agents" in kit.call("delegate", **good[0].arguments).text


APPROVED = {"command": "python3 --version"}


def test_a_command_outside_the_list_runs_only_after_a_yes(open_kit: Callable[..., Any]) -> None:
    kit = open_kit(approvals=True)
    waiting = kit.call("terminal", **APPROVED)
    assert waiting.failed
    assert "'python3' is not on the list" in waiting.text
    assert kit.call("terminal", "once", **APPROVED).text.startswith("Python 3")
    assert kit.call("terminal", **APPROVED).failed, "once is once"
    refused = kit.call("terminal", "never", remark="use sed", **APPROVED)
    assert "the user said no" in refused.text
    assert refused.text.endswith("The user says: use sed")


def test_without_approvals_a_command_outside_the_list_is_just_refused(kit: Any) -> None:
    assert kit.call("terminal", "session", **APPROVED).counts == {"commands_refused": 1}


def test_a_plan_is_agreed_when_its_steps_change_and_ticked_off_freely(
    open_kit: Callable[..., Any],
) -> None:
    kit = open_kit(approvals=True)
    plan: dict[str, Any] = {"title": "Split", "steps": [{"text": "List callers"}, {"text": "Move", "after": [1]}]}
    assert "a plan is agreed before it is followed" in kit.call("plan_update", **plan).text
    assert not kit.call("plan_update", "once", **plan).failed
    plan["steps"][0] |= {"status": "done", "evidence": "grep, exit 0"}
    assert not kit.call("plan_update", **plan).failed
    plan["steps"].append({"text": "Delete the old one"})
    assert kit.call("plan_update", **plan).failed


def test_notes_at_milestones_are_agreed_and_others_are_not_asked_about(open_kit: Callable[..., Any]) -> None:
    kit = open_kit(approvals=True)
    assert kit.call("note_write", title="x", content="y").failed
    assert not kit.call("note_write", "once", title="x", content="y").failed
    assert not kit.call("note_write", title="x", content="z", type="blocker").failed
