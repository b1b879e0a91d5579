"""Time limits learn from what like commands took."""

from maintainer.tools.terminal.pace import REMEMBERED, Pace


def test_a_kind_that_was_never_seen_has_the_floor() -> None:
    assert Pace(30, 600).limit("grep") == 30


def test_three_times_the_average_between_floor_and_ceiling() -> None:
    pace = Pace(30, 600)
    for seconds in (10, 30):
        pace.took("rg", seconds)
    assert pace.limit("rg") == 60
    pace.took("find", 0.1)
    assert pace.limit("find") == 30
    pace.took("sort", 500)
    assert pace.limit("sort") == 600
    assert pace.limit("grep") == 30


def test_old_runs_are_forgotten() -> None:
    pace = Pace(1, 600)
    pace.took("rg", 100)
    for _ in range(REMEMBERED):
        pace.took("rg", 1)
    assert pace.limit("rg") == 3
