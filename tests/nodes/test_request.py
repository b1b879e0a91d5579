"""What is asked is answered in the language it was asked in."""

import pytest
from maintainer.nodes.prompts.request import language_of


@pytest.mark.parametrize(
    "said",
    [
        "支付在哪里?",
        "重构 OrderService 的 place_order 方法, 并更新 tests/test_orders.py",
        "OrderService 在哪里被用到",
        "解释 Order.total 和 Cart.add_item 的关系",
        "为什么报错?\nTraceback (most recent call last):\n  File shop/cart.py, line 3, in total",
        "Traceback (most recent call last):\n  File cart.py, line 3\n这个错误怎么修?",
        "帮我 fix the login bug in auth.py please",
    ],
)
def test_chinese_with_names_and_logs_is_chinese(said: str) -> None:
    assert language_of(said) == "zh"


@pytest.mark.parametrize(
    "said",
    [
        "Where are orders placed?",
        "Rename 价格 to price in the templates",
        "결제는 어디에서 처리되나요? 支付",
        "支払いはどこで処理されますか",
        "أين تتم معالجة الدفع",
        "🚀🚀",
        "",
    ],
)
def test_everything_else_is_answered_in_english(said: str) -> None:
    assert language_of(said) == "en"
