"""The mode at work, and what it looks at first."""

from pathlib import Path

import pytest
from maintainer.nodes.probe import mode_of, probe
from maintainer.state.errors import RepositoryError, SearchError
from maintainer.state.modes import Mode
from maintainer.state.packet import ContextPacket, Need
from maintainer.state.session import Failure, SessionState
from maintainer.tools.fakes import FixedClock
from maintainer.tools.first_look import FirstLook, Look, looks_of
from maintainer.tools.notes import NoteTool
from maintainer.tools.quality.engine import Quality

SHOP = Path(__file__).parents[2] / "examples" / "shop"


@pytest.fixture
def looks(tmp_path: Path) -> dict[Mode, Look]:
    return dict(looks_of(SHOP, Quality(SHOP, None), NoteTool(tmp_path, clock=FixedClock())))


def test_explore_shows_the_map_before_any_content(looks: dict[Mode, Look]) -> None:
    update = probe(SessionState(request="How is this built?"), mode="explore", looks=looks)
    shown = {packet.metadata["what"]: packet.content for packet in update["first_look"]}
    assert list(shown) == ["map", "entry_points", "structure", "key_files"]
    assert "web application" in shown["map"]
    assert "manage.py:" in shown["entry_points"]
    assert "shop/services/checkout.py" in shown["key_files"]
    assert {packet.relevance_score for packet in update["first_look"]} == {0.6}


def test_explore_tells_what_breaks(looks: dict[Mode, Look]) -> None:
    update = probe(SessionState(request="What breaks if I change coupons.py?"), mode="explore", looks=looks)
    impact = update["first_look"][-1]
    assert impact.metadata["path"] == "shop/services/coupons.py"
    assert "shop/services/checkout.py" in impact.content
    assert "tests/test_coupons.py" in impact.content


def test_analyze_shows_findings_worst_first_and_counts_them(looks: dict[Mode, Look]) -> None:
    update = probe(SessionState(request="有什么问题?", language="zh"), mode="analyze", looks=looks)
    summary, worst, *_ = update["first_look"]
    assert summary.metadata["what"] == "summary"
    assert worst.metadata["severity"] in ("critical", "high")
    assert update["stats"]["issues_found"] >= len(update["first_look"]) - 1
    assert {packet.relevance_score for packet in update["first_look"]} == {0.7}


def test_plan_without_notes_says_so(looks: dict[Mode, Look]) -> None:
    update = probe(SessionState(request="next?"), mode="plan", looks=looks)
    assert "no plan yet" in update["first_look"][0].content


def test_changes_since_the_last_turn_stay_in_front(looks: dict[Mode, Look]) -> None:
    drift = ContextPacket(content="HEAD moved", metadata={"type": "task_state"})
    state = SessionState(request="next?", first_look=[drift])
    assert probe(state, mode="plan", looks=looks)["first_look"][0] == drift


def test_a_look_that_fails_costs_only_itself() -> None:
    def broken(need: Need, language: str, /) -> FirstLook:
        raise RepositoryError("gone")

    update = probe(SessionState(request="x"), mode="explore", looks={"explore": broken})
    assert update["first_look"] == []
    assert update["failures"] == [Failure(where="probe_explore", reason="gone")]


@pytest.mark.parametrize(
    ("request_text", "turn", "before", "mode"),
    [
        ("How is login implemented?", 1, "explore", "explore"),
        ("找出重复代码", 1, "explore", "analyze"),
        ("What should we do next?", 1, "explore", "plan"),
        ("continue", 2, "analyze", "analyze"),
        ("继续", 2, "plan", "plan"),
        ("continue", 1, "explore", "plan"),  # a new session goes on with what the notes say
    ],
)
def test_auto_picks_a_mode_and_says_why(request_text: str, turn: int, before: Mode, mode: Mode) -> None:
    state = SessionState(request=request_text, turn=turn, active_mode=before)
    assert mode_of(state, "auto")[0] == mode
    assert mode_of(state, "auto")[1].startswith(f"{mode}:")


def test_a_mode_that_was_asked_for_needs_no_reason() -> None:
    assert mode_of(SessionState(request="find duplicates"), "plan") == ("plan", "", [])


def test_what_a_request_means_counts_more_than_a_single_word_and_is_told() -> None:
    state = SessionState(request="xylophones")
    mode, reason, missed = mode_of(state, "auto", lambda _: {"explore": 0.0, "analyze": 9.0, "plan": 0.0})
    assert (mode, missed) == ("analyze", [])
    assert reason == "analyze: the request reads like one for what is wrong"


def test_an_encoder_that_fails_leaves_the_choice_to_the_words_and_is_told() -> None:
    def broken(_: str) -> dict[str, float]:
        raise SearchError("no model")

    mode, _, missed = mode_of(SessionState(request="find duplicated code"), "auto", broken)
    assert mode == "analyze"
    assert missed == [Failure(where="probe_auto", reason="the mode was chosen by words alone: no model")]
