from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.state.packet import Need
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.context import NotesSource
from maintainer.tools.notes.review import NoteReview
from maintainer.tools.notes.sources import Sources
from maintainer.tools.tokens import open_counter

Offer = Callable[..., NotesSource]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "pool.py").write_text("size = 5\nwait = 1\n", "utf-8")
    return folder


@pytest.fixture
def review(tool: NoteTool, repo: Path) -> NoteReview:
    return NoteReview(tool.store, Sources(repo))


@pytest.fixture
def offer(tool: NoteTool, clock: FixedClock, review: NoteReview) -> Offer:
    def make(**more: int) -> NotesSource:
        return NotesSource(tool, review, clock=clock, counter=open_counter(), **more)

    return make


def test_open_blockers_come_first_then_what_fits_the_question(tool: NoteTool, clock: FixedClock, offer: Offer) -> None:
    for number in range(3):
        clock.advance(hours=1)
        tool.create(f"blocker {number}", "certificates expire", "blocker")
    tool.create("pool size", "the connection pool has five places", "conclusion")
    tool.create("pool plan", "raise the connection pool to ten", "action")
    tool.create("solved", "connection pool", "blocker", status="resolved")
    tool.create("old", "connection pool", "action", status="superseded")
    tool.create("gone", "connection pool", "action", status="archived")
    packets = offer().packets(Need(text="how large is the connection pool?"))
    titles = [packet.metadata["title"] for packet in packets]
    assert titles[:3] == ["blocker 2", "blocker 1", "pool plan"]
    assert sorted(titles[3:]) == ["pool size", "solved"]
    assert [packet.relevance_score for packet in packets] == [0.9, 0.9, 0.8, 0.7, 0.7]
    last = packets[titles.index("pool size")]
    assert last.content.startswith("[Note: pool size] (conclusion, open, updated today; UNVERIFIABLE")
    assert last.content.endswith("\nthe connection pool has five places")
    assert (last.type, last.source, last.metadata["note_type"]) == ("note", "notes", "conclusion")
    assert tool.read(last.metadata["note_id"]).updated_at == last.timestamp


def test_a_stale_note_says_so_and_stands_behind_the_fresh_ones(
    tool: NoteTool, clock: FixedClock, offer: Offer, review: NoteReview, repo: Path
) -> None:
    sources = Sources(repo)
    tool.create("pool size", "the pool has five places", "conclusion", sources=[sources.bind("pool.py", "1")])
    tool.create("pool wait", "the pool waits a second", "reference", sources=[sources.bind("pool.py", "2")])
    (repo / "pool.py").write_text("size = 50\nwait = 1\n", "utf-8")
    clock.advance(days=9)
    wait, size = offer().packets(Need(text="pool"))
    assert wait.content.startswith(
        "[Note: pool wait] (reference, open, updated 9 days ago; FRESH, its code is unchanged)"
    )
    assert "STALE, its code has changed since: check before you rely on it: pool.py" in size.content
    assert (size.relevance_score, size.metadata["state"], size.metadata["path"]) == (0.35, "stale", "pool.py")
    assert [item.title for item in review.queue()] == ["pool size"]


def test_a_chinese_question_gets_chinese_labels(tool: NoteTool, offer: Offer) -> None:
    tool.create("连接池", "连接池有五个连接", "conclusion")
    (packet,) = offer().packets(Need(text="连接池有多大"))
    assert packet.content.startswith(
        "[笔记:连接池](conclusion, open, 0 天前更新; UNVERIFIABLE,没有可核对的代码)\n连接池"
    )


def test_where_the_request_says_too_little_the_goal_speaks(tool: NoteTool, offer: Offer) -> None:
    tool.create("pool size", "five connections")
    (packet,) = offer().packets(Need(text="继续", goal="how large is the pool of connections?"))
    assert packet.metadata["title"] == "pool size"


def test_all_notes_together_stay_within_their_share(tool: NoteTool, offer: Offer) -> None:
    for number in range(3):
        tool.create(f"pool {number}", "connection pool " * 200)
    counter = open_counter()
    packets = offer(max_tokens=600).packets(Need(text="connection pool"))
    assert sum(counter.count(packet.content) for packet in packets) <= 600
    assert [packet.metadata.get("cut", False) for packet in packets] == [False, True]
    assert packets[-1].content.endswith(f"[... {packets[-1].metadata['note_id']} ...]")


def test_no_notes_no_packets(offer: Offer) -> None:
    assert list(offer().packets(Need(text="anything"))) == []
