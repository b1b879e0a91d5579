from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from maintainer.state import NoteSource
from maintainer.state.errors import SearchError
from maintainer.tools.embeddings import SentenceEncoder
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.words import neighbour_terms
from maintainer.tools.search.text import word_terms
from numpy import float32
from numpy.typing import NDArray

Open = Callable[[], NoteTool]


@pytest.fixture
def filled(tool: NoteTool, clock: FixedClock) -> NoteTool:
    for title, content, kind, tags in (
        ("Orders time out", "The order service times out because the connection pool is exhausted", "blocker", ["api"]),
        ("Cache", "Cache penetration is solved with a bloom filter", "conclusion", ["Cache", "v1.0"]),
        ("Log rotation", "Rotate log files daily and compress them", "action", ["ops"]),
        ("订单超时", "订单服务超时的原因是连接池耗尽", "blocker", ["订单"]),
        ("缓存穿透", "缓存穿透可用布隆过滤器", "conclusion", ["v1.0"]),
        ("Payments", "Payment webhooks are made idempotent by `provider_event_id`", "reference", []),
    ):
        clock.advance(hours=1)
        tool.create(title, content, kind, tags)
    return tool


def found(tool: NoteTool, query: str, **filters: object) -> list[str]:
    return [note.title for note in tool.search(query, **filters)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("why do orders time out?", "Orders time out"),
        ("ORDER SERVICE", "Orders time out"),
        ("how do we rotate the logs", "Log rotation"),
        ("订单服务为什么会超时?", "订单超时"),
        ("缓存穿透怎么解决", "缓存穿透"),
        ("providerEventId", "Payments"),
        ("conection pool", "Orders time out"),  # a letter missing
        ("blooom filter", "Cache"),  # one too many
        ("penetretion", "Cache"),  # another one
        ("webhoosk", "Payments"),  # two swapped
    ],
)
def test_a_sentence_finds_its_note(filled: NoteTool, query: str, best: str) -> None:
    assert found(filled, query)[0] == best


def test_nothing_fits_nothing_is_found(filled: NoteTool) -> None:
    assert found(filled, "quantum chromodynamics") == []
    assert found(filled, "pool", limit=0) == []


def test_filters_narrow_what_is_found(filled: NoteTool) -> None:
    assert found(filled, "cache", note_type="action") == []
    assert sorted(found(filled, "缓存", tags=["V1.0"])) == ["Cache", "缓存穿透"]
    assert found(filled, "cache", tags=["cache", "v1.0"], all_tags=True) == ["Cache"]
    assert set(found(filled, "pool 连接池", until="2026-01-05T12:30")) == {"Orders time out"}
    filled.create("Cart", "the pool", sources=[NoteSource(path="app/orders/cart.py")])
    assert found(filled, "pool", path="app/orders") == ["Cart"]
    assert found(filled, "cart.py")[0] == "Cart"


def test_archived_notes_are_found_on_request_only_and_replaced_ones_come_last(filled: NoteTool) -> None:
    old = filled.create("Pool", "connection pool connection pool")
    new = filled.create("Pool size", "the pool of connections has ten places, see the settings of the database")
    assert found(filled, "connection pool")[0] == "Pool"
    newer = filled.supersede(old.id, new.id)
    assert newer.links == {"supersedes": [old.id]}
    titles = found(filled, "connection pool")
    assert titles.index("Pool size") < titles.index("Pool")
    filled.update(old.id, status="archived")
    assert "Pool" not in found(filled, "connection pool")
    assert found(filled, "connection pool", status="archived") == ["Pool"]


def test_newest_first_is_an_option(filled: NoteTool) -> None:
    assert found(filled, "cache 缓存", newest_first=True) == ["缓存穿透", "Cache"]
    assert found(filled, "", limit=2) == ["Payments", "缓存穿透"]


def test_signs_without_words_are_looked_for_as_they_stand(filled: NoteTool) -> None:
    filled.create("Operators", "a ++ b ** c")
    assert found(filled, "++") == ["Operators"]


