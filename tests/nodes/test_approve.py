"""A yes is a yes to what was shown, and everything else is a no."""

from typing import Any

import pytest
from maintainer.nodes.approve import decided, questions
from maintainer.state.session import SessionState, ToolCall
from maintainer.tools.toolset.tool import Asked

ASKED = [
    (ToolCall(id="c1", name="terminal"), Asked(what="pytest -q", reason="not on the list", risk="may write")),
    (ToolCall(id="c2", name="plan_update"), Asked(what="the plan", reason="a plan is agreed first")),
]


def test_the_user_is_shown_what_why_and_the_risk() -> None:
    assert questions(ASKED)[0] == {
        "call": "c1",
        "tool": "terminal",
        "what": "pytest -q",
        "reason": "not on the list",
        "risk": "may write",
    }


@pytest.mark.parametrize(
    ("answer", "approvals", "agreed", "remarks"),
    [
        ("once", ["once", "once"], {}, {}),
        ("session", ["session", "session"], {"pytest -q": "session", "the plan": "session"}, {}),
        ({"c1": "never", "c2": "once"}, ["never", "once"], {"pytest -q": "never"}, {}),
        ({"c1": "once"}, ["once", "never"], {}, {}),
        ("smaller steps please", ["never", "never"], {}, {"c1": "smaller steps please", "c2": "smaller steps please"}),
        ({"c1": "once", "c2": "先做第二步"}, ["once", "never"], {}, {"c2": "先做第二步"}),
        ({"c9": "once"}, ["never", "never"], {}, {}),
        (None, ["never", "never"], {}, {}),
        (True, ["never", "never"], {}, {}),
        (["once"], ["never", "never"], {}, {}),
        ("ONCE", ["never", "never"], {}, {"c1": "ONCE", "c2": "ONCE"}),
    ],
)
def test_only_a_clear_yes_is_one(answer: Any, approvals: list[str], agreed: Any, remarks: Any) -> None:
    update = decided(SessionState(request="?"), ASKED, answer)
    assert [update["approvals"][id_] for id_ in ("c1", "c2")] == approvals
    assert (update["agreed"], update["remarks"]) == (agreed, remarks)


def test_earlier_decisions_are_kept() -> None:
    state = SessionState(request="?", approvals={"c0": "once"}, agreed={"old": "session"}, remarks={"c0": "ok"})
    update = decided(state, ASKED[:1], "once")
    assert update == {
        "approvals": {"c0": "once", "c1": "once"},
        "agreed": {"old": "session"},
        "remarks": {"c0": "ok"},
    }
