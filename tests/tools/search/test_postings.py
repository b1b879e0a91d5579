from collections.abc import Iterator
from sqlite3 import Connection

import pytest
from maintainer.tools.database import open_database, reading
from maintainer.tools.search.bm25 import bm25
from maintainer.tools.search.postings import Postings


@pytest.fixture
def database() -> Iterator[Connection]:
    connection = open_database(None, Postings.schema("words"), version=1)
    yield connection
    connection.close()


def sizes(database: Connection) -> list[int]:
    return [size for (size,) in database.execute("SELECT size FROM words_segment ORDER BY first")]


def test_small_writes_merge_among_themselves_and_leave_the_large_part_alone(database: Connection) -> None:
    postings = Postings(database, "words", ("text",))
    for _ in range(3):
        postings.add([[["all", "old"]]] * 1500)
    for number in range(200):
        postings.add([[["all", f"n{number}"]]])
    assert sizes(database)[:3] == [1500, 1500, 1500]
    assert len(sizes(database)) <= 16
    with reading(database):
        assert {p.term: len(p.documents) for p in postings.lookup(["all", "old", "n7"])} == {
            "all": 4700,
            "old": 4500,
            "n7": 1,
        }


def test_a_large_write_tidies_up(database: Connection) -> None:
    postings = Postings(database, "words", ("text",))
    for _ in range(12):
        postings.add([[["old"]]] * 900)
    postings.add([[["new"]]] * 2000)
    assert len(sizes(database)) <= 3


def test_length_counts_for_nothing_when_b_is_0(database: Connection) -> None:
    postings = Postings(database, "words", ("text",))
    postings.add([[["cart"]], [["cart", *["filler"] * 50]], [["other"]]])
    with reading(database):
        found, corpus = list(postings.lookup(["cart"])), postings.corpus()
    flat, damped = (bm25(found, corpus, {"cart": 1.0}, k1=1.2, b=b)[0] for b in (0.0, 0.75))
    assert flat[0] == pytest.approx(flat[1])
    assert damped[0] > damped[1] > damped[2] == 0.0


def test_places_are_kept_in_two_bytes_and_in_four_past_65536_documents(database: Connection) -> None:
    postings = Postings(database, "words", ("text",))
    postings.add([[["all", "old", "old"]]] * 40_000)
    postings.add([[["all"]]] * 40_000 + [[["all", "last", "last"]]])
    assert sizes(database) == [40_000, 40_001]
    before = answers(database, postings)
    postings.remove([0, 79_999])
    for _ in range(12):
        postings.add([[["all"]]] * 9_000)
    assert max(sizes(database)) > 65_536
    after = answers(database, postings)
    assert before == {"all": (80_001, 1), "old": (40_000, 2), "last": (1, 2)}
    assert after == {"all": (80_001 + 12 * 9_000 - 2, 1), "old": (39_999, 2), "last": (1, 2)}
    with reading(database):
        (last,) = postings.lookup(["last"])
        assert postings.corpus().numbers[last.documents[0]] == 80_000


def answers(database: Connection, postings: Postings) -> dict[str, tuple[int, float]]:
    with reading(database):
        return {p.term: (len(p.documents), max(p.counts)) for p in postings.lookup(["all", "old", "last"])}
