"""Requests, half of them Chinese, and the mode each should get."""

from pathlib import Path

import pytest
from maintainer.tools.mode_choice import CLEAR, pick_mode

REQUESTS = Path(__file__).with_name("mode_requests.tsv")
TABLE = [
    (said, mode)
    for line in REQUESTS.read_text("utf-8").splitlines()
    if not line.startswith("#")
    for mode, said in [line.split("\t")]
]


def picked(said: str) -> str:
    choice = pick_mode(said)
    if choice.confidence < CLEAR:
        assert choice.mode == "explore", "what is unclear changes nothing"
        assert "unclear" in choice.reason
        return "unclear"
    return choice.mode


def test_at_least_95_of_100_requests_get_their_mode() -> None:
    wrong = {said: (mode, picked(said)) for said, mode in TABLE if picked(said) != mode}
    assert len(TABLE) >= 100
    assert len(wrong) <= 0.05 * len(TABLE), wrong


def test_half_of_the_table_is_chinese() -> None:
    chinese = sum(not said.isascii() for said, _ in TABLE)
    assert 0.45 <= chinese / len(TABLE) <= 0.55


@pytest.mark.parametrize(("said", "mode"), TABLE)
def test_confidence_is_a_share_and_the_reason_names_the_mode(said: str, mode: str) -> None:
    choice = pick_mode(said)
    assert 0.0 <= choice.confidence <= 1.0
    assert choice.reason.startswith(choice.mode)


def test_the_reason_quotes_the_request_in_its_language() -> None:
    assert "“duplicated”" in pick_mode("find duplicated code").reason
    assert "请求中提到" in pick_mode("找出重复代码", language="zh").reason
    assert "不够明确" in pick_mode("你好", language="zh").reason


@pytest.mark.parametrize("said", ["continue", "go on.", "next", "继续", "然后呢?", "请继续。"])
def test_going_on_stays_in_the_mode_of_the_turn_before(said: str) -> None:
    assert pick_mode(said, previous="analyze").mode == "analyze"
    assert pick_mode(said, previous="plan").mode == "plan"


def test_a_new_question_leaves_the_mode_of_the_turn_before() -> None:
    assert pick_mode("where is the cart?", previous="plan").mode == "explore"


@pytest.mark.parametrize("said", ["", " ", "\x00", "?" * 10_000, "how " * 10_000, "计划" * 10_000])
def test_odd_requests_are_no_error(said: str) -> None:
    assert pick_mode(said).mode in ("explore", "analyze", "plan")
