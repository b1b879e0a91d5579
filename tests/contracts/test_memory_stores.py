"""One suite for every store of memories: the embedded one, a server's in memory, PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres import PostgresStore
from maintainer.state.errors import MemoryProblem, UnknownMemory
from maintainer.tools import MemoryTool
from maintainer.tools.fakes import FixedClock

Opener = Callable[..., MemoryTool]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(params=["embedded", "in memory", "postgres"])
def open_memory(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Iterator[Opener]:
    """Open a MemoryTool on this test's store, as often as it likes."""
    opened: list[MemoryTool] = []

    def open_one(session: str = "default") -> MemoryTool:
        opened.append(MemoryTool(tmp_path, store=store, session=session, clock=clock))
        return opened[-1]

    with ExitStack() as stack:
        store: BaseStore | None = InMemoryStore() if request.param == "in memory" else None
        if request.param == "postgres":
            url = request.getfixturevalue("postgres_url")
            store = postgres = stack.enter_context(PostgresStore.from_conn_string(url))
            postgres.setup()
            postgres.conn.execute("TRUNCATE store")
        yield open_one
        for memory in opened:
            memory.close()


def test_search_puts_closeness_before_importance(open_memory: Opener) -> None:
    memory = open_memory()
    memory.add("the release is cut on Fridays", "semantic", importance=1.0)
    close = memory.add("the parser of the cache lives in cache_parser.py", "semantic", importance=0.2)
    assert memory.search("cache parser")[0].id == close.id


@pytest.mark.parametrize("query", ["缓存的解析器在哪", "where is the parser of the cache?"])
def test_search_finds_across_languages(open_memory: Opener, query: str) -> None:
    memory = open_memory()
    memory.add("发布在周五进行", "semantic")
    wanted = memory.add("缓存解析器在 cache_parser.py", "semantic")
    assert memory.search(query)[0].id == wanted.id


def test_search_is_limited_by_type_number_and_importance(open_memory: Opener) -> None:
    memory = open_memory()
    for n in range(5):
        memory.add(f"cache fact {n}", "semantic", importance=n / 10)
    memory.add("cache event", "episodic", 0.9)
    assert len(memory.search("cache", limit=3)) == 3
    assert {each.type for each in memory.search("cache", "episodic")} == {"episodic"}
    assert {each.content for each in memory.search("cache", "semantic", min_importance=0.3)} == {
        "cache fact 3",
        "cache fact 4",
    }
    assert memory.search("nothing like it") == []


def test_the_same_content_is_kept_once_and_strengthened(open_memory: Opener) -> None:
    memory = open_memory()
    first = memory.add("tabs are four wide", "semantic", 0.5, {"turns": [1]})
    again = memory.add("tabs  are four wide", "semantic", 0.9, {"by": "user"})
    assert (again.id, again.importance, again.metadata) == (first.id, 0.9, {"turns": [1], "by": "user"})
    assert memory.stats()["semantic"]["count"] == 1


def test_working_memory_belongs_to_its_session(open_memory: Opener) -> None:
    one, two = open_memory("one.a"), open_memory("two")
    one.add("draft of the plan", "working")
    one.add("the plan has five steps", "semantic")
    assert [each.content for each in two.search("plan")] == ["the plan has five steps"]


def test_update_changes_what_is_given_and_keeps_the_id(open_memory: Opener, clock: FixedClock) -> None:
    memory = open_memory()
    old = memory.add("line length is 100", "semantic", 0.5)
    clock.advance(days=1)
    new = memory.update(old.id, content="line length is 120")
    assert (new.id, new.importance, new.created_at) == (old.id, 0.5, old.created_at)
    assert new.updated_at > old.updated_at
    assert memory.search("line length")[0].content == "line length is 120"
    assert memory.add("line length is 100", "semantic").id != old.id
    assert memory.get(old.id).content == "line length is 120"


def test_a_removed_memory_is_gone(open_memory: Opener) -> None:
    memory = open_memory()
    gone = memory.remove(memory.add("temporary").id)
    assert memory.search("temporary") == []
    with pytest.raises(UnknownMemory, match="ids come from add and search"):
        memory.get(gone.id)


def test_forgetting_by_importance_age_and_capacity(open_memory: Opener, clock: FixedClock) -> None:
    memory = open_memory()
    memory.add("trivial", "episodic", 0.05)
    memory.add("old", "episodic", 0.6)
    clock.advance(days=31)
    for n in range(4):
        memory.add(f"event {n}", "episodic", 0.2 + n / 10)
    assert [each.content for each in memory.forget("importance", threshold=0.1)] == ["trivial"]
    assert [each.content for each in memory.forget("age", max_age_days=30)] == ["old"]
    assert [each.content for each in memory.forget("capacity", capacity=2)] == ["event 0", "event 1"]
    assert memory.stats()["episodic"]["count"] == 2


