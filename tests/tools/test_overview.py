"""Overviews: who asks for one, and how it is kept short."""

import pytest
from maintainer.tools.overview import asks_nothing_else, asks_overview, short

ALONE = [
    "How is this codebase organized?",
    "how is this built?",
    "How is this built, and where does it start?",
    "What parts does the project consist of?",
    "Give me an overview of the architecture",
    "Show me the entry points",
    "I am new here, help me understand the project",
    "这个项目是怎么组织的?",
    "介绍一下整体架构",
    "项目由哪些部分组成,从哪里启动?",
    "这个仓库的入口和目录结构是什么样的",
]
MIXED = [
    "Where is the price computed, and how is the project structured?",
    "支付模块的结构是怎样的?",
    "how is login built?",
]


@pytest.mark.parametrize("request_", ALONE)
def test_a_request_for_an_overview_and_nothing_else(request_: str) -> None:
    assert asks_overview(request_)
    assert asks_nothing_else(request_)


@pytest.mark.parametrize("request_", MIXED)
def test_a_request_that_has_a_subject_of_its_own(request_: str) -> None:
    assert asks_overview(request_)
    assert not asks_nothing_else(request_)


def test_other_requests_ask_for_none() -> None:
    assert not asks_overview("where is the shipping price calculated?")


def test_every_list_is_cut_by_itself_and_says_what_it_leaves_out() -> None:
    text = "Folders:\n- a\n- b\n- c\nLayers:\n1. x\n2. y\n3. z\n4. w\nend"
    assert short(text, 2, "en") == "Folders:\n- a\n- b\n- (1 more)\nLayers:\n1. x\n2. y\n- (2 more)\nend"
    assert short(text, 2, "zh").count("- (另有 ") == 2
    assert short(text, 9, "en") == text
