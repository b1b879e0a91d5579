from datetime import timedelta

import pytest
from maintainer.state import NoteSource, NoteStatus, NoteType
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.findings import NoteProposal, TurnMark, problem_in, proposed_by_rules, write


@pytest.mark.parametrize(
    ("request_", "answer", "kind", "title"),
    [
        ("how is it saved?", "It is saved by save() in a transaction.", "conclusion", "how is it saved?"),
        ("how is it saved?", "There is a bug: the total is lost.", "blocker", "There is a bug: the total is lost."),
        ("订单怎么保存", "保存时存在问题,总价会丢失。其余正常。", "blocker", "保存时存在问题,总价会丢失。"),
        ("订单怎么保存", "由 save() 写入数据库。", "conclusion", "订单怎么保存"),
        ("plan the next steps", "1. split orders 2. add tests", "action", "plan the next steps"),
        ("下一步做什么", "先拆分订单模块。", "action", "下一步做什么"),
        ("any trouble?", "No errors were found. All tests pass.", "conclusion", "any trouble?"),
        ("有没有毛病", "没有发现错误,测试全部通过。", "conclusion", "有没有毛病"),
        ("这个怎么实现", "这个问题的答案在 app.py:3。", "conclusion", "这个怎么实现"),
        ("how is it shown?", "By `error()`, see app/error.py:12.\n```\nError\n```", "conclusion", "how is it shown?"),
        ("how is it shown?", "Error handling is done in one place.", "conclusion", "how is it shown?"),
    ],
)  # fmt: skip
def test_key_words_in_both_languages_decide_the_type(request_: str, answer: str, kind: str, title: str) -> None:
    proposal = proposed_by_rules(request_, answer)
    assert proposal is not None
    assert (proposal.type, proposal.title, proposal.content) == (kind, title, answer)


def test_an_answer_without_words_of_its_own_gives_no_note() -> None:
    assert proposed_by_rules("what is this?", "```\ncode\n```") is None
    assert proposed_by_rules("", "words") is None


def test_a_note_shown_in_an_answer_does_not_beget_another_note_about_its_problem() -> None:
    shown = (
        "Best matches:\n- shop/cart.py:1\n\nNotes on it:\n- [Note: Crash at checkout] (blocker, open; FRESH) (note_1)"
    )
    proposal = proposed_by_rules("where is the cart", shown)
    assert proposal is not None
    assert (proposal.type, proposal.title) == ("conclusion", "where is the cart")


@pytest.mark.parametrize(
    "text", ["no known bugs or errors", "without any problem", "没有错误和缺陷", "并无问题", "error-free"]
)
def test_a_denied_problem_is_none(text: str) -> None:
    assert problem_in(text) == ""


def mark(clock: FixedClock, turn: str = "t1") -> TurnMark:
    return TurnMark(session="s", turn_id=turn, at=clock.now())


def test_a_turn_that_runs_again_writes_nothing_twice(tool: NoteTool, clock: FixedClock) -> None:
    proposal = NoteProposal(title="Pool exhausted", content="text", type=NoteType.BLOCKER)
    turn = mark(clock)
    first = write(tool, proposal, [], turn)
    clock.advance(minutes=5)
    again = write(tool, proposal, [], turn)
    assert (first.created, again.created) == (True, True)
    assert again.note == first.note == tool.read(first.note.id)
    assert len(tool.list()) == 1


def test_the_same_finding_updates_its_note(tool: NoteTool, clock: FixedClock) -> None:
    first = write(tool, NoteProposal(title="Connection pool is exhausted", content="one"), [], mark(clock))
    clock.advance(days=1)
    source = NoteSource(path="app.py")
    later = write(
        tool, NoteProposal(title="The connection pool is exhausted!", content="two"), [source], mark(clock, "t2")
    )
    assert (later.created, later.note.id, later.note.version) == (False, first.note.id, 2)
    assert (later.note.content, later.note.sources) == ("two", (source,))
    assert later.note.updated_at - first.note.updated_at == timedelta(days=1)
    other = write(tool, NoteProposal(title="Disk is full", content="x"), [], mark(clock, "t3"))
    assert other.created
    assert len(tool.list()) == 2


def test_a_finding_that_solves_a_blocker_closes_it(tool: NoteTool, clock: FixedClock) -> None:
    blocker = tool.create("Pool exhausted", "no connection left", "blocker")
    proposal = NoteProposal(title="Pool size raised", content="Set to 50 in config.py:9", resolves=blocker.id)
    write(tool, proposal, [], mark(clock))
    write(tool, proposal, [], mark(clock))
    solved = tool.read(blocker.id)
    assert (solved.type, solved.status, solved.version) == (NoteType.CONCLUSION, NoteStatus.RESOLVED, 2)
    assert "Set to 50 in config.py:9" in solved.content
