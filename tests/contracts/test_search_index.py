"""What every SearchIndex promises, run on each backend."""

from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.state.errors import SearchError
from maintainer.tools.search import Document, SearchIndex, WordIndex

FIELDS = {"title": 2.0, "body": 1.0}
Opener = Callable[[], SearchIndex]


def on_words(folder: Path) -> SearchIndex:
    return WordIndex(folder / "index.sqlite", FIELDS)


def on_words_in_memory(folder: Path) -> SearchIndex:
    return WordIndex(None, FIELDS)


@pytest.fixture(params=[on_words, on_words_in_memory], ids=lambda make: make.__name__)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> SearchIndex:
    return request.param(tmp_path)


def note(key: str, title: str, body: str = "", **filters: str) -> Document:
    return Document(key, {"title": title, "body": body}, filters)


def found(index: SearchIndex, query: str, **options: object) -> list[str]:
    return [hit.id for hit in index.search(query, **options)]


def test_finds_by_words_best_first(index: SearchIndex) -> None:
    index.put([note("a", "Cache", "nothing"), note("b", "Timeout of the cache", "cache cache"), note("c", "Menu")])
    assert found(index, "cache timeout") == ["b", "a"]


def test_nothing_matches_nothing(index: SearchIndex) -> None:
    assert found(index, "cache") == []
    index.put([note("a", "Cache")])
    assert found(index, "menu") == []
    assert found(index, "") == []
    assert found(index, "the of and 的") == []


def test_a_known_id_replaces_the_old_document(index: SearchIndex) -> None:
    index.put([note("a", "Cache")])
    index.put([note("a", "Menu")])
    assert found(index, "cache") == []
    assert found(index, "menu") == ["a"]
    assert index.ids() == {"a"}


def test_the_last_of_two_documents_with_one_id_counts(index: SearchIndex) -> None:
    index.put([note("a", "Cache"), note("a", "Menu")])
    assert found(index, "cache menu") == ["a"]
    assert found(index, "cache") == []


def test_removed_documents_are_gone_and_weigh_nothing(index: SearchIndex) -> None:
    index.put([note("a", "Cache"), note("b", "Menu")])
    alone = index.search("cache")[0].score
    index.put([note(f"x{i}", "Cache cache", "cache") for i in range(20)])
    index.remove([f"x{i}" for i in range(20)])
    index.remove(["never there"])
    assert found(index, "cache") == ["a"]
    assert index.search("cache")[0].score == pytest.approx(alone)


def test_many_small_writes_keep_everything(index: SearchIndex) -> None:
    names = [f"q{'abcdefghijkl'[i // 10]}{'mnopqrstuv'[i % 10]}" for i in range(120)]
    for i, name in enumerate(names):
        index.put([note(name, name, "common words")])
        if i % 3 == 0:
            index.remove([name])
    assert found(index, names[119]) == [names[119]]
    assert found(index, names[60]) == []
    assert len(found(index, "common", limit=200)) == 80
    assert len(index.ids()) == 80


def test_never_more_than_the_limit(index: SearchIndex) -> None:
    index.put([note(f"n{i}", "cache") for i in range(5)])
    assert len(found(index, "cache", limit=3)) == 3
    assert found(index, "cache", limit=0) == []


@pytest.mark.parametrize(
    ("among", "expected"),
    [
        ({"type": "blocker"}, {"a"}),
        ({"type": ["blocker", "action"]}, {"a", "b"}),
        ({"tag": "ui"}, {"a", "b"}),
        ({"type": "action", "tag": "ui"}, {"b"}),
        ({"type": "action", "tag": "v1"}, set()),
        ({"id": ["c", "a"]}, {"a", "c"}),
        ({"id": "c", "type": "blocker"}, set()),
        ({"type": []}, set()),
        ({}, {"a", "b", "c"}),
        (None, {"a", "b", "c"}),
    ],
)
def test_filters_hold_for_every_name_and_any_value(index: SearchIndex, among: object, expected: set[str]) -> None:
    index.put(
        [
            Document("a", {"title": "cache"}, {"type": "blocker", "tag": ["ui", "v1"]}),
            Document("b", {"title": "cache"}, {"type": "action", "tag": ["ui"]}),
            Document("c", {"title": "cache"}),
        ]
    )
    assert set(found(index, "cache", among=among)) == expected
    assert index.passing(["a", "b", "c", "d"], among) == expected


def test_identifiers_are_found_by_their_parts_and_parts_by_the_whole(index: SearchIndex) -> None:
    index.put([note("a", "rateLimitExceeded"), note("b", "parse_http_url"), note("c", "the errorhandler")])
    assert found(index, "limit") == ["a"]
    assert found(index, "ParseHTTPUrl") == ["b"]
    assert found(index, "error_handler") == ["c"]


def test_chinese_finds_chinese(index: SearchIndex) -> None:
    index.put([note("a", "数据库连接超时"), note("b", "登录页面样式"), note("c", "死锁")])
    assert found(index, "连接超时怎么办") == ["a"]
    assert found(index, "锁") == ["c"]


def test_languages_find_each_other_through_the_glossary(index: SearchIndex) -> None:
    index.put([note("a", "Timeout of the database connection"), note("b", "Menu"), note("c", "线程池耗尽")])
    assert found(index, "数据库超时") == ["a"]
    assert found(index, "thread pool") == ["c"]


def test_a_hit_says_why(index: SearchIndex) -> None:
    index.put([note("a", "Cache", "cache of pages"), note("b", "pages")])
    hit = index.search("cache pages")[0]
    assert hit.id == "a"
    assert sum(hit.parts.values()) == pytest.approx(hit.score)
    assert hit.matched[0] == "cach"


def test_a_field_that_is_not_known_is_an_error_and_nothing_is_written(index: SearchIndex) -> None:
    with pytest.raises(SearchError, match="colour"):
        index.put([note("a", "cache"), Document("b", {"colour": "red"})])
    assert index.ids() == set()


@pytest.mark.parametrize(
    "text", ["\x00\x01", "🙂🙂 cache", "a" * 100_000, "' OR 1=1 --", "\ud800 lone", "¹²³ Ａ", "%s {0}"]
)
def test_any_text_can_be_kept_and_asked(index: SearchIndex, text: str) -> None:
    index.put([note("a", text, "cache")])
    index.search(text)
    assert found(index, "cache") == ["a"]