def test_a_filter_that_few_pass_is_answered_in_full(tool: NoteTool) -> None:
    for number in range(60):
        tool.create(
            f"pool {number}", "connection pool", extra={"n": number}, status="archived" if number % 3 else "open"
        )
    assert len(tool.search("pool", limit=20)) == 20
    assert len(tool.search("pool", limit=60)) == 20
    assert len(tool.search("pool", limit=60, status=["open", "archived"])) == 60


def test_the_search_follows_every_change_and_outlives_the_process(filled: NoteTool, open_tool: Open) -> None:
    (note,) = filled.search("bloom", limit=1)
    filled.update(note.id, content="now about hash rings")
    for each in (filled, open_tool()):
        assert "Cache" not in found(each, "bloom")
        assert found(each, "hash rings") == ["Cache"]
    filled.delete(note.id)
    assert found(filled, "hash rings") == []
    assert found(open_tool(), "hash rings") == []


def test_a_damaged_search_file_is_made_again_and_that_is_said(filled: NoteTool, open_tool: Open, folder: Path) -> None:
    assert found(filled, "bloom")
    filled.close()
    (folder / ".cache" / "words.sqlite").write_bytes(b"no database" * 100)
    again = open_tool()
    assert found(again, "bloom filter")[0] == "Cache"
    assert any("built again" in notice for notice in again.notices)


@pytest.mark.parametrize("wrong", ["pol", "poool", "pxol", "opol", "polo", "spool"])
def test_one_letter_wrong_means_missing_added_other_or_swapped(wrong: str) -> None:
    assert set(word_terms(wrong)) <= neighbour_terms("pool")
    assert not set(word_terms("pxyl")) & neighbour_terms("pool")


def test_meaning_finds_what_shares_no_word(folder: Path, clock: FixedClock) -> None:
    with NoteTool(folder, clock=clock, embedder=SentenceEncoder()) as tool:
        tool.create("A", "The web page takes very long to appear")
        tool.create("B", "Invoices are sent by mail every month")
        assert found(tool, "slow website")[0] == "A"
        assert found(tool, "网页加载很慢")[0] == "A"
        assert tool.notices == []
    with NoteTool(folder, clock=clock, embedder=SentenceEncoder()) as again:
        assert found(again, "slow website")[0] == "A"


class Slow:
    """An embedder of two numbers that can be stopped and counts what it was asked."""

    name, dimension = "slow", 2

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False

    def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        if self.broken:
            raise SearchError("the embedder is gone")
        self.asked += texts
        return np.array([[1.0, 0.0] if "pool" in text else [0.0, 1.0] for text in texts], dtype="f4")


def test_vectors_of_many_notes_are_made_beside_the_answers_and_kept(folder: Path, clock: FixedClock) -> None:
    embedder = Slow()
    with NoteTool(folder, clock=clock, embedder=embedder) as tool:
        for number in range(150):
            tool.create(f"note {number}", "words")
        assert len(found(tool, "words")) == 10
        helper = tool._finder._search._helper  # type: ignore[union-attr]
        assert helper is not None
        helper.join()
        assert tool.notices == []
        assert len({text for text in embedder.asked if text.startswith("note ")}) == 150
    embedder.asked.clear()
    with NoteTool(folder, clock=clock, embedder=embedder) as again:
        found(again, "words")
        assert embedder.asked == ["words"], "vectors are read from the disk"


def test_an_embedder_that_fails_costs_meaning_only_and_that_is_said(folder: Path, clock: FixedClock) -> None:
    embedder = Slow()
    with NoteTool(folder, clock=clock, embedder=embedder) as tool:
        tool.create("A", "connection pool")
        assert found(tool, "pool") == ["A"]
        embedder.broken = True
        tool.create("B", "connection pool")
        assert sorted(found(tool, "pool")) == ["A", "B"]
        assert tool.notices == ["notes are found by their words only: the embedder is gone"]
