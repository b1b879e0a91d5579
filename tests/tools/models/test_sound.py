"""Whatever a model answers can be stored, sent back and approved call by call."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from maintainer.state.session import Reply, ToolCall
from maintainer.tools.models.sound import MOST_CALLS, sound
from maintainer.tools.repair import INVALID_JSON


def asking(*arguments: Any, text: str = "") -> Reply:
    return Reply(text=text, calls=[ToolCall(id="call_0", name="terminal", arguments=each) for each in arguments])


def test_ids_that_a_provider_uses_again_are_made_unique_in_the_turn() -> None:
    ids = [call.id for step in (1, 2, 12) for call in sound(asking({}, {}), step).calls]
    assert len(set(ids)) == 6
    assert all(len(id_) == 9 and id_.isalnum() for id_ in ids)


def deep(levels: int) -> dict[str, Any]:
    return {"in": deep(levels - 1)} if levels else {}


@pytest.mark.parametrize("arguments", [deep(300), {"command": "x" * 30_000}, {"list": [[[[0] * 9_000]]]}])
def test_arguments_no_tool_could_want_are_answered_instead_of_stored(arguments: dict[str, Any]) -> None:
    (call,) = sound(asking(arguments), 1).calls
    assert list(call.arguments) == [INVALID_JSON]


def test_a_thousand_calls_at_once_are_cut_and_it_is_said() -> None:
    reply = sound(asking(*[{}] * 1000), 1)
    assert len(reply.calls) == MOST_CALLS
    assert "1000 calls at once" in reply.notices[0]


def test_numbers_beyond_64_bits_and_lone_surrogates_become_what_a_checkpoint_can_hold() -> None:
    (call,) = sound(asking({"n": 2**64, "m": -5, "ok": True, "text": "a\ud800b", "k\udfff": [1.5, None]}), 1).calls
    assert call.arguments == {"n": "18446744073709551616", "m": -5, "ok": True, "text": "a?b", "k?": [1.5, None]}
    assert sound(Reply(text="\ud83d 中文"), 1).text == "? 中文"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), JSON, max_size=4), st.text())
def test_any_reply_survives_the_way_through_a_checkpoint(arguments: dict[str, Any], text: str) -> None:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    reply = sound(asking(arguments, text=text), 3)
    serde = JsonPlusSerializer(allowed_msgpack_modules=[Reply, ToolCall])
    assert serde.loads_typed(serde.dumps_typed(reply)) == reply


def test_secrets_in_a_reply_and_in_its_arguments_are_masked_before_anything_stores_them() -> None:
    key = "ghp_abcdefghijklmnopqrstuvwxyzABCDEF1234"
    reply = sound(asking({"action": "add", "tags": [f"token {key}"]}, text=f"The token is {key}."), 1)
    assert key not in reply.model_dump_json()
    assert reply.calls[0].arguments["action"] == "add"
