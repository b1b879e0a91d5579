"""What moves between stores, or rewrites a stored step, must do so on every store: fork, export, import, upgrade."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt
from maintainer.graph.checkpoints import Checkpointer, open_checkpointer
from maintainer.graph.sessions import Sessions
from maintainer.graph.sessions.migrate import Schema
from maintainer.state.errors import NewerSchema, SessionError, StoreError
from maintainer.state.session import SessionInput, SessionState, ToolCall
from maintainer.tools.fakes import FixedClock

STORES = ("memory", "sqlite", "postgres")


@pytest.fixture
def open_store(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., Checkpointer]]:
    opened: list[Checkpointer] = []

    def opener(kind: str, key: bytes | None = None) -> Checkpointer:
        url = {"memory": "memory", "sqlite": str(tmp_path / f"{len(opened)}.sqlite")}.get(kind)
        opened.append(open_checkpointer(url or request.getfixturevalue("postgres_url"), key=key))
        return opened[-1]

    yield opener
    for saver in opened:
        saver.close()


@pytest.fixture
def name() -> str:
    """Give a name no other test uses: one PostgreSQL server serves them all."""
    return f"session {uuid4().hex}"


def build(saver: Checkpointer, nodes: tuple[str, str, str] = ("begin", "work", "end")) -> Any:
    begin, work, end = nodes

    def open_turn(state: SessionState) -> dict[str, Any]:
        if "ask" in state.request:
            interrupt("may I?")
        return {"schema_version": 1, "session": "as the run named it", "turn": state.turn + 1}

    builder = StateGraph(SessionState, input_schema=SessionInput)
    builder.add_node(begin, open_turn)
    builder.add_node(work, lambda call: {"notes": [call.name]}, input_schema=ToolCall)
    builder.add_node(end, lambda state: {"answer": f"{state.request}!"})
    builder.add_edge(START, begin)
    builder.add_conditional_edges(begin, lambda _: [Send(work, ToolCall(id="1", name="ls"))], [work])
    builder.add_edge(work, end)
    builder.add_edge(end, END)
    return builder.compile(checkpointer=saver)


def ask(app: Any, sessions: Sessions, name: str, *requests: str) -> Any:
    with sessions.writing(name, repo="/repo") as session:
        for request in requests:
            turn = session.run(app, SessionInput(request=request, turn_id=uuid4().hex), None)
    return turn


def home(tmp_path: Path, saver: Checkpointer, **options: Any) -> Sessions:
    return Sessions(tmp_path / uuid4().hex, saver, clock=FixedClock(), **options)


@pytest.mark.parametrize("kind", STORES)
def test_a_fork_goes_its_own_way(kind: str, open_store: Any, tmp_path: Path, name: str) -> None:
    saver = open_store(kind)
    sessions, app = home(tmp_path, saver), build(saver)
    ask(app, sessions, name, "one", "two")

    record = sessions.fork(name, "t1", f"{name} fork")
    forked = ask(app, sessions, record.name, "other")

    assert (forked.state.turn, forked.state.answer) == (2, "other!")
    assert (record.parent, record.parent_turn, record.turns) == (name, 1, 1)
    assert sessions.state_at(name, "t2").answer == "two!"
    assert sessions.catalogue.lineage(record.name) == [(record.name, None), (name, 1)]


@pytest.mark.parametrize("kind", STORES)
def test_a_fork_in_the_middle_of_a_turn_runs_the_rest_of_it(
    kind: str, open_store: Any, tmp_path: Path, name: str
) -> None:
    saver = open_store(kind)
    sessions, app = home(tmp_path, saver), build(saver)
    ask(app, sessions, name, "one")
    before_work = next(step for step in sessions.history(name) if step.next == ("work",))

    record = sessions.fork(name, str(before_work.number), f"{name} fork")
    with sessions.writing(record.name, repo="/repo") as session:
        turn = session.run(app, None, None)

    assert (turn.resumed, turn.state.answer, turn.state.notes) == (("work",), "one!", ["ls"])
    assert turn.state.session == record.name


@pytest.mark.parametrize("target", STORES)
@pytest.mark.parametrize("source", STORES)
def test_a_session_moves_between_stores(source: str, target: str, open_store: Any, tmp_path: Path, name: str) -> None:
    saver, other = open_store(source), open_store(target)
    there, here = home(tmp_path, saver), home(tmp_path, other)
    ask(build(saver), there, name, "one", "two", "ask me")

    there.export(name, tmp_path / "s.zip")
    record = here.take(tmp_path / "s.zip", f"{name} copy")

    assert here.state_at(record.name, "t2").answer == "two!"
    assert [step.number for step in here.history(record.name)] == [step.number for step in there.history(name)]
    app = build(other)
    with here.writing(record.name, repo="/repo") as session:
        assert session.run(app, None, None).interrupts[0].value == "may I?"
        assert session.run(app, Command(resume="yes"), None).state.answer == "ask me!"


def test_an_encrypted_session_stays_encrypted_on_its_way(open_store: Any, tmp_path: Path, name: str) -> None:
    saver = open_store("sqlite", key=b"k" * 32)
    there = home(tmp_path, saver)
    ask(build(saver), there, name, "swordfish")
    there.export(name, tmp_path / "s.zip")

    plain = home(tmp_path, open_store("sqlite"))
    with pytest.raises(StoreError, match="LANGGRAPH_AES_KEY"):
        plain.take(tmp_path / "s.zip")
    assert plain.catalogue.list() == []
    assert plain.checkpointer.threads() == []

    keyed = home(tmp_path, open_store("sqlite", key=b"k" * 32))
    assert keyed.state_at(keyed.take(tmp_path / "s.zip").name, "t1").answer == "swordfish!"


def to_two(values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "answer": f"<{values['answer']}>", "goal": "made by the migration"}


@pytest.mark.parametrize("kind", STORES)
def test_an_older_session_is_brought_up_to_date_and_told_of(
    kind: str, open_store: Any, tmp_path: Path, name: str
) -> None:
    saver = open_store(kind)
    app, sessions = build(saver), home(tmp_path, saver)
    ask(app, sessions, name, "one")
    newer = Sessions(sessions.home, saver, clock=FixedClock(), schema=Schema(version=2, migrations={1: to_two}))

    with newer.writing(name, repo="/repo") as session:
        assert session.notices == (f"session {name!r} was brought from schema 1 to 2",)
        values = app.get_state(session.config).values
        assert (values["schema_version"], values["answer"], values["goal"]) == (2, "<one!>", "made by the migration")
        assert session.run(app, SessionInput(request="two"), None).state.answer == "two!"
    assert newer.state_at(name, "t1").answer == "<one!>"


@pytest.mark.parametrize("kind", STORES)
def test_a_newer_session_is_refused_and_not_touched(kind: str, open_store: Any, tmp_path: Path, name: str) -> None:
    saver = open_store(kind)
    app, sessions = build(saver), home(tmp_path, saver)
    ask(app, sessions, name, "one")
    newer = Sessions(sessions.home, saver, clock=FixedClock(), schema=Schema(version=2, migrations={1: to_two}))
    with newer.writing(name, repo="/repo"):
        pass
    before = saver.rows(sessions.catalogue.get(name).thread_id)

    with pytest.raises(NewerSchema, match="schema 2, this one knows 1"), sessions.writing(name, repo="/repo"):
        pass

    assert saver.rows(sessions.catalogue.get(name).thread_id) == before
    newer.export(name, tmp_path / "s.zip")
    with pytest.raises(NewerSchema):
        sessions.take(tmp_path / "s.zip", "copy")


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize(
    ("waits_at", "names"),
    [("work", ("begin", "labour", "end")), ("end", ("begin", "work", "finish"))],
    ids=["a sent task", "a plain step"],
)
def test_a_session_that_waits_at_a_renamed_node_goes_on_there(
    kind: str, waits_at: str, names: tuple[str, str, str], open_store: Any, tmp_path: Path, name: str
) -> None:
    saver = open_store(kind)
    sessions = home(tmp_path, saver)
    ask(build(saver), sessions, name, "one")
    middle = next(step for step in sessions.history(name) if step.next == (waits_at,))
    record = sessions.fork(name, str(middle.number), f"{name} fork")
    aliases = dict(zip(("begin", "work", "end"), names, strict=True))
    today = Sessions(sessions.home, saver, clock=FixedClock(), schema=Schema(node_aliases=aliases))

    with today.writing(record.name, repo="/repo") as session:
        turn = session.run(build(saver, names), None, None)

    assert (turn.status, turn.state.answer, turn.state.notes) == ("finished", "one!", ["ls"])
    assert turn.resumed == (aliases[waits_at],)


@pytest.mark.parametrize("kind", STORES)
def test_a_deleted_session_leaves_nothing(kind: str, open_store: Any, tmp_path: Path, name: str) -> None:
    saver = open_store(kind)
    sessions = home(tmp_path, saver)
    ask(build(saver), sessions, name, "one")
    id_ = sessions.catalogue.get(name).thread_id

    proof = sessions.delete(name)

    assert proof.stores[0].before > 0
    assert proof.stores[0].after == saver.count(id_) == 0
    assert sessions.catalogue.find(name) is None
    with pytest.raises(SessionError, match="no session"):
        sessions.delete(name)
