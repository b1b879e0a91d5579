import pytest
from maintainer.tools.search.text import STOP_WORDS, index_terms, stem, tokenize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parse_url", ["pars", "url", "=parseurl"]),
        ("parseUrl ParseURL", ["pars", "url", "=parseurl", "pars", "url", "=parseurl"]),
        ("HTTPServer", ["http", "serv", "=httpserver"]),
        ("URLs getIDs", ["url", "get", "id", "=getids"]),
        ("__init__", ["init"]),
        ("sha256", ["sha", "256", "=sha256"]),
        ("error 404 on port 8", ["error", "404", "port"]),
        ("the of and", []),
        ("a.b->c", []),
        ("请求超时", ["请求", "求超", "超时"]),
        ("锁", ["锁"]),
        ("GitHub错误", ["git", "hub", "=github", "错误"]),
        ("ＡＰＩ 错误", ["api", "错误"]),
        ("naïve Привет", ["naïv", "привет"]),
        ("", []),
    ],
)
def test_terms_of_a_text(text: str, expected: list[str]) -> None:
    assert tokenize(text) == expected


@pytest.mark.parametrize(
    "family",
    [
        "parse parser parsing parsed parses",
        "create created creating creation creator",
        "update updates updated updating",
        "validate validation validator",
        "configures configure configured",
        "stop stopped stopping stops",
        "render rendered renderer rendering",
        "query queries",
        "cookie cookies",
        "class classes",
        "connect connects connected connecting",
        "type types typed",
        "notify notification notified",
        "format formatted formatting formats",
    ],
)
def test_the_forms_of_a_word_meet(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize("words", ["string str", "author auth", "use user", "status state", "comment com", "speed spe"])
def test_different_words_stay_apart(words: str) -> None:
    left, right = map(stem, words.split())
    assert left != right


def test_documents_are_also_found_by_single_characters() -> None:
    assert index_terms("死锁 pool") == ["死锁", "pool", "死", "锁"]
    assert index_terms("plain words") == tokenize("plain words")


def test_stop_words_are_lower_case() -> None:
    assert all(word == word.lower() for word in STOP_WORDS)
