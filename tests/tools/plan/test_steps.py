"""Notes to a plan: an order that holds, what can start, circles refused."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from maintainer.state.notes import Note, NoteStatus, NoteType
from maintainer.tools.plan import PlanCycle, plan_of

START = datetime(2026, 1, 5, tzinfo=UTC)


def note(key: str, *needs: str, number: int = 0, **fields: object) -> Note:
    at = START + timedelta(minutes=number)
    values = {"type": NoteType.ACTION, "content": "text", **fields}
    return Note(id=key, title=f"do {key}", created_at=at, updated_at=at, links={"depends_on": [*needs]}, **values)  # type: ignore[arg-type]


def ids(*notes: Note) -> list[str]:
    return [step.id for step in plan_of(notes).steps]


def test_each_step_stands_after_what_it_needs() -> None:
    assert ids(note("c", "b"), note("b", "a"), note("a")) == ["a", "b", "c"]


def test_blockers_come_first_then_the_older() -> None:
    notes = [note("young", number=3), note("old", number=1), note("wall", number=5, type=NoteType.BLOCKER)]
    assert ids(*notes) == ["wall", "old", "young"]


@pytest.mark.parametrize("status", [NoteStatus.IN_PROGRESS, NoteStatus.RESOLVED])
def test_a_step_keeps_its_number_when_it_is_started_or_done(status: NoteStatus) -> None:
    notes = [note("a", number=1), note("b", number=2, status=status), note("c", number=3)]
    assert ids(*notes) == ["a", "b", "c"]


def test_what_was_replaced_is_no_step_and_nobody_waits_for_it() -> None:
    plan = plan_of([note("old", status=NoteStatus.SUPERSEDED), note("b", "old")])
    assert [step.id for step in plan.steps] == ["b"]
    assert plan.steps[0].ready
    assert plan.unknown == ()
    assert plan.progress == (0, 1)


def test_what_is_done_lets_the_next_start() -> None:
    plan = plan_of([note("a", status=NoteStatus.RESOLVED), note("b", "a"), note("c", "b")])
    assert [step.id for step in plan.ready] == ["b"]
    assert plan.steps[2].waits_for == ("b",)
    assert plan.progress == (1, 3)
    assert [step.id for step in plan.open] == ["b", "c"]


def test_a_circle_is_refused_and_named() -> None:
    with pytest.raises(PlanCycle, match=r"a -> b -> a|b -> a -> b") as caught:
        plan_of([note("a", "b"), note("b", "a"), note("c")])
    assert set(caught.value.members) == {"a", "b"}
    with pytest.raises(PlanCycle, match="`maintainer steps order a` lets that one wait for nothing"):
        plan_of([note("a", "a")])


def test_a_step_that_is_gone_is_told_and_waited_for_by_nobody() -> None:
    plan = plan_of([note("a", "deleted")])
    assert plan.unknown == (("a", "deleted"),)
    assert [step.id for step in plan.ready] == ["a"]


def test_other_notes_are_no_steps() -> None:
    assert ids(note("a"), note("b", type=NoteType.CONCLUSION), note("c", type=NoteType.REFERENCE)) == ["a"]


def test_estimate_acceptance_and_findings_come_from_the_front_matter() -> None:
    extra = {"estimate": "2h", "acceptance": "tests pass", "findings": ["abc", "def"], "next_action": "open x.py:3"}
    [step] = plan_of([note("a", extra=extra)]).steps
    assert (step.estimate, step.acceptance, step.findings) == ("2h", "tests pass", ("abc", "def"))
    assert step.next_action == "open x.py:3"


def test_no_notes_are_an_empty_plan() -> None:
    assert plan_of([]).progress == (0, 0)


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.sets(st.integers(0, n)), min_size=n, max_size=n)))
def test_any_acyclic_plan_is_put_in_an_order_that_holds(needs: list[set[int]]) -> None:
    notes = [note(str(me), *(str(other) for other in others if other < me)) for me, others in enumerate(needs)]
    order = ids(*reversed(notes))
    assert sorted(order) == sorted(each.id for each in notes)
    for each in notes:
        assert all(order.index(other) < order.index(each.id) for other in each.links["depends_on"])
