"""Relevance: in English, in Chinese, across the two, whatever the length of the text."""

from datetime import UTC, datetime, timedelta

import pytest
from maintainer.nodes.scoring.candidates import candidate_of, judge
from maintainer.nodes.scoring.concepts import read_question
from maintainer.nodes.scoring.freshness import freshness
from maintainer.nodes.scoring.relevance import rarity
from maintainer.state import ContextConfig, ContextPacket

NOW = datetime(2026, 6, 1, tzinfo=UTC)
FACTS = [
    "Uploads are scanned for viruses by the antivirus worker before they are stored",
    "The search index is rebuilt every night at two",
    "上传的文件先由杀毒进程扫描再保存",
    "搜索索引每天夜里两点重建",
    "Invoices are numbered per year and never reused",
    "发票按年编号,从不重复使用",
    "The mobile app refreshes its token every ten minutes",
    "移动端每十分钟刷新一次令牌",
]


def relevances(query: str, texts: list[str], before: str = "") -> list[float]:
    judged = judge(
        [candidate_of(ContextPacket(text)) for text in texts],
        read_question(query, before),
        query,
        ContextConfig(),
        NOW,
        room=3000,
    )
    by_text = {each.packet.content: each.relevance for each in judged.short}
    return [by_text[text] for text in texts]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("which worker scans uploads for viruses", 0),
        ("when is the search index rebuilt", 1),
        ("上传的文件怎么扫描", 2),
        ("搜索索引什么时候重建?", 3),
        ("how are invoices numbered", 4),
        ("发票如何编号", 5),
        ("how often is the token refreshed in the mobile app", 6),
        ("移动端的令牌多久刷新", 7),
    ],
)
def test_the_fact_that_is_asked_for_comes_first(query: str, expected: int) -> None:
    found = relevances(query, FACTS)
    assert found.index(max(found)) == expected
    assert found[expected] >= 0.3


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("数据库连接超时", "The database connection times out"),
        ("how do we encrypt the password", "密码用 bcrypt 加密"),
        ("登录接口", "POST /login is the interface for signing in"),
        ("where are the logs", "日志在 /var/log/app"),
    ],
)
def test_the_other_language_is_understood(query: str, text: str) -> None:
    found = relevances(query, [text, "bananas are yellow", "香蕉是黄色的"])
    assert found[0] >= 0.2
    assert found[1] == found[2] == 0.0


def test_a_long_text_is_as_relevant_as_a_short_one_that_says_the_same() -> None:
    short = "The retry queue drops messages after five attempts"
    long = short + "\n" + "\n".join(f"Unrelated line {n} about gardens and weather." for n in range(300))
    found = relevances("when does the retry queue drop messages", [short, long, "gardens and weather"])
    assert found[0] == pytest.approx(found[1])


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    common = [f"order number {n} was shipped" for n in range(50)]
    found = relevances("order escrow", [*common, "escrow is released after shipping"])
    assert found[-1] > max(found[:-1])


def test_a_single_candidate_can_be_judged() -> None:
    assert relevances("why did the build fail", ["Build failed: dependency version conflict"])[0] >= 0.5
    assert relevances("why did the build fail", ["bananas are yellow"])[0] == 0.0


def test_relatives_of_a_word_count_a_little_less() -> None:
    same, relative, other = relevances("configuration", ["configuration", "config", "confetti"])
    assert same > relative > 0.5
    assert other == 0.0


@pytest.mark.parametrize("follow_up", ["Why?", "继续", "go on", "为什么?", "explain"])
def test_a_follow_up_leans_on_the_request_before(follow_up: str) -> None:
    alone = relevances(follow_up, FACTS)
    leaning = relevances(follow_up, FACTS, before="when is the search index rebuilt")
    assert leaning.index(max(leaning)) == 1
    assert len(set(alone)) == 1  # alone it says nothing about any of them


def test_a_full_question_does_not_lean_on_the_one_before() -> None:
    query = "how are invoices numbered"
    assert relevances(query, FACTS, before="when is the search index rebuilt") == relevances(query, FACTS)


def test_where_nothing_can_be_looked_for_everything_is_as_relevant() -> None:
    assert relevances("?!", FACTS) == [0.5] * len(FACTS)


def test_rarity_falls_with_frequency() -> None:
    values = [rarity(df, 1000) for df in (1, 10, 100, 1000)]
    assert values == sorted(values, reverse=True)
    assert 0.25 <= values[-1] < 0.26
    assert rarity(0, 1000) == 0.5  # nobody speaks of it: it cannot tell candidates apart


def test_candidates_that_all_speak_of_what_is_asked_stay_relevant() -> None:
    assert min(relevances("order service", [f"order fact {n}" for n in range(900)])) >= 0.3
    long = "order service cache queue worker schema index table session token config deploy build coverage"
    assert min(relevances(long, [f"order service fact {n}" for n in range(200)])) >= 0.1


@pytest.mark.parametrize(
    ("kind", "age", "expected"),
    [
        ("memory", timedelta(0), 1.0),
        ("memory", timedelta(days=1), 0.9048),
        ("memory", timedelta(days=400), 0.1),
        ("memory", -timedelta(days=3), 1.0),
        ("blocker", timedelta(days=400), 1.0),
        ("conversation_history", timedelta(days=1), 0.6065),
        ("note", timedelta(days=10), 0.7408),
    ],
)
def test_freshness_falls_by_what_a_packet_is(kind: str, age: timedelta, expected: float) -> None:
    assert freshness(kind, NOW - age, NOW) == pytest.approx(expected, abs=1e-4)


def test_an_undated_packet_counts_as_new() -> None:
    assert freshness("memory", None, NOW) == 1.0


def test_the_callers_score_stands_and_a_sources_score_is_one_voice_of_two() -> None:
    by_caller = ContextPacket("bananas", relevance_score=0.5)
    by_source = ContextPacket("bananas are fruit", relevance_score=1.0, metadata={"scored_by": "source"})
    judged = judge(
        [candidate_of(by_caller), candidate_of(by_source)],
        read_question("order service"),
        "order service",
        ContextConfig(),
        NOW,
        room=3000,
    )
    found = {each.packet.content: (each.relevance, each.parts) for each in judged.short}
    assert found["bananas"] == (0.5, {"words": 0.0, "caller": 0.5})
    assert found["bananas are fruit"] == (0.5, {"words": 0.0, "source": 1.0})


def test_type_weights_change_the_score_and_not_the_relevance() -> None:
    config = ContextConfig(type_weights={"evidence": 2.0})
    packets = [
        ContextPacket("same", metadata={"type": "rag_result"}),
        ContextPacket("same ", metadata={"type": "memory"}),
    ]
    judged = judge([candidate_of(each) for each in packets], read_question("same"), "same", config, NOW, room=3000)
    assert judged.short[0].packet.type == "rag_result"
    assert judged.short[0].score == pytest.approx(2 * judged.short[1].score)
    assert judged.short[0].relevance == judged.short[1].relevance


def test_of_a_large_pool_the_promising_ones_are_judged_exactly() -> None:
    packets = [ContextPacket(f"filler {n} about gardens") for n in range(2000)]
    packets.insert(1234, ContextPacket("the retry queue drops messages"))
    judged = judge(
        [candidate_of(each) for each in packets],
        read_question("retry queue"),
        "retry queue",
        ContextConfig(),
        NOW,
        room=500,
    )
    assert judged.short[0].packet.content == "the retry queue drops messages"
    assert len(judged.short) + len(judged.rest) == 2001
    assert len(judged.short) <= 1024
