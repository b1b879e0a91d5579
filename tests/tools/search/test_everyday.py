from collections import Counter
from importlib.resources import files

import pytest
from maintainer.tools.search.everyday import in_code, phrases, told


def lines() -> list[str]:
    text = files("maintainer.tools.search").joinpath("everyday.tsv").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_every_line_is_a_phrase_tab_words_and_stands_once() -> None:
    for line in lines():
        said, tab, code = line.partition("\t")
        assert tab, line
        assert said == said.lower().strip(), line
        assert all(word.strip() for word in code.split(",")), line
    assert [said for said, count in Counter(line.partition("\t")[0] for line in lines()).items() if count > 1] == []
    assert len(phrases()) >= 300


@pytest.mark.parametrize(
    "text",
    [
        "When I sign in, the page stays empty and nothing happens.",
        "My colleague cannot see the pictures that I have put up, what is wrong with it?",
        "It would be nice if we could get a mail before it is too late",
    ],
)
def test_whole_sentences_without_identifiers_are_told(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "login fails",
        "Fix race in connection pool shutdown",
        "why is it that when I call `get_user` it is None",
        "what is it that get_user gives me when I am not in it",
        "where is it that app.run is called when I am in it",
        "当我登录的时候页面是空的",
    ],
)
def test_notes_identifiers_and_chinese_are_not_told(text: str) -> None:
    assert not told(text)


def test_the_longest_phrase_wins_whatever_its_endings() -> None:
    assert set(in_code("signed in")) == {"login", "auth", "session"}
    assert "avatar" in in_code("two pictures")
    assert in_code("xyzzy") == []
