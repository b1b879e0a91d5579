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
