"""Looking back: steps by number, turn, mark or id; what differs; branches are told apart."""

from typing import Any
from uuid import uuid4

import pytest
from maintainer.graph.checkpoints import KeepPolicy
from maintainer.graph.sessions import Sessions
from maintainer.graph.sessions.history import diff, find
from maintainer.state.errors import SessionError
from maintainer.state.session import SessionInput
from maintainer.tools.fakes import FixedClock


def ask(app: Any, sessions: Sessions, *requests: str, name: str = "main") -> None:
    with sessions.writing(name, repo="/repo") as session:
        for request in requests:
            session.run(app, SessionInput(request=request, turn_id=uuid4().hex), None)


def test_steps_count_on_over_the_turns(app: Any, sessions: Sessions, clock: FixedClock) -> None:
    roomy = Sessions(sessions.home, sessions.checkpointer, clock=clock, policy=KeepPolicy(steps=100))
    ask(app, roomy, "one", "two")
    found = roomy.history("main")
    assert [step.number for step in found] == list(range(-1, 9))
    assert [step.next for step in found[:5]] == [("__start__",), ("begin",), ("think",), ("close",), ()]
    assert all(step.current for step in found)


def test_numbers_stay_when_steps_are_pruned(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one", "two", "three")
    sessions.prune("main", KeepPolicy(steps=1, turns=2))
    assert [(step.number, step.turn, step.current) for step in sessions.history("main")] == [
        (8, 2, True),
        (13, 3, True),
    ]


@pytest.mark.parametrize(
    ("at", "answer"), [("3", "one!"), ("t1", "one!"), ("t2", "two!"), ("8", "two!"), ("good", "one!")]
)
def test_a_step_is_named_in_the_way_that_is_at_hand(app: Any, sessions: Sessions, at: str, answer: str) -> None:
    ask(app, sessions, "one", "two")
    with sessions.writing("main", repo="/repo") as session:
        session.mark("good", find(sessions.history("main"), "t1").checkpoint_id)
    assert sessions.state_at("main", at).answer == answer


def test_an_id_names_a_step_by_enough_digits(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one", "two")
    step = find(sessions.history("main"), "t1")
    assert sessions.state_at("main", step.checkpoint_id).answer == "one!"


@pytest.mark.parametrize("at", ["99", "t9", "nonsense", "", "t", "1f"])
def test_a_step_that_is_not_there_is_refused_with_what_there_is(app: Any, sessions: Sessions, at: str) -> None:
    ask(app, sessions, "one")
    with pytest.raises(SessionError, match=r"no stored step .* \(-1, 0, 1, 2, 3\)"):
        sessions.state_at("main", at)


def test_a_marked_step_outlives_every_pruning(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one")
    with sessions.writing("main", repo="/repo") as session:
        session.mark("before the rewrite", find(sessions.history("main"), "2").checkpoint_id)
    ask(app, sessions, *"abcde")

    sessions.prune("main", KeepPolicy(steps=1, turns=1))

    assert sessions.state_at("main", "before the rewrite").request == "one"


def test_a_branch_made_elsewhere_is_shown_as_left(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one", "two")
    record = sessions.catalogue.get("main")
    end_of_one = find(sessions.history("main"), "t1").checkpoint_id
    config = {"configurable": {"thread_id": record.thread_id, "checkpoint_id": end_of_one}}
    app.invoke({"request": "other"}, config, durability="sync")  # as Studio forks: in the same thread

    left = [step.number for step in sessions.history("main") if not step.current]
    assert left == [4, 5, 6, 7, 8]
    assert sessions.state_at("main", "t2").answer == "other!"


def test_diff_says_what_changed_and_of_lists_only_that(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one", "two")
    changes = diff(sessions.state_at("main", "t1"), sessions.state_at("main", "t2"))
    by_field = {change.field: (change.before, change.after) for change in changes}
    assert by_field["answer"] == ("one!", "two!")
    assert by_field["turn"] == (1, 2)
    before, after = by_field["history"]
    assert (before, [message["content"] for message in after]) == ([], ["two"])
    assert "goal" not in by_field


def test_equal_states_do_not_differ(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one")
    assert diff(sessions.state_at("main", "t1"), sessions.state_at("main", "t1")) == []


def test_a_fork_needs_a_free_name_and_leaves_nothing_when_it_fails(app: Any, sessions: Sessions) -> None:
    ask(app, sessions, "one")
    ask(app, sessions, "x", name="taken")
    with pytest.raises(SessionError, match="exists"):
        sessions.fork("main", "t1", "taken")
    with pytest.raises(SessionError, match="no stored step"):
        sessions.fork("main", "t7", "new")
    assert sessions.catalogue.find("new") is None
