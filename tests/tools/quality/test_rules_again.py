"""Rules of a few lines that were written a second time, with other names and other numbers."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

WEIGHT = """\
def billed(weight, length, width, height):
    volume = length * width * height
    charged = max(weight, volume * 1000 // 5000)
    if max(length, width, height) > 120:
        charged = max(charged, 10_000)
    if charged <= 1000:
        return 1000
    return -(-charged // 500) * 500
"""
ON_THE_INVOICE = """\
def line(parcel, tariff):
    space = parcel.length * parcel.width * parcel.height
    grams = max(parcel.weight, space * 1000 // 6000)
    if max(parcel.length, parcel.width, parcel.height) > MOST:
        grams = max(grams, 10_000)
    if grams <= 1000:
        return 1000
    return -(-grams // 500) * 500
"""
BANDS = """\
def premium(hammer):
    total, floor = 0, 0
    for ceiling, rate in BANDS:
        top = hammer if ceiling is None else min(hammer, ceiling)
        if top <= floor:
            break
        total += share(top - floor, rate)
        floor = top
    return total
"""
ESTIMATE = """\
def estimate(bid, country):
    surcharge, lower = 0, 0
    for upper, points in RATES:
        reach = bid if upper is None else min(bid, upper)
        if reach <= lower:
            break
        surcharge += share(reach - lower, points)
        lower = reach
    if country == "SE":
        surcharge += share(surcharge, 2_500)
    return bid + surcharge
"""
LIMITS = """\
def check(amount):
    if amount < LEAST:
        raise Refused("at least 10 euros", field="amount")
    if amount > MOST:
        raise Refused("at most 2000 euros", field="amount")
"""
BY_HAND = """\
def pay(request):
    cents = parse(request.form["amount"])
    if cents < 1000:
        raise Refused("at least 10 euros", field="amount")
    if cents > 100_000:
        raise Refused("at most 1000 euros", field="amount")
    return start(cents)
"""


@pytest.mark.parametrize(("one", "other"), [(WEIGHT, ON_THE_INVOICE), (BANDS, ESTIMATE), (LIMITS, BY_HAND)])
def test_a_rule_is_found_again_whatever_its_names_and_numbers(one: str, other: str, found: Found) -> None:
    [finding] = found({"p/one.py": one, "p/other.py": other}, "duplicate_code")
    assert {finding.place.path, *(each.path for each in finding.others)} == {"p/one.py", "p/other.py"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (WEIGHT, BANDS),
        (LIMITS, BY_HAND.replace("at least 10 euros", "too little").replace("1000 euros", "1 euro")),
        (
            "def f(a):\n    x = get(a, 1)\n    y = get(a, 2)\n    send(x, y, 3)\n    return join(x, y)\n",
            "def g(b):\n    v = get(b, 4)\n    w = get(b, 5)\n    send(v, w, 6)\n    return join(v, w)\n",
        ),  # steps, but no rule
    ],
)
def test_what_decides_otherwise_or_decides_nothing_is_no_rule_again(one: str, other: str, found: Found) -> None:
    assert found({"p/one.py": one, "p/other.py": other}, "duplicate_code") == []
