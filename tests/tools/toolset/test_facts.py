from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from maintainer.state.session import ToolCall
from maintainer.state.turns import Said, Turn
from maintainer.tools.archive import Archive
from maintainer.tools.ledger import LedgerKeeper
from maintainer.tools.toolset.facts import facts_tool
from maintainer.tools.toolset.tool import Caller, Outcome, call_tool

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
CALLER = Caller(session="s", turn=2, started_at=NOON, turn_id="t2", head="t1")
Ask = Callable[..., Outcome]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    archive = Archive(tmp_path)
    keeper = LedgerKeeper(archive)
    tool = facts_tool(keeper)
    archive.append(Turn(id="t1", session="s", at=NOON, said=(Said(role="user", text="go"),)))

    def call(caller: Caller = CALLER, **arguments: str) -> Outcome:
        return call_tool({"facts": tool}, ToolCall(id="1", name="facts", arguments=arguments), caller)

    yield call
    keeper.close()
    archive.close()


def test_a_fact_from_note_to_solution(ask: Ask) -> None:
    assert ask(action="list").text == "No facts are standing."
    assert ask(action="note", kind="problem", text="`a.py` is slow").text == "1.1 problem: `a.py` is slow"
    assert ask(action="resolve", id="1.1", text="a cache was missing").text == "1.2 solved: a cache was missing"
    assert ask(action="note", kind="rule", text="100 columns").text == "1.3 rule: 100 columns"
    assert ask(action="supersede", id="1.3", text="120 columns").text == "1.4 rule: 120 columns"
    assert ask(action="list").text == "1.2 solved: a cache was missing\n1.4 rule: 120 columns"


def test_a_wrong_id_is_an_answer_that_lists_the_right_ones(ask: Ask) -> None:
    ask(action="note", text="LMDB it is")
    wrong = ask(action="supersede", id="9.9", text="x")
    assert wrong.failed
    assert "the newest are 1.1" in wrong.text


def test_a_note_that_is_made_again_after_a_crash_stands_once(ask: Ask) -> None:
    first = ask(action="note", kind="rule", text="100 columns").text
    assert ask(action="note", kind="rule", text="100  columns").text == first
    assert ask(action="list").text == first


def test_before_the_first_turn_nothing_stands(ask: Ask) -> None:
    young = Caller(session="other", turn=1, started_at=NOON, turn_id="t")
    assert ask(young, action="note", text="x").failed
