"""Requests, half of them Chinese, and the mode each should get."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest
from maintainer.tools.embeddings import open_embedder
from maintainer.tools.mode_choice import CLEAR, pick_mode
from maintainer.tools.mode_meaning import ModeMeaning

REQUESTS = Path(__file__).parents[2] / "benchmarks" / "mode_requests.tsv"
TABLE = [
    (said, mode)
    for line in REQUESTS.read_text("utf-8").splitlines()
    if not line.startswith("#")
    for mode, said in [line.split("\t")]
]


@pytest.fixture(scope="module")
def meaning() -> ModeMeaning:
    return ModeMeaning(open_embedder("default"))


def picked(said: str, scores: Mapping[str, float] = MappingProxyType({})) -> str:
    choice = pick_mode(said, meaning=scores)
    if choice.confidence < CLEAR:
        assert choice.mode == "explore", "what is unclear changes nothing"
        assert "unclear" in choice.reason
        return "unclear"
    return choice.mode


def test_at_least_95_of_100_requests_get_their_mode(meaning: ModeMeaning) -> None:
    found = {said: (mode, picked(said, meaning(said))) for said, mode in TABLE}
    wrong = {said: modes for said, modes in found.items() if modes[0] != modes[1]}
    assert len(TABLE) >= 400
    assert len(wrong) <= 0.05 * len(TABLE), wrong


def test_words_alone_get_most_of_them() -> None:
    right = sum(picked(said) == mode for said, mode in TABLE)
    assert right >= 0.8 * len(TABLE)


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ("Would you trust this code with your own money?", "analyze"),
        ("Which of these scripts could lose data?", "analyze"),
        ("我们应该从哪个模块开始整理?", "plan"),
        ("登录之后会话信息保存在什么地方?", "explore"),
    ],
)
def test_requests_that_no_table_holds_get_their_mode_by_meaning(said: str, mode: str, meaning: ModeMeaning) -> None:
    assert said not in dict(TABLE)
    assert picked(said, meaning(said)) == mode


def test_without_the_encoder_the_weights_are_for_meaning_says_nothing() -> None:
    class Other:
        name, dimension = "another", 2

        def embed(self, texts: Sequence[str]) -> None:
            raise AssertionError("it is not asked")

    assert ModeMeaning(None)("plan it") == {}
    assert ModeMeaning(Other())("plan it") == {}  # type: ignore[arg-type]


def test_the_weights_are_for_the_encoder_that_is_installed(meaning: ModeMeaning) -> None:
    assert set(meaning("How is this built?")) == {"explore", "analyze", "plan", "unclear"}


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


@pytest.mark.parametrize(
    "said",
    ["", " ", "\x00", "?" * 10_000, "how " * 10_000, "计划" * 10_000, "how is this " + "word cat/dog.py " * 60_000],
)
def test_odd_requests_are_no_error(said: str) -> None:
    assert pick_mode(said).mode in ("explore", "analyze", "plan")
