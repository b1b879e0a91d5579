"""Packing: the best total value that fits, one of each near-duplicate, excerpts around the best lines."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from maintainer.nodes.packing.duplicates import overlaps
from maintainer.nodes.packing.excerpt import ends, excerpt
from maintainer.nodes.packing.exchanges import exchange_tokens, fit_exchanges
from maintainer.nodes.packing.knapsack import pack
from maintainer.state.session import Exchange, ToolCall
from maintainer.tools.tokens import open_counter

COUNTER = open_counter()


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(0, 30)), max_size=9),
    st.integers(min_value=-5, max_value=100),
)
def test_no_other_choice_is_worth_more(items: list[tuple[int, int]], room: int) -> None:
    values, sizes = [float(value) for value, _ in items], [size for _, size in items]
    chosen = pack(values, sizes, room)
    assert not chosen or sum(sizes[place] for place in chosen) <= room
    best = max(
        sum(values[place] for place in choice)
        for count in range(len(items) + 1)
        for choice in combinations(range(len(items)), count)
        if not choice or sum(sizes[place] for place in choice) <= room
    )
    assert sum(values[place] for place in chosen) == best


def test_a_room_of_a_hundred_thousand_tokens_is_packed_within_two_in_a_hundred() -> None:
    values = [1.0 + (place * 7919 % 100) / 100 for place in range(1500)]
    sizes = [60 + place * 104729 % 400 for place in range(1500)]
    chosen = pack(values, sizes, 100_000)
    assert sum(sizes[place] for place in chosen) <= 100_000
    by_density = sorted(range(1500), key=lambda place: -values[place] / sizes[place])
    bound, left = 0.0, 100_000.0
    for place in by_density:  # the fractional optimum: no packing can be worth more
        part = min(1.0, left / sizes[place])
        bound, left = bound + part * values[place], left - part * sizes[place]
    assert sum(values[place] for place in chosen) >= 0.98 * bound


def test_worthless_items_are_left_out_even_when_they_fit() -> None:
    assert pack([0.0, -1.0, 0.5], [1, 1, 1], 10) == [2]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The order service times out", "the  ORDER service times out!", True),
        (
            "Build 41 failed because the linker ran out of memory on the small runner last night again",
            "Build 41 failed because the linker ran out of memory on the small runner last night",
            True,
        ),
        ("process_order has complexity 23", "process_order has complexity 32", False),
        ("retry at most 3 times", "retry at most 5 times", False),
        ("订单服务超时的原因是连接池耗尽", "订单服务超时的原因是连接池耗尽。", True),
        ("订单服务超时的原因是连接池耗尽", "支付服务超时的原因是网关限流", False),
    ],
)
def test_what_says_the_same_is_found(one: str, other: str, same: bool) -> None:
    assert (overlaps([one, "something else entirely", other])[2][0] >= 0.85) is same


def test_a_text_is_compared_with_those_before_it_only() -> None:
    assert overlaps(["a b c d", "a b c d", "x y"]) == [(0.0, -1), (1.0, 0), (0.0, -1)]
    assert overlaps([]) == []
    assert overlaps(["", "", "?!"]) == [(0.0, -1)] * 3


def wanted(line: str) -> float:
    return float("needle" in line)


def test_an_excerpt_stands_around_the_best_line() -> None:
    text = "\n".join(f"line {n} of the log" for n in range(500)) + "\nthe needle is here\n" + "tail\n" * 300
    cut = excerpt(text, 60, COUNTER, wanted)
    assert "the needle is here" in cut
    assert cut.startswith("... ")
    assert cut.endswith(" ...")
    assert COUNTER.count(cut) <= 60


def test_an_excerpt_of_one_endless_line_is_found_too() -> None:
    text = (
        ",".join(f'"key{n}": {n}' for n in range(3000))
        + ',"needle": true,'
        + ",".join(f'"k{n}": 1' for n in range(3000))
    )
    cut = excerpt(text, 80, COUNTER, wanted)
    assert "needle" in cut
    assert COUNTER.count(cut) <= 80


@settings(deadline=None)
@given(st.text(max_size=600), st.integers(min_value=0, max_value=120), st.sampled_from(["", "900 tokens in all"]))
def test_an_excerpt_is_never_too_long(text: str, tokens: int, note: str) -> None:
    assert COUNTER.count(excerpt(text, tokens, COUNTER, len, note)) <= tokens


@settings(deadline=None)
@given(st.text(max_size=600), st.integers(min_value=0, max_value=120))
def test_two_ends_are_never_too_long(text: str, tokens: int) -> None:
    assert COUNTER.count(ends(text, tokens, COUNTER, "cut")) <= tokens


def exchange(step: int, result: str, **arguments: str) -> Exchange:
    return Exchange(call=ToolCall(id=f"c{step}", name="terminal", arguments=arguments), result=result, step=step)


LONG = "\n".join(f"{n}: some line of output" for n in range(200))


def test_the_newest_result_stays_whole_and_older_ones_shrink_to_a_line_with_a_handle() -> None:
    pairs = [exchange(1, LONG), exchange(2, LONG), exchange(3, LONG)]
    room = exchange_tokens(pairs[0], COUNTER) + 150
    fitted = fit_exchanges(pairs, room, COUNTER, lambda _: "h1")
    assert [each.call.id for each in fitted] == ["c1", "c2", "c3"]
    assert fitted[-1].result == LONG
    assert "tokens cleared, read it with expand('h1')" in fitted[0].result
    assert fitted[0].handle == "h1"
    assert sum(exchange_tokens(each, COUNTER) for each in fitted) <= room


def test_a_result_longer_than_the_room_keeps_its_two_ends() -> None:
    fitted = fit_exchanges([exchange(1, LONG)], 300, COUNTER, lambda _: "h1")
    assert fitted[0].result.startswith("0: some line")
    assert fitted[0].result.endswith("199: some line of output")
    assert exchange_tokens(fitted[0], COUNTER) <= 300


def test_what_fits_is_left_alone() -> None:
    pairs = [exchange(1, "one"), exchange(2, "two")]
    assert fit_exchanges(pairs, 10_000, COUNTER, lambda _: "") == pairs


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.text(max_size=80), st.text(max_size=80)), max_size=6), st.integers(min_value=0, max_value=200)
)
def test_pairs_stay_pairs_in_their_order_within_the_room(texts: list[tuple[str, str]], room: int) -> None:
    pairs = [exchange(place, result, path=argument) for place, (result, argument) in enumerate(texts)]
    fitted = fit_exchanges(pairs, room, COUNTER, lambda _: "")
    assert sum(exchange_tokens(each, COUNTER) for each in fitted) <= room
    ids = [each.call.id for each in fitted]
    assert ids == [each.call.id for each in pairs][len(pairs) - len(ids) :]
