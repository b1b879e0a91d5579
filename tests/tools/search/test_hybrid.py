import pytest
from maintainer.tools.search import fuse


def test_signals_are_divided_by_their_best_weighted_and_kept_apart() -> None:
    parts = fuse({"words": {"a": 8.0, "b": 4.0}, "meaning": {"b": 0.5, "c": 0.25}}, {"words": 1.0, "meaning": 0.3})
    assert parts == {
        "a": {"words": 1.0},
        "b": {"words": 0.5, "meaning": 0.3},
        "c": {"meaning": pytest.approx(0.15)},
    }


@pytest.mark.parametrize("scores", [{}, {"a": 0.0}, {"a": -1.0, "b": 0.0}])
def test_what_scores_nothing_gives_nothing(scores: dict[str, float]) -> None:
    assert fuse({"words": scores}, {"words": 1.0}) == {}


def test_a_signal_without_weight_is_left_out() -> None:
    assert fuse({"words": {"a": 1.0}, "meaning": {"b": 1.0}}, {"words": 1.0, "meaning": 0.0}) == {"a": {"words": 1.0}}
