"""The published method gives the published numbers, faults included: worked examples, computed by hand."""

import math
from datetime import UTC, datetime, timedelta

import pytest
from maintainer.nodes import classic
from maintainer.state import ContextConfig, ContextPacket
from maintainer.state.session import Message

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def made(content: str, score: float | None = 0.5, age_days: float = 0.0, **metadata: str) -> ContextPacket:
    return ContextPacket(content, NOW - timedelta(days=age_days), 0, score, metadata)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("one two three four five six seven eight nine ten", 13),  # 10 x 1.3
        ("上下文工程", 6),  # 5 characters + one "word" x 1.3 = 6.3
        ("use the 缓存 layer", 7),  # 2 + 4 x 1.3 = 7.2
        ("x" * 5000, 1),  # one word, however long: why budgets burst
    ],
)
def test_the_estimate(text: str, tokens: int) -> None:
    assert classic.estimate(text) == tokens


@pytest.mark.parametrize(
    ("content", "query", "expected"),
    [
        ("order service timeout", "order service", 2 / 3),
        ("Order SERVICE", "order service", 1.0),
        ("order service timeout pool cache retry", "why order", 1 / 7),
        ("订单服务超时的原因", "订单服务为什么超时", 0.0),  # Chinese has no spaces: nothing is ever found
        ("", "order", 0.0),
        ("order", "", 0.0),
    ],
)
def test_relevance_is_jaccard_over_words(content: str, query: str, expected: float) -> None:
    assert classic.relevance(content, query) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("age_days", "expected"),
    [(0, 1.0), (1, math.exp(-0.1)), (10, math.exp(-1)), (23, math.exp(-2.3)), (24, 0.1), (1000, 0.1), (-5, 1.0)],
)
def test_recency_decays_by_a_tenth_a_day_down_to_a_tenth(age_days: float, expected: float) -> None:
    assert classic.recency(NOW - timedelta(days=age_days), NOW) == pytest.approx(expected)


def test_the_score_weighs_relevance_seven_and_recency_three() -> None:
    chosen, _ = classic.select([made("order service timeout", age_days=10)], "order service", ContextConfig(), NOW)
    assert chosen[0].score == pytest.approx(0.7 * 2 / 3 + 0.3 * math.exp(-1))


def test_a_given_score_stands_but_a_half_counts_as_none() -> None:
    chosen, dropped = classic.select(
        [made("bananas", 0.9), made("apples", 0.5), made("pears", None)], "order", ContextConfig(), NOW
    )
    assert [each.packet.content for each in chosen] == ["bananas"]
    assert {each.rule for each in dropped} == {"below min_relevance"}


def test_taking_stops_at_the_first_that_does_not_fit() -> None:
    config = ContextConfig(max_tokens=100, reserve_ratio=0.2)  # 80 available
    small, large, tiny = made("a " * 40, 0.9), made("b " * 40, 0.8), made("c", 0.7)  # 52, 52 and 1 tokens
    chosen, dropped = classic.select([small, large, tiny], "q", config, NOW)
    assert [each.packet for each in chosen] == [small]
    assert [each.packet for each in dropped] == [large, tiny]  # tiny would have fitted


def test_system_packets_come_first_and_alone_when_they_fill_the_room() -> None:
    config = ContextConfig(max_tokens=100, reserve_ratio=0.2)
    system = made("rule " * 62, 1.0, type="system_instruction")  # 80 tokens
    chosen, dropped = classic.select([made("order", 0.9), system], "order", config, NOW)
    assert [each.packet for each in chosen] == [system]
    assert len(dropped) == 1


def test_gathering_takes_five_messages_with_relevance_six_tenths() -> None:
    history = [Message(role="user", content=str(n), turn=n, timestamp=NOW) for n in range(7)]
    found = classic.gathered("rules", [made("memory", 0.7)], history, [made("mine", 0.4)], NOW)
    assert [packet.content for packet in found] == [
        "rules",
        "memory",
        *[f"user: {n}" for n in range(2, 7)],
        "mine",
    ]
    assert [packet.relevance_score for packet in found] == [1.0, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.4]
    assert found[0].metadata == {"type": "system_instruction", "priority": "high"}


def test_the_skeleton() -> None:
    packets = [
        made("rules", type="system_instruction"),
        made("fact one", type="rag_result"),
        made("fact two", type="knowledge"),
        made("user: hi", type="conversation_history"),
        made("note", type="note"),
    ]
    assert classic.structure(packets, "why?") == (
        "[Role & Policies]\nrules\n\n[Task]\nwhy?\n\n[Evidence]\nfact one\n---\nfact two\n\n"
        "[Context]\nuser: hi\nnote\n\n[Output]\n请基于以上信息,提供准确、有据的回答。"
    )


def test_compressing_keeps_whole_parts_then_one_beginning() -> None:
    first, second, third = "a " * 10, "b " * 100, "c"
    text = "\n\n".join([first, second, third])  # 13, 130 and 1 tokens
    kept = classic.compress(text, 80)
    assert kept.startswith(first + "\n\n")
    assert kept.endswith("\n[... 内容已压缩 ...]")
    assert kept.count("b") == int(67 * len(second) / 130) // 2 + 1
    assert "c" not in kept


@pytest.mark.parametrize(("left", "kept"), [(50, False), (51, True)])
def test_a_part_is_kept_only_if_more_than_fifty_tokens_are_left(left: int, kept: bool) -> None:
    first = "a " * 10  # 13 tokens
    text = f"{first}\n\n{'b ' * 200}"
    assert (classic.MARK in classic.compress(text, 13 + left)) is kept


def test_what_fits_is_not_touched() -> None:
    assert classic.compress("a\n\nb", 10) == "a\n\nb"
