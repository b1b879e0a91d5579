from collections import Counter
from importlib.resources import files

import pytest
from maintainer.tools.search.glossary import expand, terms, translate
from maintainer.tools.search.grammar import GRAMMAR
from maintainer.tools.search.text import is_cjk


def lines() -> list[str]:
    text = files("maintainer.tools.search").joinpath("glossary.tsv").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_every_line_is_chinese_tab_english() -> None:
    for line in lines():
        chinese, tab, english = line.partition("\t")
        assert tab, line
        assert is_cjk(chinese), line
        assert all(word.strip() for word in english.split(",")), line
        assert english.isascii(), line


def test_no_term_stands_twice() -> None:
    counts = Counter(line.partition("\t")[0] for line in lines())
    assert [term for term, count in counts.items() if count > 1] == []
    assert len(terms()) >= 5_000


def test_the_longest_term_wins() -> None:
    assert translate("环境变量") == [("环境变量", ("environment variable", "env", "environ"))]
    assert translate("我的请求头") == [("请求头", ("request header", "header"))]
    assert translate("你好") == []


def test_a_run_is_cut_so_that_the_fewest_characters_stay_unknown() -> None:
    assert [word for word, _ in translate("下单后结账")] == ["下单", "结账"]
    assert [word for word, _ in translate("夜间模式")] == ["夜间模式"]
    known = {"异步", "步骤"} & terms().keys()
    assert known == {"异步", "步骤"}
    assert [word for word, _ in translate("异步步骤")] == ["异步", "步骤"]


def test_words_of_grammar_part_the_others_and_are_not_translated() -> None:
    assert GRAMMAR.isdisjoint(terms())
    assert [word for word, _ in translate("进行检查")] == ["检查"]
    assert [word for word, _ in translate("在页面上显示的行为")] == ["页面", "显示", "行为"]
    assert translate("这样的话") == []


def test_the_usual_translation_weighs_more() -> None:
    assert expand("回退") == {"fallback": 1.0, "rollback": 0.6, "revert": 0.6}


@pytest.mark.parametrize("query", ["", "xyzzy", "你好", "12345"])
def test_what_is_not_known_adds_nothing(query: str) -> None:
    assert expand(query) == {}


def test_english_gives_chinese_pairs() -> None:
    assert expand("thread pool")["线程"] == 0.6
    assert {"程池", "连接"} <= expand("connection in the thread pool").keys()
