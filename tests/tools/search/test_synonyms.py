import pytest
from maintainer.tools.database import open_database, reading
from maintainer.tools.search.postings import Posting, Postings
from maintainer.tools.search.synonyms import Synonyms, joined

TEXTS = ["cache cache", "buffer", "rate limit limit", "rate", "cache buffer"]


def stands(things: list[Synonyms]) -> dict[str, dict[int, float]]:
    """Return by thing how often it stands in which of TEXTS."""
    database = open_database(None, Postings.schema("words"), version=1)
    postings = Postings(database, "words", ("text",))
    postings.add([[text.split()] for text in TEXTS])
    with reading(database):
        terms = frozenset().union(*(thing.terms for thing in things))
        found: list[Posting] = joined(list(postings.lookup(terms)), things)
    database.close()
    return {each.term: {int(n): float(c) for n, c in zip(each.documents, each.counts, strict=True)} for each in found}


def test_a_thing_stands_where_any_way_does_and_its_ways_add_up() -> None:
    thing = Synonyms("缓存", 1.0, {("cache",): 1.0, ("buffer",): 0.5})
    assert stands([thing]) == {"缓存": {0: 2.0, 1: 0.5, 4: 1.5}}


def test_a_way_more_common_than_the_usual_one_counts_as_much_less() -> None:
    thing = Synonyms("上限", 1.0, {("limit",): 1.0, ("rate",): 0.5})
    assert stands([thing]) == {"上限": {2: 2.25, 3: 0.25}}
    without_usual = Synonyms("上限", 1.0, {("maximum",): 1.0, ("rate",): 0.5})
    assert stands([without_usual]) == {"上限": {2: 0.5, 3: 0.5}}


def test_a_way_of_several_terms_stands_where_all_do_as_often_as_the_rarest() -> None:
    assert stands([Synonyms("限流", 1.0, {("rate", "limit"): 1.0})]) == {"限流": {2: 1.0}}


@pytest.mark.parametrize("ways", [{("xyzzy",): 1.0}, {("rate", "xyzzy"): 1.0}, {("rate", "buffer"): 1.0}, {}])
def test_a_thing_that_stands_nowhere_is_left_out(ways: dict[tuple[str, ...], float]) -> None:
    assert stands([Synonyms("x", 1.0, ways)]).get("x", {}) == {}
