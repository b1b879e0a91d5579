"""Explore looks first: what is built how, and what breaks if something changes."""

from pathlib import Path

import pytest
from maintainer.state.packet import Need
from maintainer.state.session import Language
from maintainer.tools.first_look.explore import ExploreLook
from maintainer.tools.first_look.impact import named_in

SHOP = Path(__file__).parents[3] / "examples" / "shop"


@pytest.fixture(scope="module")
def look() -> ExploreLook:
    return ExploreLook(SHOP)


def shown(look: ExploreLook, request: str, language: Language = "en") -> dict[str, str]:
    return {str(packet.metadata["what"]): packet.content for packet in look(Need(text=request), language).packets}


def test_numbers_have_units(look: ExploreLook) -> None:
    found = shown(look, "how is this built?")
    assert "Languages: python (78 files)" in found["map"]
    assert "- scripts/: 1 file, 44 lines" in found["structure"]
    assert "- shop/extensions.py: by 27 files" in found["key_files"]
    assert "语言:python (78 个文件)" in shown(look, "介绍一下", "zh")["map"]


@pytest.mark.parametrize(
    ("request_", "language", "rows"),
    [
        (
            "what breaks if I change pricing?",
            "en",
            [
                "If shop/services/pricing.py changes:",
                "  - shop/services/cart.py:60 (price_lines)",
                "tests/test_pricing.py",
            ],
        ),
        (
            "改动shipping模块会影响什么?",
            "zh",
            ["如果改动 shop/services/shipping.py:", "shop/models/order.py:35", "影响到的入口"],
        ),
        ("who calls place_order?", "en", ["shop/api/orders.py:34 (place_order)", "tests/test_checkout.py"]),
        ("place_order 被谁调用?", "zh", ["2 个源文件使用它", "shop/web/account.py:53 (place_order)"]),
        ("what uses shipping.quote?", "en", ["shop/services/checkout.py:88 (quote)", "entry points it reaches: "]),
    ],
)
def test_what_breaks_is_told_with_lines_tests_and_entry_points(
    request_: str, language: Language, rows: list[str], look: ExploreLook
) -> None:
    impact = shown(look, request_, language)["impact"]
    assert all(row in impact for row in rows), impact


def test_a_question_that_names_nothing_has_no_impact(look: ExploreLook) -> None:
    assert "impact" not in shown(look, "what changes often?")
    assert "impact" not in shown(look, "where is the shipping price calculated?")


def test_without_users_and_tests_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "lonely.py").write_text("def f(): ...\n")
    impact = shown(ExploreLook(tmp_path), "what breaks if I change lonely.py?")["impact"]
    assert impact.splitlines()[1:] == [
        "- no source file is seen to use it",
        "- no test imports it: write one before the change",
    ]


def test_for_another_language_it_is_said_how_little_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "cart.ts").write_text("export const total = 1\n")
    (tmp_path / "page.ts").write_text("import { total } from './cart'\n")
    impact = shown(ExploreLook(tmp_path), "what breaks if I change cart.ts?")["impact"]
    assert "  - page.ts:1" in impact
    assert "only lines that import its name are looked for; tests are not" in impact
    assert "no test imports it" not in impact


PATHS = ["shop/services/cart.py", "shop/models/cart.py", "shop/pay/__init__.py", "shop/orders.py", "tools/x.js"]


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        ("what breaks if I change shop/models/cart.py?", [("shop/models/cart.py", "")]),
        ("impact of cart.py", [("shop/services/cart.py", ""), ("shop/models/cart.py", "")]),
        ("改动services.cart的影响", [("shop/services/cart.py", "")]),
        ("who uses pay?", [("shop/pay/__init__.py", "")]),
        ("who calls orders.place?", [("shop/orders.py", "place")]),
        ("who calls OrderView.show?", [("shop/orders.py", "show")]),  # not the other show
        ("who calls OrderView in the orders?", [("shop/orders.py", "OrderView")]),  # code goes before ordinary words
        ("what uses this?", []),
    ],
)
def test_files_and_names_are_found_in_a_request(request_: str, named: list[tuple[str, str]]) -> None:
    orders = "def place(): ...\nclass OrderView:\n    def show(self): ...\n"
    texts = {"shop/orders.py": orders, "shop/models/cart.py": "def show(): ...\n"}
    assert named_in(request_, PATHS, lambda path: texts.get(path, "")) == named
