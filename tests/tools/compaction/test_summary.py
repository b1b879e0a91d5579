from datetime import UTC, datetime

from maintainer.state.compaction import Done, Point, Summary
from maintainer.state.session import Message
from maintainer.tools.compaction import joined, pieces, rendered, unfounded
from maintainer.tools.tokens import open_counter

COUNTER = open_counter()
NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


def said(turn: int, text: str) -> Message:
    return Message(role="user", content=text, turn=turn, timestamp=NOON)


def summary(**fields: object) -> Summary:
    empty = {name: [] for name in ("decisions", "open_problems", "file_changes", "preferences", "plan", "done")}
    return Summary.model_validate({"goal": "g", "next_action": "n", **empty, **fields})


def test_all_of_a_conversation_is_shown_piece_by_piece() -> None:
    messages = [said(1, "short"), said(2, "数据库 " * 500), said(3, "end")]
    found = pieces(messages, COUNTER, most=200)
    assert "".join(each.content for piece in found for each in piece) == "".join(each.content for each in messages)
    assert max(sum(COUNTER.count(each.content) for each in piece) for piece in found) <= 200


def test_a_summary_may_name_only_what_was_said() -> None:
    piece = [said(4, "move `Cache` to src/store.py"), said(5, "turns 1, 2: we use LMDB")]
    assert unfounded(summary(file_changes=[Point(text="`cache` went to src/store.py", turns=[4])]), piece, "") == ""
    assert unfounded(summary(decisions=[Point(text="we use LMDB", turns=[2])]), piece, "") == ""
    wrong = summary(done=[Done(text="moved to src/shop.py", turns=[4], evidence="x")])
    assert unfounded(wrong, piece, "") == "'src/shop.py' is not in the piece"


def test_two_summaries_become_one_without_repetitions() -> None:
    one = summary(decisions=[Point(text="a", turns=[1])], plan=["[>] one"], next_action="one")
    two = summary(
        decisions=[Point(text="a", turns=[1]), Point(text="b", turns=[2])], plan=["[x] one"], next_action="two"
    )
    both = joined(one, two)
    assert [each.text for each in both.decisions] == ["a", "b"]
    assert (both.plan, both.next_action) == (["[x] one"], "two")


def test_every_point_is_rendered_with_its_turns() -> None:
    text = rendered(
        summary(
            decisions=[Point(text="LMDB, because laptops are offline", turns=[3, 7])],
            done=[Done(text="parser ported", turns=[8], evidence="commit 1a2b3c4d")],
            plan=["[x] port"],
        )
    )
    assert "- LMDB, because laptops are offline [turns 3, 7]" in text
    assert "- parser ported (commit 1a2b3c4d) [turn 8]" in text
    assert text.endswith("Next: n")
