"""One suite for every store of checkpoints: what the sessions rely on must hold on all of them."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send, interrupt
from maintainer.graph.checkpoints import Checkpointer, KeepPolicy, open_checkpointer
from maintainer.graph.checkpoints.retention import turn_ends
from maintainer.graph.checkpoints.serializer import state_types
from maintainer.state.errors import StoreError
from maintainer.state.packet import ContextPacket
from maintainer.state.session import Exchange, Message, Reply, SessionInput, SessionState, ToolCall, Usage

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY = b"0123456789abcdef0123456789abcdef"
SECRET = "the launch code is swordfish"


@pytest.fixture(params=["memory", "sqlite", "sqlite-encrypted", "postgres", "postgres-encrypted"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Checkpointer]:
    """Give a function that opens the same store, as another process would."""
    kind, _, sealed = request.param.partition("-")
    url = {"memory": "memory", "sqlite": str(tmp_path / "checkpoints.sqlite")}.get(kind)
    if url is None:
        url = request.getfixturevalue("postgres_url")
    return lambda: open_checkpointer(url, key=KEY if sealed else None)


@pytest.fixture
def saver(opener: Callable[[], Checkpointer]) -> Iterator[Checkpointer]:
    opened = opener()
    yield opened
    opened.close()


@pytest.fixture
def config() -> dict[str, Any]:
    return {"configurable": {"thread_id": str(uuid4())}}


def build(saver: Checkpointer) -> Any:
    """A small graph over the real state: opens a turn, looks twice in parallel, answers."""

    def begin(state: SessionState) -> dict[str, Any]:
        return {"schema_version": 1, "turn": state.turn + 1, "goal": state.goal or state.request}

    def look(state: SessionState) -> dict[str, Any]:
        packet = ContextPacket(content="x = 1", timestamp=NOON, metadata={"type": "code", "path": "a.py"})
        return {"candidates": [packet], "reply": Reply(text="ok", usage=Usage(input_tokens=3))}

    def act(call: ToolCall) -> dict[str, Any]:
        return {"exchanges": [Exchange(call=call, result=f"{call.name} \x00 done")]}

    def answer(state: SessionState) -> dict[str, Any]:
        said = Message(role="user", content=state.request, turn=state.turn, timestamp=NOON)
        return {"answer": f"{state.request}!", "history": [*state.history, said][-4:]}

    builder = StateGraph(SessionState, input_schema=SessionInput)
    for node in (begin, look, act, answer):
        builder.add_node(node)
    builder.add_edge(START, "begin")
    builder.add_edge("begin", "look")
    calls = [Send("act", ToolCall(id=str(i), name="ls")) for i in range(2)]
    builder.add_conditional_edges("look", lambda _: calls, ["act"])
    builder.add_edge("act", "answer")
    builder.add_edge("answer", END)
    return builder.compile(checkpointer=saver)


def ask(saver: Checkpointer, config: dict[str, Any], *requests: str) -> Any:
    app = build(saver)
    for request in requests:
        app.invoke({"request": request, "mode": "explore"}, config, durability="sync")
    return app


def test_a_state_comes_back_as_the_classes_it_was_made_of(saver: Checkpointer, config: dict[str, Any]) -> None:
    app = ask(saver, config, "where is 仓库 parsed? \x00")

    state = SessionState.model_validate(app.get_state(config).values)

    assert state.answer == "where is 仓库 parsed? \x00!"
    assert state.candidates[0] == ContextPacket(
        content="x = 1", timestamp=NOON, metadata={"type": "code", "path": "a.py"}
    )
    assert state.reply == Reply(text="ok", usage=Usage(input_tokens=3))
    assert [exchange.call.id for exchange in state.exchanges] == ["0", "1"]
    assert state.history[0].timestamp == NOON


def test_another_process_sees_what_was_stored(opener: Callable[[], Checkpointer], config: dict[str, Any]) -> None:
    first = opener()
    ask(first, config, "one")
    if first.size_bytes() == 0:
        pytest.skip("memory belongs to one process")
    first.close()

    second = opener()
    assert build(second).get_state(config).values["answer"] == "one!"
    second.close()


def test_sync_and_async_callers_share_one_saver(saver: Checkpointer, config: dict[str, Any]) -> None:
    app = ask(saver, config, "one")

    async def go_on() -> list[Any]:
        await app.ainvoke({"request": "two"}, config, durability="sync")
        state = await app.aget_state(config)
        return [state.values["turn"], len([item async for item in app.aget_state_history(config)])]

    turn, steps = asyncio.run(go_on())
    assert turn == 2
    assert steps == len(saver.rows(config["configurable"]["thread_id"])) == 12


def test_threads_do_not_see_each_other(saver: Checkpointer, config: dict[str, Any]) -> None:
    other = {"configurable": {"thread_id": str(uuid4())}}
    app = ask(saver, config, "one")
    ask(saver, other, "two")

    saver.delete_thread(other["configurable"]["thread_id"])

    assert app.get_state(config).values["answer"] == "one!"
    assert app.get_state(other).values == {}
    assert other["configurable"]["thread_id"] not in saver.threads()
    assert config["configurable"]["thread_id"] in saver.threads()


def test_deleting_a_thread_leaves_no_row(saver: Checkpointer, config: dict[str, Any]) -> None:
    ask(saver, config, "one")
    id_ = config["configurable"]["thread_id"]
    assert saver.count(id_) > 0

    saver.delete_thread(id_)

    assert saver.count(id_) == 0


def test_pruning_keeps_the_newest_steps_the_ends_of_turns_and_marks(
    saver: Checkpointer, config: dict[str, Any]
) -> None:
    app = ask(saver, config, "one", "two", "three", "four")
    id_ = config["configurable"]["thread_id"]
    before = saver.rows(id_)
    ends, marked = turn_ends(before), before[-3].id
    whole = app.get_state(config)

    gone = saver.prune_thread(id_, KeepPolicy(steps=2, turns=3), [marked])

    left = [row.id for row in saver.rows(id_)]
    assert left == [before[0].id, before[1].id, ends[1], ends[2], marked]
    assert gone == len(before) - 5
    assert app.get_state(config) == whole
    end_of_two = app.get_state({"configurable": {"thread_id": id_, "checkpoint_id": ends[2]}}).values
    assert (end_of_two["answer"], end_of_two["turn"], len(end_of_two["history"])) == ("two!", 2, 2)


def test_a_pruned_thread_goes_on(saver: Checkpointer, config: dict[str, Any]) -> None:
    app = ask(saver, config, "one", "two")
    saver.prune_thread(config["configurable"]["thread_id"], KeepPolicy(steps=1, turns=1))

    app.invoke({"request": "three"}, config, durability="sync")

    assert app.get_state(config).values["turn"] == 3
    assert app.get_state(config).values["goal"] == "one"


def test_pruning_keeps_an_open_question_answerable(saver: Checkpointer, config: dict[str, Any]) -> None:
    from langgraph.types import Command

    def approve(state: SessionState) -> dict[str, Any]:
        return {"answer": interrupt("may I?")}

    builder = StateGraph(SessionState, input_schema=SessionInput)
    builder.add_node(approve)
    builder.add_edge(START, "approve")
    app = builder.compile(checkpointer=saver)
    app.invoke({"request": "do it"}, config, durability="sync")

    saver.prune_thread(config["configurable"]["thread_id"], KeepPolicy(steps=1, turns=1))
    app.invoke(Command(resume="yes"), config, durability="sync")

    assert app.get_state(config).values["answer"] == "yes"


def test_reading_the_history_while_writing_does_not_lock(saver: Checkpointer, config: dict[str, Any]) -> None:
    app = ask(saver, config, "one")
    for snapshot in app.get_state_history(config):
        app.update_state(config, {"answer": "edited"})
        assert snapshot.config
    assert app.get_state(config).values["answer"] == "edited"


def test_every_class_of_the_state_may_be_rebuilt_and_no_other() -> None:
    names = {name for _, name in state_types()}
    assert {"Message", "Exchange", "ToolCall", "Reply", "Usage", "Prompt", "ContextPacket", "Situation"} <= names
    assert all(module.startswith("maintainer.state.") for module, _ in state_types())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_nothing_said_is_readable_in_an_encrypted_store(
    kind: str, tmp_path: Path, config: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    url = str(tmp_path / "c.sqlite") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    saver = open_checkpointer(url, key=KEY)
    ask(saver, config, SECRET)
    assert dump(saver, kind, tmp_path).count(b"swordfish") == 0
    saver.close()

    with pytest.raises(StoreError, match="LANGGRAPH_AES_KEY"):
        build(other := open_checkpointer(url)).get_state(config)
    other.close()
    with pytest.raises(StoreError, match="does not open with this key"):
        build(other := open_checkpointer(url, key=b"f" * 32)).get_state(config)
    other.close()


def dump(saver: Any, kind: str, folder: Path) -> bytes:
    """Return everything the store holds as bytes."""
    if kind == "sqlite":
        return b"".join(path.read_bytes() for path in folder.iterdir())
    with saver._cursor() as cursor:
        rows = [
            row
            for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
            for row in cursor.execute(f"SELECT * FROM {table}").fetchall()
        ]
    plain = repr(rows).encode()
    assert b"goal" in plain, "the names of the state's fields stay in clear, so the dump is a real one"
    return plain


def test_values_stored_in_clear_stay_readable_when_a_key_is_set(tmp_path: Path, config: dict[str, Any]) -> None:
    plain = open_checkpointer(tmp_path / "c.sqlite")
    ask(plain, config, "one")
    plain.close()

    sealed = open_checkpointer(tmp_path / "c.sqlite", key=KEY)
    assert build(sealed).get_state(config).values["answer"] == "one!"
    sealed.close()
