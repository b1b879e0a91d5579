"""The plan as people change it: added, ordered, started, dropped and planned anew, with reasons."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from maintainer.state.errors import InvalidNote, UnknownNote
from maintainer.state.report import Finding
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.plan import PlanCycle
from maintainer.tools.plan.book import PlanBook, chosen
from maintainer.tools.plan.proposal import adopt, proposals
from maintainer.tools.quality.engine import Quality


@pytest.fixture
def book(notes: NoteTool) -> PlanBook:
    return PlanBook(notes)


@pytest.fixture
def found(repo: Path) -> Iterator[tuple[Finding, ...]]:
    quality = Quality(repo, None, clock=FixedClock())
    yield quality.analyze().findings
    quality.close()


def test_a_step_is_named_by_number_id_or_the_end_of_its_id(book: PlanBook) -> None:
    first, second = book.add("Write tests", estimate="2h", acceptance="coverage is 80 %"), book.add("Split it")
    assert [book.step(name).id for name in ("1", "2", first.id, second.id[-8:])].count(first.id) == 2
    assert (first.estimate, first.acceptance) == ("2h", "coverage is 80 %")
    for wrong in ("0", "3", "note_x", "", "abc"):
        with pytest.raises(UnknownNote, match="maintainer steps"):
            book.step(wrong)


def test_a_step_waits_for_what_it_comes_after_and_is_not_started_before(book: PlanBook) -> None:
    first = book.add("Write tests")
    second = book.add("Split it", after=["1"])
    assert second.waits_for == (first.id,)
    with pytest.raises(InvalidNote, match="waits for: Write tests"):
        book.start("2")
    assert str(book.start("1").status) == "in_progress"


def test_an_order_that_would_be_a_circle_is_refused_and_nothing_changes(book: PlanBook) -> None:
    book.add("a")
    book.add("b", after=["1"])
    book.add("c", after=["2"])
    for step, after in (("1", "3"), ("1", "2"), ("1", "1")):
        with pytest.raises(PlanCycle):
            book.order(step, [after])
    assert book.plan().steps[0].depends_on == ()
    assert book.order("3", ["1"]).depends_on == (book.step("1").id,)


def test_a_circle_made_by_hand_is_mended_by_the_command_its_error_names(book: PlanBook, notes: NoteTool) -> None:
    first = book.add("a")
    second = book.add("b", after=["1"])
    notes.update(first.id, links={"depends_on": [second.id]})
    with pytest.raises(PlanCycle, match=r"`maintainer steps order (note_\w+)`") as caught:
        book.plan()
    assert book.order(caught.value.members[0], []).depends_on == ()
    assert len(book.plan().ready) == 1


def test_a_dropped_step_stays_readable_with_the_reason_and_lets_others_start(book: PlanBook, notes: NoteTool) -> None:
    gone = book.add("Port to Oracle")
    book.add("Tune the queries", after=["1"])
    change = book.drop(["1"], "Oracle is off the table")
    assert [step.title for step in book.plan().ready] == ["Tune the queries"]
    assert str(notes.read(gone.id).status) == "superseded"
    record = notes.read(change.record.id)
    assert record.title == "Plan changed: Oracle is off the table"
    assert f"1. [ ] Port to Oracle ({gone.id}), dropped" in record.content
    assert record.links == {"supersedes": [gone.id]}


def test_planning_anew_supersedes_what_findings_asked_for_and_keeps_what_people_wrote(
    book: PlanBook, notes: NoteTool, found: tuple[Finding, ...]
) -> None:
    own = book.add("Talk to the warehouse")
    old = adopt(notes, proposals(found, "en"), "en")
    about_b = [note.id for note in old if note.title.startswith("b.py")]
    change = book.replan(found, "only the cart counts now", about="b.py")
    assert {step.id for step in book.plan().open} == {own.id, *about_b}
    assert {step.id for step in change.dropped} == {note.id for note in old} - set(about_b)
    assert "only the cart counts now" in notes.read(change.record.id).content
    assert all(note.title in notes.read(change.record.id).content for note in old)


def test_what_a_new_plan_asks_for_is_added(book: PlanBook, notes: NoteTool, found: tuple[Finding, ...]) -> None:
    adopt(notes, proposals(chosen(found, "b.py"), "zh"), "zh")
    change = book.replan(found, "先修复杂函数", about="a.py", language="zh")
    assert change.record.title == "计划变更:先修复杂函数"
    assert {note.title for note in change.added} == {step.title for step in book.plan().open}
    assert "## 新增步骤" in change.record.content
    assert "已取消" in change.record.content


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_no_change_of_plan_without_a_reason(reason: str, book: PlanBook, notes: NoteTool) -> None:
    book.add("a")
    for change in (
        lambda: book.drop(["1"], reason),
        lambda: book.replan((), reason),
        lambda: book.reopen("1", reason),
    ):
        with pytest.raises(InvalidNote, match="a change of plan needs one"):
            change()
    assert [str(row.status) for row in notes.list()] == ["open"]


def test_a_new_plan_about_what_nobody_found_is_refused(book: PlanBook, found: tuple[Finding, ...]) -> None:
    with pytest.raises(InvalidNote, match=r"nothing was found on that"):
        book.replan(found, "because", about="src/cart.py")
    assert book.plan().steps == ()


def test_a_closed_step_is_opened_again_with_the_reason_in_its_text(book: PlanBook, notes: NoteTool) -> None:
    step = book.add("Split it")
    with pytest.raises(InvalidNote, match="is open"):
        book.reopen("1", "why not")
    notes.resolve(step.id, "Done.")
    with pytest.raises(InvalidNote, match="is done"):
        book.start("1")
    assert not book.reopen("1", "It fails on Windows").done
    assert notes.read(step.id).content.endswith("## Opened again\n\nIt fails on Windows")
