"""Which findings a request speaks of."""

import pytest
from maintainer.state.report import Finding, Kind, Place
from maintainer.tools.focus import asked_for, focused, names_something


def finding(path: str, kind: Kind = "complex_function", symbol: str = "") -> Finding:
    return Finding(kind=kind, place=Place(path=path), symbol=symbol, severity="high", why="x", confidence=0.9)


FOUND = [
    finding("shop/services/payments.py", "secret"),
    finding("shop/services/checkout.py", "complex_function", "place_order"),
    finding("shop/services/search.py", "security"),
    finding("shop/models/order.py", "layering"),
    finding("shop/api/users.py", "duplicate_code", "clean_address"),
    finding("shop/services/shipping.py", "missing_tests"),
    finding("README.md", "stale_docs"),
]


@pytest.mark.parametrize(
    ("request_", "paths"),
    [
        ("Plan the fix of shop/services/shipping.py", ["shop/services/shipping.py"]),  # not all of shop/services
        ("make place_order simpler", ["shop/services/checkout.py"]),
        ("Split the order service", ["shop/services/checkout.py", "shop/models/order.py"]),
        ("拆分订单服务", ["shop/services/checkout.py", "shop/models/order.py"]),
        ("重构支付模块", ["shop/services/payments.py"]),
        ("plan the removal of duplicated code", ["shop/api/users.py"]),
        ("制定消除重复代码的计划", ["shop/api/users.py"]),
        ("修复 payments.py 的问题", ["shop/services/payments.py"]),
        ("improve security in shop/api", ["shop/api/users.py"]),  # the place decides, whatever is worse elsewhere
        ("security of the search", ["shop/services/search.py", "shop/services/payments.py"]),
        ("what next?", []),
        ("下一步该做什么?", []),
        ("Make a plan to reduce technical debt", []),
        ("the migration to PostgreSQL", []),
        ("", []),
    ],
)
def test_a_request_speaks_of_paths_symbols_kinds_and_topics(request_: str, paths: list[str]) -> None:
    assert [each.place.path for each in asked_for(FOUND, request_)] == paths


def test_focused_keeps_every_finding_and_puts_those_asked_for_first() -> None:
    shown = focused(FOUND, "why is shipping untested?")
    assert shown[0].kind == "missing_tests"
    assert sorted(map(id, shown)) == sorted(map(id, FOUND))


def test_findings_of_one_place_stay_in_their_order() -> None:
    both = [finding("a/pay.py", "secret"), finding("a/pay.py", "todo")]
    assert asked_for(both, "plan the work on a/pay.py") == both


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        ("split src/cart.py", True),
        ("make place_order short", True),
        ("OrderService 怎么拆", True),
        ("what next?", False),
    ],
)
def test_names_are_told_from_ordinary_words(request_: str, named: bool) -> None:
    assert names_something(request_) is named


def test_what_stands_behind_a_pasted_log_is_not_searched() -> None:
    assert asked_for(FOUND, "why?\n" + "tick\n" * 100_000 + "shop/models/order.py") == []


@pytest.mark.parametrize("request_", ["(", "[a-", "\\", "\x00", "*" * 1000, "a/" * 500])
def test_odd_requests_are_no_error(request_: str) -> None:
    assert len(focused(FOUND, request_)) == len(FOUND)
