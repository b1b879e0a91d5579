"""A packet accepts what callers have, and refuses what would lie."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from maintainer.state import ContextPacket
from pydantic import TypeAdapter, ValidationError

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "moment",
    [
        NOON,
        datetime(2026, 1, 5, 12, 0),
        "2026-01-05T12:00:00",
        "2026-01-05T13:00:00+01:00",
        NOON.astimezone(timezone(timedelta(hours=8))),
    ],
)
def test_every_usual_time_becomes_utc(moment: datetime | str) -> None:
    packet = ContextPacket("x", timestamp=moment)  # type: ignore[arg-type]
    assert packet.timestamp == NOON
    assert packet.timestamp.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("given", "kept"), [(None, None), (0.5, 0.5), (0, 0.0), (1.7, 1.0), (-3, 0.0), (float("inf"), 1.0)]
)
def test_scores_are_brought_into_their_range_and_none_stays_none(given: float | None, kept: float | None) -> None:
    assert ContextPacket("x", relevance_score=given).relevance_score == kept


@pytest.mark.parametrize(
    "fields",
    [
        {"content": None},
        {"content": 42},
        {"content": "x", "timestamp": "yesterday"},
        {"content": "x", "relevance_score": float("nan")},
        {"content": "x", "metadata": "type=note"},
    ],
)
def test_what_is_no_packet_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ContextPacket(**fields)  # type: ignore[arg-type]


def test_type_and_source_have_names_even_when_nobody_gave_them() -> None:
    assert (ContextPacket("x").type, ContextPacket("x").source) == ("custom", "custom")
    assert ContextPacket("x", metadata={"type": "note"}).source == "note"
    assert ContextPacket("x", metadata={"type": "", "source": "rag"}).source == "rag"


def test_a_packet_survives_json() -> None:
    adapter = TypeAdapter(ContextPacket)
    packet = ContextPacket("订单", NOON, 3, 0.7, {"type": "note", "tags": ["a"], "n": 1})
    assert adapter.validate_json(adapter.dump_json(packet)) == packet
