"""Selecting: what is worth its tokens goes in, and everything else says why not."""

from datetime import UTC, datetime
from typing import Any

import pytest
from maintainer.nodes.gather import history_packets
from maintainer.nodes.packing.packer import Selection
from maintainer.nodes.select import pick
from maintainer.state import ContextConfig, ContextPacket
from maintainer.state.session import Message
from maintainer.tools.tokens import open_counter

NOW = datetime(2026, 6, 1, tzinfo=UTC)
COUNTER = open_counter()


def picked(packets: list[ContextPacket], query: str = "order service", room: int = 1000, **more: Any) -> Selection:
    config = more.pop("config", ContextConfig())
    return pick(packets, query, config, room, COUNTER, NOW, **more)


def chosen(selection: Selection) -> list[str]:
    return [candidate.packet.content for candidate in selection.chosen]


def rules(selection: Selection) -> dict[str, str]:
    return {candidate.packet.content: candidate.rule for candidate in selection.dropped}


def test_every_candidate_is_chosen_or_dropped_with_its_rule() -> None:
    packets = [
        ContextPacket("the order service is slow"),
        ContextPacket("The Order service is slow"),
        ContextPacket("the order service is very slow, says the dashboard of the operations team since last monday"),
        ContextPacket("the order service is very slow, says the dashboard of the operations team since last monday!"),
        ContextPacket("bananas"),
        ContextPacket("  \n "),
    ]
    selection = picked(packets)
    assert len(selection.chosen) + len(selection.dropped) == len(packets)
    assert rules(selection) == {
        "The Order service is slow": "same text as the order service is slow",
        packets[3].content: "says the same as the order service is very slow, says the dashboard of the...",
        "bananas": "relevance 0.00 is below 0.1",
        "  \n ": "empty",
    }


def test_what_does_not_fit_is_passed_over_and_not_the_end_of_filling() -> None:
    packets = [
        ContextPacket(word * size, relevance_score=score)
        for word, size, score in (("order ", 60, 0.9), ("service ", 60, 0.8), ("small ", 5, 0.7))
    ]
    selection = picked(packets, room=75, config=ContextConfig(enable_compression=False))
    assert chosen(selection) == [packets[0].content, packets[2].content]
    assert rules(selection) == {packets[1].content: "no room: others were worth more for their tokens"}


def test_an_over_long_packet_enters_as_an_excerpt_around_its_best_lines() -> None:
    giant = "\n".join(
        [*(f"line {n} about gardens" for n in range(900)), "the order service times out here", *["end"] * 50]
    )
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return "h1"

    selection = picked([ContextPacket(giant)], keep=keep)
    assert "the order service times out here" in selection.chosen[0].text
    assert selection.chosen[0].tokens <= 1000
    assert selection.chosen[0].rule.endswith("shortened to its best lines")
    assert kept == [giant]
    assert selection.removals[0].handle == "h1"
    assert selection.removals[0].tokens > 3000


def test_without_compression_an_over_long_packet_is_left_out_whole() -> None:
    selection = picked([ContextPacket("order " * 5000)], config=ContextConfig(enable_compression=False))
    assert selection.chosen == []


def test_the_newest_turns_stay_though_they_share_no_word_with_the_request() -> None:
    history = [
        Message(role=role, content=text, turn=1, timestamp=NOW)  # type: ignore[arg-type]
        for role, text in (("user", "where is the login checked"), ("assistant", "in auth.py, by the session"))
    ]
    filler = [ContextPacket(f"why do things happen, part {n}") for n in range(200)]
    for follow_up in ("Why?", "继续"):
        selection = picked([*filler, *history_packets(history)], follow_up, before="where is the login checked")
        assert {"user: where is the login checked", "assistant: in auth.py, by the session"} <= set(chosen(selection))


def test_pinned_packets_and_turns_leave_most_of_the_room_to_evidence() -> None:
    pinned = [ContextPacket(f"plan {n} " + "step " * 300, metadata={"pinned": True}) for n in range(9)]
    facts = [ContextPacket(f"order service fact {n} " + f"f{n}x " * 20) for n in range(30)]
    selection = picked([*pinned, *facts])
    assert sum(each.tokens for each in selection.chosen if each.pinned) <= 0.4 * 1000
    assert any(each.pinned for each in selection.chosen)


def test_one_source_cannot_drown_the_others() -> None:
    loud = [
        ContextPacket(
            f"order service article {n}: " + " ".join(f"w{n}x{k}" for k in range(40)),
            relevance_score=1.0,
            metadata={"source": "rag", "scored_by": "source", "type": "rag_result"},
        )
        for n in range(200)
    ]
    quiet = ContextPacket("decision: the order service stays synchronous", metadata={"source": "notes", "type": "note"})
    assert quiet.content in chosen(picked([*loud, quiet]))


def test_a_liar_who_scores_everything_high_does_not_win_over_what_is_asked_for() -> None:
    junk = [
        ContextPacket(
            f"advert {n} " + "buy now " * 20, relevance_score=1.0, metadata={"source": "web", "scored_by": "source"}
        )
        for n in range(50)
    ]
    fact = ContextPacket("the order service retries five times", metadata={"source": "notes"})
    selection = picked([*junk, fact], room=200)
    assert selection.chosen[0].packet == fact


def test_copies_of_one_file_do_not_fill_the_room() -> None:
    same = [
        ContextPacket(
            f"order service handler {n} " + " ".join(f"a{n}b{k}" for k in range(30)),
            metadata={"path": "big.py", "lines": f"{n}-{n}"},
        )
        for n in range(40)
    ]
    other = [
        ContextPacket(
            f"order service {n} " + " ".join(f"c{n}d{k}" for k in range(30)), metadata={"path": f"small{n}.py"}
        )
        for n in range(5)
    ]
    places = [candidate.packet.metadata["path"] for candidate in picked([*same, *other]).chosen]
    assert sum(place != "big.py" for place in places) >= 3


def test_what_the_call_before_had_keeps_its_place_at_the_start() -> None:
    packets = [ContextPacket(f"order service fact {n} " + f"x{n} " * 20) for n in range(30)]
    first = picked(packets, room=600)
    ids = [packet.metadata["id"] for packet in first.packets()]
    again = picked(packets, room=420, previous=ids)
    kept = [packet.metadata["id"] for packet in again.packets()]
    assert kept == [name for name in ids if name in kept]


def test_the_same_input_gives_the_same_choice() -> None:
    packets = [ContextPacket(f"order {n} service {n % 7}") for n in range(300)]
    assert chosen(picked(packets)) == chosen(picked(packets))


@pytest.mark.parametrize("room", [-50, 0, 3])
def test_no_room_is_no_error(room: int) -> None:
    selection = picked([ContextPacket("order service")], room=room)
    assert selection.chosen == []
    assert len(selection.dropped) == 1