def test_facts_do_not_fade_where_events_do(open_memory: Opener, clock: FixedClock) -> None:
    memory = open_memory()
    memory.add("fact", "semantic", 0.5)
    memory.add("event", "episodic", 0.6)
    clock.advance(days=60)
    assert [each.content for each in memory.forget("capacity", capacity=1)] == ["event"]


def test_consolidation_moves_what_is_important(open_memory: Opener) -> None:
    memory = open_memory()
    memory.add("passing thought", "working", 0.6)
    key = memory.add("the user wants British English", "working", 0.8)
    [moved] = memory.consolidate()
    assert (moved.type, moved.content, moved.importance) == ("episodic", key.content, pytest.approx(0.88))
    assert moved.metadata["consolidated_from"] == key.id
    assert [each.content for each in memory.search("thought user", "working")] == ["passing thought"]


def test_clearing_must_be_confirmed(open_memory: Opener) -> None:
    memory = open_memory()
    memory.add("one")
    memory.add("two", "semantic")
    with pytest.raises(MemoryProblem, match="clearing cannot be undone"):
        memory.clear()
    assert memory.clear("semantic", confirm=True) == 1
    assert memory.clear(confirm=True) == 1
    assert memory.summary()["total"] == 0


def test_an_exchange_keeps_the_question_and_the_beginning_of_the_answer(open_memory: Opener) -> None:
    kept = open_memory().add_exchange("why?", "because " * 100)
    assert kept.content == "Q: why?\nA: " + ("because " * 100)[:200].strip()
    assert (kept.type, kept.importance) == ("episodic", 0.6)


def test_summary_and_stats_count_by_type(open_memory: Opener) -> None:
    memory = open_memory()
    memory.add("a", "working", 0.2)
    memory.add("b", "semantic", 0.9)
    summary = memory.summary(limit=1)
    assert (summary["total"], summary["by_type"]) == (2, {"working": 1, "semantic": 1})
    assert [each["content"] for each in summary["important"]] == ["b"]
    assert memory.stats()["semantic"]["mean_importance"] == 0.9
    assert memory.stats()["episodic"] == {"count": 0, "mean_importance": None, "oldest": None, "newest": None}


def test_the_one_dictionary_form_gives_plain_data(open_memory: Opener) -> None:
    memory = open_memory()
    made = memory.run({"action": "add", "content": "cache is warm", "memory_type": "semantic", "importance": 0.8})
    found = memory.run({"action": "search", "query": "cache", "limit": 3})
    assert found["count"] == 1
    assert found["memories"][0]["id"] == made["memory"]["id"]
    assert memory.run({"action": "remove", "memory_id": made["memory"]["id"]})["memory"]["content"] == "cache is warm"
    assert memory.run({"action": "clear", "confirm": True}) == {"removed": 0}
    assert memory.run({"action": "stats"})["working"]["count"] == 0


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"action": "fly"}, "action is 'fly': must be one of add"),
        ({}, "action is None"),
        ({"action": "add"}, "do not fit add"),
        ({"action": "add", "content": "  "}, "content is '  '"),
        ({"action": "add", "content": "x", "importance": 1.5}, r"importance is 1.5: must be a number in \[0, 1\]"),
        ({"action": "add", "content": "x", "memory_type": "long"}, "memory_type is 'long'"),
        ({"action": "search", "query": "x", "memory_type": "long"}, "memory_type is 'long'"),
        ({"action": "forget", "strategy": "luck"}, "strategy is 'luck'"),
        ({"action": "consolidate", "source": "episodic", "target": "episodic"}, "must differ"),
        ({"action": "update", "memory_id": "mem_1", "content": "x"}, "no memory has it"),
    ],
)
def test_a_wrong_request_names_value_and_rule(open_memory: Opener, request_: dict[str, object], message: str) -> None:
    with pytest.raises(MemoryProblem, match=message):
        open_memory().run(request_)


def test_a_second_tool_on_the_store_sees_what_the_first_one_keeps(open_memory: Opener) -> None:
    kept = open_memory().add("releases are cut on Fridays", "semantic", 0.8)
    assert open_memory("another session").get(kept.id) == kept


def test_a_session_is_erased_whole(open_memory: Opener) -> None:
    one, two = open_memory("one"), open_memory("two")
    one.add("draft", "working")
    one.add_exchange("why?", "because")
    two.add("kept", "semantic")
    assert one.count("one") == 2
    two.erase("one")
    assert (one.count("one"), two.count("two")) == (0, 1)
