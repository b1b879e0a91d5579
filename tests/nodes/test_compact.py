from collections.abc import Sequence
from typing import Any

import pytest
from maintainer.nodes.compact import DIGEST_TOKENS, MOST_FAILURES, CompactUpdate, compact, is_full
from maintainer.state.errors import ModelError
from maintainer.state.session import Message, SessionState
from maintainer.tools.fakes import FixedClock, ScriptedModel
from maintainer.tools.tokens import open_counter

COUNTER = open_counter()
CLOCK = FixedClock()


class Shelf:
    """Keeps texts by number."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def put(self, text: str) -> str:
        if text not in self.texts:
            self.texts.append(text)
        return f"h{self.texts.index(text)}"


def session(exchanges: Sequence[tuple[str, str]], **fields: Any) -> SessionState:
    history = []
    for turn, (asked, answered) in enumerate(exchanges, start=1):
        history.append(Message(role="user", content=asked, turn=turn, timestamp=CLOCK.now()))
        history.append(Message(role="assistant", content=answered, turn=turn, timestamp=CLOCK.now()))
    goal = exchanges[0][0] if exchanges else ""
    return SessionState(request="next", session="s", goal=goal, turn=len(exchanges), history=history, **fields)


def run(
    state: SessionState, shelf: Shelf, *, messages: int = 20, tokens: int = 4000, model: ScriptedModel | None = None
) -> CompactUpdate:
    return compact(
        state, archive=shelf, counter=COUNTER, clock=CLOCK, most_messages=messages, most_tokens=tokens, model=model
    )


def after(state: SessionState, update: CompactUpdate) -> SessionState:
    return state.model_copy(update={key: value for key, value in update.items() if key != "failures"})


CHAT = [
    (f"question {n} about module {n}?", f"Module {n} parses requests. " + "It does so line by line. " * 12)
    for n in range(1, 12)
]


@pytest.mark.parametrize(("messages", "tokens", "full"), [(22, 10_000, False), (21, 10_000, True), (22, 500, True)])
def test_history_is_full_by_messages_or_by_85_percent_of_its_tokens(messages: int, tokens: int, full: bool) -> None:
    assert is_full(session(CHAT).history, COUNTER, most_messages=messages, most_tokens=tokens) is full


def test_closed_turns_leave_the_window_oldest_first_and_a_line_stands_for_each() -> None:
    shelf = Shelf()
    update = run(session(CHAT), shelf)
    assert [each.turn for each in update["history"]] == [7, 7, 8, 8, 9, 9, 10, 10, 11, 11]
    lines = update["digest"].splitlines()
    assert [line.split(":")[0] for line in lines] == [f"turn {n}" for n in range(1, 7)]
    assert lines[0].startswith("turn 1: question 1 about module 1? -> Module 1 parses requests.")
    assert 'expand("h0")' in lines[0]
    assert shelf.texts[0] == CHAT[0][1]
    [record] = update["compactions"]
    assert (record.layer, record.gone) == ("drop", [f"turn {n}" for n in range(1, 7)])
    assert record.tokens_after < record.tokens_before


def test_a_question_to_the_user_that_is_still_open_stays() -> None:
    chat = [("start", "Shall I use SQLite or PostgreSQL?"), *CHAT]
    update = run(session(chat), Shelf())
    assert [each.turn for each in update["history"]][:2] == [1, 1]


def test_what_can_be_read_again_is_cleared_before_any_turn_leaves() -> None:
    shelf = Shelf()
    listing = "```\n" + "\n".join(f"src/file_{n}.py: def function_{n}()" for n in range(300)) + "\n```"
    chat = [("list all", f"Here it is:\n{listing}\nThat is all."), *CHAT[:3]]
    update = run(session(chat), shelf, tokens=4000)
    assert [record.layer for record in update["compactions"]] == ["clear"]
    answer = update["history"][1].content
    assert answer.startswith("Here it is:\n[src/file_0.py: def function_0() ... 300 lines: expand(")
    assert answer.endswith("\nThat is all.")
    assert shelf.texts == [listing]


def test_the_newest_turns_are_never_touched() -> None:
    long = "```\n" + "\n".join(f"line {n}" for n in range(500)) + "\n```"
    state = session([("a", long), ("b", long)])
    assert run(state, Shelf(), messages=2, tokens=100)["history"] == state.history


def test_long_open_turns_are_shortened_to_head_and_handle() -> None:
    shelf = Shelf()
    long = "The parser reads tokens one by one and keeps them in a list. " * 80 + "Should I go on?"
    update = run(session([("explain", long), *CHAT[:2]]), shelf, tokens=1000)
    assert [record.layer for record in update["compactions"]] == ["digest"]
    assert update["history"][1].content.endswith('the rest is in the archive: expand("h0")]')
    assert shelf.texts == [long]


def test_compacting_again_with_nothing_to_do_changes_nothing() -> None:
    state = session(CHAT)
    once = after(state, run(state, Shelf()))
    again = run(once, Shelf())
    assert (again["history"], again["digest"]) == (once.history, once.digest)
    assert again["compactions"] == once.compactions


def test_the_digest_is_bounded_and_loses_its_oldest_lines() -> None:
    state = session(CHAT, digest="\n".join(f"turn {n}: old talk about things -> long ago" for n in range(-60, 0)))
    digest = run(state, Shelf())["digest"]
    assert COUNTER.count(digest) <= DIGEST_TOKENS
    assert digest.splitlines()[-1].startswith("turn 6:")


def test_only_the_ten_newest_records_are_kept() -> None:
    state = session(CHAT)
    for _ in range(12):
        state = after(state, run(state, Shelf()))
        state = state.model_copy(update={"history": session(CHAT).history})
    assert len(state.compactions) == 10


OVERFULL = "\n".join(f"turn {n}: old talk about many different things -> it was long ago" for n in range(-60, 0))


def form(**fields: Any) -> dict[str, Any]:
    whole = {
        "goal": "port the parser",
        "decisions": [{"text": "Module 1 reads line by line", "turns": [1]}],
        "open_problems": [],
        "file_changes": [],
        "preferences": [],
        "plan": ["[>] port"],
        "done": [],
        "next_action": "read module 7",
    }
    return {**whole, **fields}


def test_a_models_summary_takes_the_place_of_an_overfull_digest() -> None:
    model = ScriptedModel([], forms=[form()])
    update = run(session(CHAT, digest=OVERFULL), Shelf(), model=model)
    assert "- Module 1 reads line by line [turn 1]" in update["digest"]
    assert update["digest"].endswith("Next: read module 7")
    record = update["compactions"][-1]
    assert (record.layer, record.model, record.failure) == ("summary", "scripted", "")
    assert "question 1 about module 1?" in model.asked_forms[0].user
    assert "turn -3: old talk" in model.asked_forms[0].user


def test_the_layers_come_in_order_and_a_model_last() -> None:
    listing = "```\n" + "\n".join(f"src/file_{n}.py: def function_{n}()" for n in range(300)) + "\n```"
    long = "The parser reads tokens one by one and keeps them in a list. " * 80 + "Should I go on?"
    chat = [("list all", f"Here it is:\n{listing}"), ("explain", long), *CHAT]
    update = run(session(chat, digest=OVERFULL), Shelf(), tokens=2500, model=ScriptedModel([], forms=[form()]))
    assert [record.layer for record in update["compactions"]] == ["clear", "drop", "digest", "summary"]
    sizes = [(record.tokens_before, record.tokens_after) for record in update["compactions"]]
    assert all(after < before for before, after in sizes)
    assert [before for before, _ in sizes[1:]] == [after for _, after in sizes[:-1]]


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (ModelError("the endpoint is down"), "the endpoint is down"),
        ({name: value for name, value in form().items() if name != "next_action"}, "next_action"),
        (form(decisions=[{"text": "Use `redis_store`", "turns": [1]}]), "'redis_store' is not in the piece"),
        (form(decisions=[{"text": "Module 1 reads line by line", "turns": [99]}]), "turn 99 is not in the piece"),
        (form(plan=["[ ] " + "very long step " * 40] * 10), "is not 10% smaller"),
    ],
)
def test_a_failed_summary_changes_nothing_and_is_told(answer: Any, failure: str) -> None:
    state = session(CHAT, digest=OVERFULL)
    update = run(state, Shelf(), model=ScriptedModel([], forms=[answer]))
    without = run(state, Shelf())
    assert (update["history"], update["digest"]) == (without["history"], without["digest"])
    assert update["summary_failures"] == 1
    assert failure in update["compactions"][-1].failure
    assert failure in update["failures"][0].reason


def test_after_three_failures_no_more_summaries_are_tried() -> None:
    model = ScriptedModel([], forms=[])
    state = session(CHAT, digest=OVERFULL)
    for _ in range(5):
        update = run(state, Shelf(), model=model)
        state = session(CHAT, digest=OVERFULL, summary_failures=update["summary_failures"])
    assert len(model.asked_forms) == MOST_FAILURES
