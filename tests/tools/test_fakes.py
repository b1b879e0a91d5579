"""Stand-ins behave like what they stand for."""

from datetime import UTC, datetime, timedelta

import pytest
from maintainer.tools.clock import Clock, SystemClock
from maintainer.tools.fakes import FixedClock


@pytest.mark.parametrize("clock", [SystemClock(), FixedClock()], ids=["system", "fixed"])
def test_a_clock_tells_aware_utc_and_never_runs_backwards(clock: Clock) -> None:
    first, second = clock.now(), clock.now()
    assert first.utcoffset() == timedelta(0)
    assert second >= first


def test_a_fixed_clock_moves_only_when_told() -> None:
    clock = FixedClock(datetime(2026, 3, 1, tzinfo=UTC))
    assert clock.now() == clock.now()
    clock.advance(days=2, minutes=5)
    assert clock.now() == datetime(2026, 3, 3, 0, 5, tzinfo=UTC)


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(TypeError, match="must be timezone-aware"):
        FixedClock(datetime(2026, 3, 1))
